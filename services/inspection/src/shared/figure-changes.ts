import { PathScope } from '@sinebar/access-control';
import { pathCondition, sql, type WriteSession } from '@sinebar/database';

/** Builds the statement by which all figures of parts are computed again. @param parts query of one column, the ids */
export function changesOfParts(parts: string): string {
  return `INSERT INTO figure_change (part_id, measured_at, measurement_id) SELECT part.id, NULL, 0 FROM (${parts}) AS part (id)`;
}

/** Builds the statement by which values that were left out or deleted leave the alarms of their parts. @param parts as above */
function alarmChangesOfParts(parts: string): string {
  return `INSERT INTO alarm_change (part_id, measured_at, measurement_id, changed_at) SELECT part.id, NULL, 0, NULL FROM (${parts}) AS part (id)`;
}

/** Has all figures of the parts computed again, and their alarms looked at. */
export async function markParts(session: WriteSession, partIds: readonly number[]): Promise<void> {
  if (partIds.length > 0) await mark(session, 'SELECT unnest($1::int[])', partIds);
}

/** Does the same as {@link markParts}. */
export async function markPartsByUuid(session: WriteSession, uuids: readonly string[]): Promise<void> {
  if (uuids.length > 0) await mark(session, 'SELECT id FROM plan_item WHERE uuid = ANY($1::uuid[])', uuids);
}

/** Does the same as {@link markParts} for the parts of measurements. */
export async function markPartsOfMeasurements(session: WriteSession, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await mark(session, 'SELECT DISTINCT part_id FROM measurement WHERE id = ANY($1::bigint[])', ids);
}

/** @param parts query of one column, the ids of parts, with the keys as its parameter */
async function mark(session: WriteSession, parts: string, keys: readonly unknown[]): Promise<void> {
  await session.query(changesOfParts(parts), [keys]);
  await session.query(alarmChangesOfParts(parts), [keys]);
}

/** Builds the statement by which the characteristics of parts are assessed again. @param parts query of one column, the ids */
export function assessmentsOfParts(parts: string): string {
  return `INSERT INTO assessment_change (part_id) SELECT DISTINCT part.id FROM (${parts}) AS part (id)
    WHERE EXISTS (SELECT FROM characteristic_set WHERE part_id = part.id)`;
}

/** Has characteristics assessed again whose limits may have changed. @param itemIds of parts and characteristics */
export async function assessItems(session: WriteSession, itemIds: readonly number[]): Promise<void> {
  await session.query(
    assessmentsOfParts(`SELECT part_id FROM plan_item WHERE kind = 'characteristic' AND id = ANY($1::int[])`),
    [itemIds],
    { name: 'assess-items' },
  );
}

/** Has everything assessed again that is at or below these paths. @param partIds of further parts */
export async function assessBelow(session: WriteSession, paths: readonly string[], partIds: readonly number[]): Promise<void> {
  await session.query(
    sql`INSERT INTO assessment_change (part_id) SELECT part.id FROM plan_item part
      WHERE part.kind = 'part' AND (part.id = ANY(${partIds}::int[]) OR ${pathCondition(PathScope.of(paths), 'part.path')})
        AND EXISTS (SELECT FROM characteristic_set WHERE part_id = part.id)`,
  );
}

/** Has all characteristics assessed again. */
export async function assessAll(session: WriteSession): Promise<void> {
  await session.query('INSERT INTO assessment_change (part_id) SELECT DISTINCT part_id FROM characteristic_set');
}

/** Deletes what is kept of deleted items. */
export async function deleteAssessments(session: WriteSession, itemIds: readonly number[]): Promise<void> {
  await session.query(
    `WITH assessments AS (DELETE FROM kept_assessment WHERE part_id = ANY($1)),
       models AS (DELETE FROM kept_model WHERE characteristic_id = ANY($1))
     DELETE FROM status_change WHERE characteristic_id = ANY($1)`,
    [itemIds],
    { name: 'assessments-delete' },
  );
}
