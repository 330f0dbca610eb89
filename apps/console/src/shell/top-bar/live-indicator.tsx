import { Button } from '../../design/controls/button';
import { useFormats, useTexts } from '../../design/language/language';
import { Glyph, type GlyphName } from '../../design/status/glyph';
import { useLive } from '../../server/live/use-live';
import type { LiveState } from '../../server/live/live-events';
import { texts } from '../texts';
import styles from './top-bar.module.css';

const GLYPHS: Record<LiveState, GlyphName> = {
  connecting: 'noData',
  live: 'inLimits',
  paused: 'inWarning',
  behind: 'inWarning',
  lost: 'outOfTolerance',
};

/** Whether events come; pressing it holds them or delivers them again. */
export function LiveIndicator() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { state, held, pause, resume } = useLive();
  const name = state === 'paused' && held > 0 ? t.pausedWith(count(held)) : t[`live-${state}`];
  return (
    <span className={styles.live}>
      <Button
        kind="quiet"
        isDisabled={state !== 'live' && state !== 'paused'}
        onPress={state === 'paused' ? resume : pause}
        aria-label={`${name}. ${state === 'paused' ? t.resume : t.pause}`}
      >
        <Glyph name={GLYPHS[state]} label="" />
        {name}
      </Button>
    </span>
  );
}
