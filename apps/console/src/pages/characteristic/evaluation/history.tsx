import type { EvaluationHistory, EvaluationState } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../design/controls/button';
import { useFormats, useTexts } from '../../../design/language/language';
import { PaneHead } from '../../../design/page/pane-head';
import { Pane } from '../../../design/states/pane-state';
import { queryKeys } from '../../../server/queries/keys';
import { useServer } from '../../../server/server';
import { changedFields, fieldsOf } from './evaluation-fields';
import { texts } from './texts';
import type { EvaluatedItem } from './use-change-evaluation';
import styles from './evaluation.module.css';
import table from '../../../design/tables/table.module.css';

export interface HistoryProps {
  item: EvaluatedItem;
  nameOf: (field: string) => string;
  textOf: (field: string, text: string) => string;
  /** Absent without the right. */
  onRestore?: ((state: EvaluationState | undefined, revision: number) => void) | undefined;
}

/** What has been changed, by whom, when and why, the newest first; each state can be restored. */
export function History({ item, ...shown }: HistoryProps) {
  const t = useTexts(texts);
  const server = useServer();
  const history = useQuery({
    queryKey: queryKeys.evaluation('history', item),
    queryFn: ({ signal }) => server.analysis.evaluationHistory(item, { signal }),
  });
  return (
    <section>
      <PaneHead name={t.history} isSpaced />
      <Pane query={history}>
        {(revisions) =>
          revisions.length === 0 ? <p className={styles.hint}>{t.noHistory}</p> : <Revisions revisions={revisions} {...shown} />
        }
      </Pane>
    </section>
  );
}

function Revisions({ revisions, nameOf, textOf, onRestore }: Omit<HistoryProps, 'item'> & { revisions: EvaluationHistory }) {
  const t = useTexts(texts);
  const formats = useFormats();
  return (
    <div className={styles.scrolled} tabIndex={0} role="region" aria-label={t.history}>
      <table className={`${table.data} ${styles.rows}`}>
        <thead>
          <tr>
            <th scope="col">{t.revision}</th>
            <th scope="col">{t.who}</th>
            <th scope="col">{t.reason}</th>
            <th scope="col">{t.changes}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {revisions.map(({ revision, time, user, reason, state }, index) => {
            const fields = fieldsOf(state ?? {});
            const number = formats.count(revision);
            return (
              <tr key={revision}>
                <th scope="row">{number}</th>
                <td>
                  {user !== undefined && <bdi>{user}</bdi>} {formats.dateTime(time)}
                </td>
                <td dir="auto">{reason}</td>
                <td>
                  <ul>
                    {changedFields(revisions[index + 1]?.state, state).map((field) => (
                      <li key={field}>
                        {nameOf(field)}: {fields[field] === undefined ? t.removed : textOf(field, fields[field])}
                      </li>
                    ))}
                  </ul>
                </td>
                <td>
                  {index === 0
                    ? t.current
                    : onRestore && (
                        <Button kind="quiet" aria-label={t.restoreOf(number)} onPress={() => onRestore(state, revision)}>
                          {t.restore}
                        </Button>
                      )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
