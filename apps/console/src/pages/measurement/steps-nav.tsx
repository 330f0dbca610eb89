import type { Measurement } from '@sinebar/client';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../design/language/language';
import type { Neighbours } from '../../quality/values/measurement-values';
import styles from './measurement.module.css';
import { texts } from './texts';
import { useTimeText } from './use-time-text';

/** Links to the measurements before and after; the view stays the same. */
export function StepsNav({ neighbours }: { neighbours: Neighbours | undefined }) {
  const t = useTexts(texts);
  const timeText = useTimeText();
  if (neighbours === undefined) return null;
  const time = (measurement: Measurement) => timeText(measurement) ?? '';
  const { before, after } = neighbours;
  return (
    <nav className={styles.steps} aria-label={t.neighbours}>
      {before ? (
        <Link
          to="/measurements/$measurementUuid"
          params={{ measurementUuid: before.uuid }}
          search={true}
          aria-label={t.beforeLabel(time(before))}
        >
          {t.before(time(before))}
        </Link>
      ) : (
        <span>{t.oldest}</span>
      )}
      {after ? (
        <Link
          to="/measurements/$measurementUuid"
          params={{ measurementUuid: after.uuid }}
          search={true}
          aria-label={t.afterLabel(time(after))}
        >
          {t.after(time(after))}
        </Link>
      ) : (
        <span>{t.newest}</span>
      )}
    </nav>
  );
}
