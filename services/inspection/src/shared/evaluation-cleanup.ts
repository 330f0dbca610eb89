import type { WriteSession } from '@sinebar/database';

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
