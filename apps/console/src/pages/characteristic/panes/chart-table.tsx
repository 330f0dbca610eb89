import { type ShownSeries, texts as chartTexts } from '@sinebar/charts';
import { ChoiceForm } from '../../../design/controls/choice-form';
import { useFormats, useTexts } from '../../../design/language/language';
import type { CsvRow } from '../../../design/export/csv';
import { Rounded } from '../../../design/table/rounded';
import { texts } from '../texts';
import styles from '../characteristic.module.css';

/** Most rows of the table; the file has all. */
const MAX_ROWS = 500;

/** The entries of a chart as a table, for those who do not see it; it is made when it is opened. */
export function ChartTable({ shown, decimals: measured }: { shown: ShownSeries; decimals: number }) {
  const formats = useFormats();
  const t = useTexts(texts);
  const words = useTexts(chartTexts);
  const decimals = shown.decimals ?? measured;
  const isSingle = shown.entries.every(({ count }) => count === 1);
  return (
    <ChoiceForm value={t.tableShort}>
      {() => (
        <div className={styles.tableScroll} tabIndex={0} role="region" aria-label={t.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {isSingle ? (
                  <th scope="col">{t.value}</th>
                ) : (
                  [t.count, t.smallest, t.mean, t.largest].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))
                )}
                {isSingle && <th scope="col">{t.status}</th>}
              </tr>
            </thead>
            <tbody>
              {shown.entries.slice(-MAX_ROWS).map(({ position, from, count, minimum, mean, maximum, status }) => (
                <tr key={position}>
                  <th scope="row">{from === undefined ? '' : formats.dateTime(from)}</th>
                  {isSingle ? (
                    <td>
                      <Rounded value={mean}>{formats.number(mean, decimals)}</Rounded>
                    </td>
                  ) : (
                    <>
                      <td>{formats.count(count)}</td>
                      <td>
                        <Rounded value={minimum}>{formats.number(minimum, decimals)}</Rounded>
                      </td>
                      <td>
                        <Rounded value={mean}>{formats.number(mean, decimals + 1)}</Rounded>
                      </td>
                      <td>
                        <Rounded value={maximum}>{formats.number(maximum, decimals)}</Rounded>
                      </td>
                    </>
                  )}
                  {isSingle && <td>{status === undefined ? '' : words[status]}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ChoiceForm>
  );
}

/** Head and rows of a file with the entries of a chart, in the form that programs read. */
export function csvRowsOf({ entries }: ShownSeries): { head: string[]; rows: CsvRow[] } {
  if (entries.every(({ count }) => count === 1)) {
    return {
      head: ['time', 'value', 'status', 'measurementUuid'],
      rows: entries.map(({ from, mean, status, measurementUuids }) => [from, mean, status, measurementUuids[0]]),
    };
  }
  return {
    head: ['from', 'to', 'count', 'minimum', 'mean', 'maximum'],
    rows: entries.map(({ from, to, count, minimum, mean, maximum }) => [from, to, count, minimum, mean, maximum]),
  };
}
