import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { PaneHead } from '../../design/page/pane-head';
import { newestMeasurementsQuery } from '../../server/queries/measurement-queries';
import { partQuery } from '../../server/queries/plan-queries';
import { nameOf } from '../../server/queries/plan-path';
import { useServer } from '../../server/server';
import styles from './start.module.css';
import { texts } from './texts';
import textStyles from '../../design/styles/text.module.css';

/** Changes in the list. */
const MAX_MEASUREMENTS = 8;

/** Shows the measurements of today, newest first; without any, the last ones. */
export function Today() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const query = useQuery(newestMeasurementsQuery(useServer(), MAX_MEASUREMENTS));
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
                {shown.map(({ uuid, partUuid, created, lastModified }) => (
                  <li key={uuid}>
                    <Moment at={lastModified} isToday={isToday(lastModified)} />
                    <p>
                      <Link to="/measurements/$measurementUuid" params={{ measurementUuid: uuid }}>
                        <PartName uuid={partUuid} />
                      </Link>
                      <span className={styles.what}>{created === lastModified ? t.measured : t.changed}</span>
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

function PartName({ uuid }: { uuid: string }) {
  const { data } = useQuery(partQuery(useServer(), uuid));
  return data === undefined ? '\u00A0' : nameOf(data.path);
}
