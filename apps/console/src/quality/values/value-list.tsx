import { Link } from '@tanstack/react-router';
import { DeviationBar } from '../../charts/small/small-charts';
import { useFormats } from '../../design/language/language';
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

/** Values of a measurement, each with its bar in the tolerance, in a narrow column. */
export function ValueList({ rows, partUuid, showUnits }: ValueListProps) {
  const formats = useFormats();
  return (
    <table className={styles.values}>
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
              {row.value !== undefined && formats.number(row.value, row.decimals)}
              {showUnits && row.unit !== '' && <span className={styles.unit}>{row.unit}</span>}
            </td>
            <td className={styles.bar}>
              {row.value !== undefined && row.valueStatus !== undefined && (
                <DeviationBar value={row.value} limits={row.limits} status={row.valueStatus} width={88} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
