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
  // The LIMITs make PostgreSQL look characteristic by characteristic and set by set, until the first value.
  const rows = await session.query<{ id: number }>(
    `SELECT item.id FROM unnest($2::int[]) AS item (id) CROSS JOIN LATERAL (
       SELECT FROM characteristic_set s CROSS JOIN LATERAL (
         SELECT FROM measurement m WHERE m.characteristic_set_id = s.id AND (
           m."values"[(SELECT array_position(s.characteristic_ids, item.id))] IS NOT NULL OR m.extras ? item.id::text) LIMIT 1) AS measured
       WHERE s.part_id = ANY($1::int[]) AND s.characteristic_ids @> ARRAY[item.id] LIMIT 1) AS found`,
    [partIds, characteristicIds],
  );
  return new Set(rows.map(({ id }) => id));
}
