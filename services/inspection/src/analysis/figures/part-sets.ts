import { sql, type Session } from '@sinebar/database';
import type { PartSet } from './part-figures.ts';

/** Reads the characteristic sets of parts. */
export async function readSets(session: Session, partIds: readonly number[]): Promise<PartSet[]> {
  return session.query<PartSet & Record<string, unknown>>(
    sql`SELECT id, part_id AS "partId", characteristic_ids AS "characteristicIds"
      FROM characteristic_set WHERE part_id = ANY(${partIds}::int[])`,
  );
}
