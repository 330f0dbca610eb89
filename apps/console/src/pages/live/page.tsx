import { useEffect } from 'react';
import { Button } from '../../design/controls/button';
import { useTexts } from '../../design/language/language';
import { Fill } from '../../design/layout/fill';
import { Split } from '../../design/layout/split';
import { Page } from '../../design/page/page';
import { useView } from '../../server/use-view';
import { EventTable } from './event-table';
import styles from './live.module.css';
import { LiveSide } from './live-side';
import type { LiveAddress } from './search';
import { texts } from './texts';
import { useEventLog } from './use-event-log';

/** Events as they come, the newest first. */
export function LivePage() {
  const t = useTexts(texts);
  const { view, change } = useView<LiveAddress>();
  const { below, hide = [] } = view;
  const log = useEventLog(below);
  const { isPaused, setPaused } = log;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The space bar presses what has the focus; only without one it pauses.
      if (event.key !== ' ' || event.target !== document.body || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      setPaused(!isPaused);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isPaused, setPaused]);

  return (
    <Page
      title={t.title}
      tabs={
        <div className={styles.controls}>
          <Button kind="primary" onPress={() => setPaused(!isPaused)}>
            {isPaused ? t.resume : t.pause}
            <kbd>{t.space}</kbd>
          </Button>
          <Button onPress={log.clear}>{t.clear}</Button>
        </div>
      }
    >
      <Fill>
        <Split
          isRuled
          detailLabel={t.side}
          detail={<LiveSide log={log} hidden={hide} onHide={(hidden) => change({ hide: hidden.length === 0 ? undefined : hidden })} />}
        >
          <EventTable log={log} />
        </Split>
      </Fill>
    </Page>
  );
}
