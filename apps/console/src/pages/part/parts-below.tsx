import { useQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../design/language/language';
import { PartsTable } from '../../quality/parts/parts-table';
import { childrenQuery } from '../../server/queries/overview-queries';
import { useServer } from '../../server/server';
import styles from './part.module.css';
import { texts } from './texts';

/** Rows at first: the characteristics below them stay in view. */
const MAX_ROWS = 5;

/** The parts directly below a part, worst first, each with everything below it; nothing where there are none. */
export function PartsBelow({ partUuid, depth }: { partUuid: string; depth: number }) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const { data = [] } = useQuery(childrenQuery(useServer(), partUuid));
  const parts = data.filter(({ kind }) => kind === 'part');
  if (parts.length === 0) return null;
  return (
    <div className={styles.below}>
      <PartsTable
        title={t.partsBelow}
        note={(shown, all) => (shown < all ? t.partsBelowSome(count(shown), count(all)) : t.partsBelowAll(count(all)))}
        parts={parts}
        maxRows={MAX_ROWS}
        depth={depth}
        hasProcess
        canShowAll
      />
    </div>
  );
}
