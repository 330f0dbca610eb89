import type { WriteSession } from '@sinebar/database';

/** Builds the statement by which all figures of parts are computed again. @param parts query of one column, the ids */
export function changesOfParts(parts: string): string {
  return `INSERT INTO figure_change (part_id, measured_at, measurement_id) SELECT part.id, NULL, 0 FROM (${parts}) AS part (id)`;
}

/** Has all figures of the parts computed again. */
export async function markParts(session: WriteSession, partIds: readonly number[]): Promise<void> {
  if (partIds.length > 0) await session.query(changesOfParts('SELECT unnest($1::int[])'), [partIds]);
}

/** Does the same as {@link markParts}. */
export async function markPartsByUuid(session: WriteSession, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await session.query(changesOfParts('SELECT id FROM plan_item WHERE uuid = ANY($1::uuid[])'), [uuids]);
}

/** Has all figures of the parts of measurements computed again. */
export async function markPartsOfMeasurements(session: WriteSession, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await session.query(changesOfParts('SELECT DISTINCT part_id FROM measurement WHERE id = ANY($1::bigint[])'), [ids]);
}
