import type { Session, WriteSession } from '@sinebar/database';

/**
 * Marks the sets of deleted characteristics, so that the compaction job removes their values. The caller holds the plan lock.
 * @param partIds the parts that own the characteristics
 */
export async function markValuesStale(
  session: WriteSession,
  partIds: readonly number[],
  characteristicIds: readonly number[],
): Promise<void> {
  await session.query(
    'UPDATE characteristic_set SET stale = true WHERE part_id = ANY($1::int[]) AND characteristic_ids && $2::int[] AND NOT stale',
    [partIds, characteristicIds],
  );
}

/** Finds the characteristics that have a value in any measurement. @param partIds the parts that own them */
export async function characteristicsWithValues(
  session: Session,
  partIds: readonly number[],
  characteristicIds: readonly number[],
): Promise<Set<number>> {
  const places = await session.query<{ id: number; set: number; position: number }>(
    `SELECT DISTINCT item.id, characteristic_set.id AS set, item.position::int AS position
     FROM characteristic_set CROSS JOIN LATERAL unnest(characteristic_ids) WITH ORDINALITY AS item (id, position)
     WHERE part_id = ANY($1::int[]) AND characteristic_ids && $2::int[] AND item.id = ANY($2::int[])`,
    [partIds, characteristicIds],
  );
  const found = new Set<number>();
  for (const { id, set, position } of places) {
    if (found.has(id)) continue;
    const [value] = await session.query(
      `SELECT FROM measurement WHERE characteristic_set_id = $1 AND ("values"[$2] IS NOT NULL OR extras ? $3) LIMIT 1`,
      [set, position, String(id)],
    );
    if (value) found.add(id);
  }
  return found;
}
