import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QuietButton } from '../../../design/controls/buttons';
import { Hidden } from '../../../design/controls/text-field';
import { useFormats, useTexts } from '../../../design/language/language';
import { TableFoot } from '../../../design/layout/lines';
import { PaneHead } from '../../../design/page/pane-head';
import { Pane } from '../../../design/states/pane-state';
import table from '../../../design/tables/table.module.css';
import type { Fields } from '../../../quality/editing/draft';
import { queryKeys } from '../../../server/queries/keys';
import { useServer } from '../../../server/server';
import { itemsOf, type PlanItem } from '../plan-item';
import styles from '../plan.module.css';
import type { PlanKind } from '../search';
import { texts } from './texts';
import { versionsOf, type ItemVersion } from './versions';

export interface HistoryPaneProps {
  kind: PlanKind;
  uuid: string;
  nameOf: (field: string) => string;
  textOf: (field: string, text: string) => string;
  /** Writes an earlier state into the form; absent where the reader may not. */
  onRestore?: ((fields: Fields) => void) | undefined;
}

/** The versions of an item: when, who, why, and what changed. */
export function HistoryPane({ kind, uuid, nameOf, textOf, onRestore }: HistoryPaneProps) {
  const t = useTexts(texts);
  const formats = useFormats();
  const server = useServer();
  const [isShown, setShown] = useState(false);
  const query = useQuery({
    queryKey: queryKeys.plan('history', kind, uuid),
    queryFn: async ({ signal }): Promise<ItemVersion[]> => {
      const items: { get: (uuid: string, options: object) => Promise<PlanItem & { history?: PlanItem[] }> } = itemsOf(server, kind);
      return versionsOf(await items.get(uuid, { withHistory: true, signal }));
    },
    enabled: isShown,
  });
  const written = (field: string, text: string) => (text === '' ? t.empty : textOf(field, text));
  const lines = ({ changes, movedFrom, isCurrent }: ItemVersion, isOldest: boolean) => [
    ...(movedFrom === undefined ? [] : [t.movedFrom(movedFrom)]),
    ...changes.map(({ field, was, text }) => t.replaced(nameOf(field), written(field, was), written(field, text))),
    ...(isOldest ? [t.first] : changes.length === 0 && movedFrom === undefined ? [t.nothing] : []),
    ...(isCurrent ? [t.now] : []),
  ];
  return (
    <section className={styles.children}>
      <PaneHead name={t.history} note={query.data && t.versions(formats.count(query.data.length))} />
      {!isShown && <QuietButton onPress={() => setShown(true)}>{t.show}</QuietButton>}
      {isShown && (
        <Pane query={query}>
          {(versions) => (
            <>
              <div className={table.scrolled}>
                <table className={`${table.data} ${table.sentences}`} aria-label={t.history}>
                  <thead>
                    <tr>
                      {[t.when, t.who, t.why, t.what].map((head) => (
                        <th key={head} scope="col">
                          {head}
                        </th>
                      ))}
                      {onRestore && (
                        <th scope="col">
                          <Hidden>{t.actions}</Hidden>
                        </th>
                      )}
                    </tr>
                  </thead>
                  <tbody>
                    {versions.map((version, index) => (
                      <tr key={version.version}>
                        <td>{formats.dateTime(version.time)}</td>
                        <td>{version.user}</td>
                        <td className={styles.wrapped}>{version.reason}</td>
                        <td className={styles.wrapped}>
                          {lines(version, index === versions.length - 1).map((line) => (
                            <div key={line}>{line}</div>
                          ))}
                        </td>
                        {onRestore && (
                          <td className={table.actions}>
                            {!version.isCurrent && (
                              <QuietButton
                                aria-label={t.restoreOf(formats.dateTime(version.time))}
                                onPress={() => onRestore(version.fields)}
                              >
                                {t.restore}
                              </QuietButton>
                            )}
                          </td>
                        )}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {onRestore && <TableFoot>{t.note}</TableFoot>}
            </>
          )}
        </Pane>
      )}
    </section>
  );
}
