import { Link } from '@tanstack/react-router';
import { useTexts } from '../../design/language/language';
import { PaneHead } from '../../design/page/pane-head';
import { Glyph } from '../../design/status/glyph';
import { inNumberOrder } from './number-order';
import styles from './drawing.module.css';
import { texts } from './texts';
import type { BalloonRow } from './use-balloons';

/** The balloons of a drawing with their characteristics, in the order of their numbers. */
export function BalloonTable({ partUuid, rows }: { partUuid: string; rows: readonly BalloonRow[] }) {
  const t = useTexts(texts);
  const shown = inNumberOrder(rows);
  return (
    <>
      <PaneHead name={t.balloons} />
      {shown.length === 0 ? (
        <p>{t.noBalloons}</p>
      ) : (
        <ul className={styles.rows} aria-label={t.balloons}>
          {shown.map(({ uuid, name, number, now }) => (
            <li key={uuid} className={styles.row}>
              <span className={styles.rowNumber}>{number}</span>
              {now !== undefined && <Glyph name={now} />}
              <Link
                className={styles.rowName}
                to="/parts/$partUuid/characteristics/$characteristicUuid"
                params={{ partUuid, characteristicUuid: uuid }}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
