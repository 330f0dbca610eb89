import { PathScope } from '@sinebar/access-control';
import { pathCondition, sql, type WriteSession } from '@sinebar/database';
import { markParts } from './figure-changes.ts';

/** Deletes the evaluations of deleted items with their history. */
export async function deleteEvaluations(session: WriteSession, itemIds: readonly number[]): Promise<void> {
  await session.query(
    `WITH evaluations AS (DELETE FROM evaluation WHERE item_id = ANY($1)),
       exclusions AS (DELETE FROM evaluation_exclusion WHERE item_id = ANY($1))
     DELETE FROM evaluation_history WHERE item_id = ANY($1)`,
    [itemIds],
    { name: 'evaluations-delete' },
  );
}

/** Deletes the exclusions of measurements that no longer exist. Their ids are never reused. */
export async function deleteExclusionsOfDeleted(session: WriteSession): Promise<void> {
  await session.query('DELETE FROM evaluation_exclusion x WHERE NOT EXISTS (SELECT FROM measurement WHERE id = x.measurement_id)', [], {
    name: 'exclusions-delete',
  });
}

/** Has the figures of moved parts computed again where measurements are excluded: they are below other levels now. */
export async function markMovedExclusions(session: WriteSession, moved: readonly { path: string; partId: number }[]): Promise<void> {
  const below = pathCondition(PathScope.of(moved.map(({ path }) => path)), 'part.path');
  const partIds = [...new Set(moved.map(({ partId }) => partId))];
  const parts = await session.query<{ id: number }>(
    sql`SELECT DISTINCT part.id
      FROM evaluation_exclusion x JOIN measurement m ON m.id = x.measurement_id JOIN plan_item part ON part.id = m.part_id
      WHERE part.id = ANY(${partIds}::int[]) OR ${below}`,
  );
  await markParts(
    session,
    parts.map(({ id }) => id),
  );
}
