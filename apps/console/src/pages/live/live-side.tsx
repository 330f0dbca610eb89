import { rateChart } from '@sinebar/charts';
import { chartOf } from '../../charts/drawing/figure';
import { useFormats, useTexts } from '../../design/language/language';
import { NamedValues } from '../../design/layout/lines';
import { PaneHead } from '../../design/page/pane-head';
import { Glyph } from '../../design/status/glyph';
import { EVENT_KINDS, type EventKind } from './event-views';
import styles from './live.module.css';
import { texts } from './texts';
import type { LiveLog } from './use-event-log';
import checkStyles from '../../design/controls/check.module.css';

export interface LiveSideProps {
  log: LiveLog;
  hidden: readonly EventKind[];
  onHide: (hidden: readonly EventKind[]) => void;
}

const STATES = {
  connecting: ['connecting', 'noData'],
  connected: ['live', 'inLimits'],
  disconnected: ['lost', 'outOfTolerance'],
  degraded: ['behind', 'inWarning'],
  ended: ['ended', 'outOfTolerance'],
} as const;

const RateChart = chartOf(rateChart);

/** Rate of the events, their kinds to choose from, and the state of the connection. */
export function LiveSide({ log, hidden, onHide }: LiveSideProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const { current, connection } = log;
  const [word, glyph] = STATES[connection.state];
  const most = Math.max(...current.rates, 0);
  return (
    <>
      <PaneHead name={t.rate} note={t.rateNote(formats.count(current.rates.at(-1) ?? 0), formats.count(most))} />
      <div className={styles.rate}>
        <RateChart rates={current.rates} />
      </div>
      <PaneHead name={t.kinds} note={t.kindsNote} />
      {EVENT_KINDS.map((kind) => (
        <label key={kind} className={styles.kind}>
          <input
            type="checkbox"
            className={checkStyles.check}
            checked={!hidden.includes(kind)}
            onChange={(event) => onHide(event.target.checked ? hidden.filter((each) => each !== kind) : [...hidden, kind])}
          />
          <span>{t[kind]}</span>
          <span>{formats.count(current.kinds[kind])}</span>
        </label>
      ))}
      <PaneHead name={t.connection} isSpaced />
      <NamedValues
        values={[
          {
            name: t.state,
            value: (
              <span className={styles.state} role="status">
                <Glyph name={glyph} label="" />
                {connection.message === undefined ? t[word] : `${t[word]}: ${connection.message}`}
              </span>
            ),
          },
          ...(connection.sinceMs === undefined ? [] : [{ name: t.connected, value: t.since(formats.time(new Date(connection.sinceMs))) }]),
          ...(current.gaps === 0 ? [] : [{ name: t.gaps, value: t.gapsNote(formats.count(current.gaps)) }]),
          { name: t.kept, value: t.keptNote(formats.count(current.events.length)) },
        ]}
      />
    </>
  );
}
