import { Link } from '@tanstack/react-router';
import { DeviationBar } from '../../charts/small/small-charts';
import { useFormats } from '../../design/language/language';
import { figureWidth } from '../../design/table/fitting-columns';
import { Glyph } from '../../design/status/glyph';
import { glyphOf } from './limits';
import type { MeasuredRow } from './measured-rows';
import styles from './value-list.module.css';

export interface ValueListProps {
  rows: readonly MeasuredRow[];
  partUuid: string;
  /** Whether each value has its unit, since rows have different ones. */
  showUnits: boolean;
}

/** Widths in px: of the bar, of the narrowest column of figures, of a letter of a unit, and of the space before it. */
const BAR_WIDTH = 64;
const MIN_FIGURE = 56;
const UNIT_CHARACTER = 8;
const UNIT_GAP = 4;

/** Values of a measurement, each with its bar in the tolerance, in a narrow column. */
export function ValueList({ rows, partUuid, showUnits }: ValueListProps) {
  const formats = useFormats();
  const figureOf = ({ value, decimals }: MeasuredRow) => (value === undefined ? '' : formats.number(value, decimals));
  const units = showUnits ? Math.max(0, ...rows.map(({ unit }) => unit.length)) * UNIT_CHARACTER + UNIT_GAP : 0;
  return (
    <table className={styles.values}>
      <colgroup>
        <col className={styles.glyph} />
        <col />
        <col style={{ width: figureWidth(rows.map(figureOf), MIN_FIGURE) + units }} />
        <col className={styles.bar} />
      </colgroup>
      <tbody>
        {rows.map((row) => (
          <tr key={row.uuid}>
            <td className={styles.glyph}>
              <Glyph name={glyphOf(row.valueStatus, row.limits)} />
            </td>
            <th scope="row">
              <Link
                to="/parts/$partUuid/characteristics/$characteristicUuid"
                params={{ partUuid, characteristicUuid: row.uuid }}
                title={row.name}
              >
                {row.name}
              </Link>
            </th>
            <td className={`${styles.value} ${styles[row.status] ?? ''}`}>
              {figureOf(row)}
              {showUnits && row.unit !== '' && <span className={styles.unit}>{row.unit}</span>}
            </td>
            <td className={styles.bar}>
              {row.value !== undefined && row.valueStatus !== undefined && (
                <DeviationBar value={row.value} limits={row.limits} status={row.valueStatus} width={BAR_WIDTH} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
