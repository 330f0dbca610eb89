import type { Measurement } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { PaneHead } from '../../design/page/pane-head';
import { Glyph } from '../../design/status/glyph';
import { countsOf, worstOf } from '../../quality/values/value-statuses';
import { newestOfPartsQuery } from '../../server/queries/measurement-queries';
import { partQuery } from '../../server/queries/plan-queries';
import { nameOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import styles from './start.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Parts in the list. */
const MAX_PARTS = 8;

/** Shows the parts that were measured today, newest first, each with its last measurement; without any, those measured last. */
export function Today() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const query = useQuery(newestOfPartsQuery(useServer(), MAX_PARTS));
  // oxlint-disable-next-line react/purity -- each drawing compares with the day on which it is drawn
  const today = new Date().toDateString();
  const isToday = (at: string) => new Date(at).toDateString() === today;
  return (
    <section aria-labelledby="today">
      <Pane query={query}>
        {(measurements) => {
          const ofToday = measurements.filter(({ lastModified }) => isToday(lastModified));
          const shown = ofToday.length > 0 ? ofToday : measurements;
          return (
            <>
              <PaneHead id="today" name={ofToday.length > 0 ? t.today : t.lately} note={shown.length > 0 && count(shown.length)} />
              <ul className={styles.events}>
                {shown.map((measurement) => (
                  <li key={measurement.uuid}>
                    <Moment at={measurement.lastModified} isToday={isToday(measurement.lastModified)} />
                    <p>
                      <Link to="/measurements/$measurementUuid" params={{ measurementUuid: measurement.uuid }}>
                        <Glyph name={worstOf(countsOf(measurement))} label="" /> <PartName uuid={measurement.partUuid} />
                      </Link>
                      <Statuses of={measurement} />
                    </p>
                  </li>
                ))}
              </ul>
              {shown.length === 0 && <p className={styles.what}>{t.nothingToday}</p>}
            </>
          );
        }}
      </Pane>
      <Link to="/live" className={styles.all}>
        {t.allEvents}
      </Link>
    </section>
  );
}

function Moment({ at, isToday }: { at: string; isToday: boolean }) {
  const { time, day } = useFormats();
  return (
    <time className={textStyles.note} dateTime={at}>
      {isToday ? time(at) : day(at)}
    </time>
  );
}

/** What the values of a measurement are worth, in words. */
function Statuses({ of: measurement }: { of: Measurement }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { values, out, warning, noLimits } = countsOf(measurement);
  const found = [out > 0 && t.valuesOut(count(out)), warning > 0 && t.valuesWarned(count(warning))].filter((each) => each !== false);
  const judged = values - noLimits;
  return (
    <span className={styles.what}>
      {found.length > 0
        ? t.ofValues(found.join(', '), count(values))
        : judged > 0
          ? t.valuesIn(count(judged))
          : t.valuesUnlimited(count(values))}
      {measurement.created !== measurement.lastModified && `, ${t.changed}`}
    </span>
  );
}

function PartName({ uuid }: { uuid: string }) {
  const { data } = useQuery(partQuery(useServer(), uuid));
  return data === undefined ? '\u00A0' : nameOf(data.path);
}
