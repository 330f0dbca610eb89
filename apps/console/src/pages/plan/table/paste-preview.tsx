import { useFormats, useTexts } from '../../../design/language/language';
import tableStyles from '../../../design/tables/table.module.css';
import type { Configuration } from '../../../quality/attributes/configuration';
import { NAME } from '../plan-item';
import type { PastedProblem, PastedRow } from './pasted-rows';
import styles from './table.module.css';
import { texts } from './texts';

/** Most rows of a preview; those with a problem come first. */
const MAX_ROWS = 100;

/** What each pasted row would do, in words. */
export function PastePreview({ rows, configuration }: { rows: readonly PastedRow[]; configuration: Configuration }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const wrong = rows.filter(({ problem }) => problem !== undefined);
  const right = rows.filter(({ problem }) => problem === undefined);
  const created = right.filter(({ uuid }) => uuid === undefined).length;
  const same = right.filter(({ changes }) => changes.length === 0).length;
  const shown = [...wrong, ...right].slice(0, MAX_ROWS);
  const nameOfField = (field: string) => configuration.byKey.get(Number(field))?.description ?? field;
  const sentence = (problem: PastedProblem) => {
    switch (problem.kind) {
      case 'noName':
        return t.problemNoName;
      case 'twice':
        return t.problemTwice(problem.name, problem.rows.map(count).join(', '));
      case 'number':
        return t.problemNumber(problem.text, t[`meaning_${problem.meaning}`]);
      case 'noNominal':
        return t.problemNoNominal(problem.text);
      case 'crossed':
        return t.crossed;
    }
  };
  const happens = ({ uuid, changes }: PastedRow) => {
    if (changes.length === 0) return t.isSame;
    if (uuid !== undefined) {
      return t.isChanged(
        changes.map(({ field, was, text }) => t.replaced(nameOfField(field), was === '' ? t.empty : was, text)).join(', '),
      );
    }
    const assigned = changes.filter(({ field }) => field !== NAME);
    return t.isNew(assigned.map(({ field, text }) => t.assigned(nameOfField(field), text)).join(', '));
  };
  return (
    <>
      <p role="status">
        {t.summary(count(created), count(right.length - created - same), count(same))}{' '}
        {wrong.length > 0 && <strong className={styles.wrong}>{t.leftOut(count(wrong.length))}</strong>}
      </p>
      <div className={styles.preview}>
        <table className={`${tableStyles.data} ${tableStyles.sentences}`} aria-label={t.pasteTitle}>
          <thead>
            <tr>
              <th scope="col" className={tableStyles.number}>
                {t.row}
              </th>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.happens}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.row}>
                <td className={tableStyles.number}>{count(row.row)}</td>
                <th scope="row">{row.name}</th>
                <td className={row.problem === undefined ? undefined : styles.wrong}>
                  {row.problem === undefined ? happens(row) : sentence(row.problem)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown.length && <p>{t.moreRows(count(rows.length - shown.length))}</p>}
    </>
  );
}
