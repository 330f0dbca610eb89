import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo } from 'react';
import { useTexts } from '../../design/language/language';
import { Pane } from '../../design/states/pane-state';
import { planIndexQuery, type IndexedItem, type PlanIndex } from '../../server/queries/plan-index';
import { useServer } from '../../server/server';
import styles from './plan-tree.module.css';
import { texts } from './texts';

/** The most rows of a filter; more are said as a sentence. */
const MAX_ROWS = 200;

/** Shows the items that the filter of the plan finds, with the path above each. */
export function FilteredPlan({ text }: { text: string }) {
  const query = useQuery(planIndexQuery(useServer()));
  return (
    <div className={styles.rows}>
      <Pane query={query}>{(index) => <Found index={index} text={text} />}</Pane>
    </div>
  );
}

function Found({ index, text }: { index: PlanIndex; text: string }) {
  const t = useTexts(texts);
  const wanted = useDeferredValue(text);
  const found = useMemo(() => index.search(wanted, MAX_ROWS + 1), [index, wanted]);
  if (found.length === 0) return <p className={styles.state}>{t.nothingFound(text.trim())}</p>;
  return (
    <>
      <ul>
        {found.slice(0, MAX_ROWS).map((item) => (
          <li key={item.uuid}>
            <Link {...addressOf(item)} className={styles.found}>
              <span className={styles.name}>{item.name}</span>
              <span className={styles.place}>{item.parentPath}</span>
            </Link>
          </li>
        ))}
      </ul>
      {found.length > MAX_ROWS && <p className={styles.state}>{t.more}</p>}
    </>
  );
}

function addressOf({ kind, uuid, partUuid }: IndexedItem) {
  return kind === 'part'
    ? ({ to: '/parts/$partUuid', params: { partUuid: uuid } } as const)
    : ({ to: '/parts/$partUuid/characteristics/$characteristicUuid', params: { partUuid, characteristicUuid: uuid } } as const);
}
