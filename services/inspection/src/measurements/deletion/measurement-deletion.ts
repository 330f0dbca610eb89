import type { PathScope } from '@sinebar/access-control';
import { columnsOf, rawSql, sql, type Sql, type WriteSession } from '@sinebar/database';
import { deleteExclusionsOfDeleted } from '../../shared/evaluation-cleanup.ts';
import { deleteNotesOfDeleted } from '../../shared/note-cleanup.ts';
import { markParts, markPartsByUuid } from '../../shared/figure-changes.ts';
import { mayNotDeleteMeasurements, type PartForDeletion } from '../../plan/measurement-cascade.ts';

/** Measurements of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const MAX_EVENTS_PER_MESSAGE = 1000;

/**
 * Deletes every measurement and characteristic set of these parts, and announces the deletions in the order of the parts.
 * The caller holds the plan lock and announces the changes of the parts afterwards.
 * spec: inspection-service.md, Parts DELETE, clear; decisions.md 7.3
 */
export async function deleteMeasurementsOfParts(session: WriteSession, parts: readonly PartForDeletion[]): Promise<void> {
  const [ids, uuids, paths] = columnsOf(parts, 'id', 'uuid', 'path');
  const affected = await session.announceFrom({
    change: sql`DELETE FROM measurement WHERE part_id = ANY(${ids}::int[]) RETURNING part_id, uuid`,
    messages: deletionMessages(
      sql`unnest(${ids}::int[], ${uuids}::uuid[], ${paths}::text[]) WITH ORDINALITY AS part (id, uuid, path, position)`,
      'part.position',
    ),
  });
  await session.query('DELETE FROM characteristic_set WHERE part_id = ANY($1::int[])', [ids]);
  const measured = new Set(affected.map(({ partUuid }) => partUuid));
  await markParts(
    session,
    parts.flatMap(({ id, uuid }) => (measured.has(uuid) ? [id] : [])),
  );
  if (affected.length > 0) await recordDeletion(session);
}

/**
 * Deletes the measurements whose ids a statement yields as its column `id`, all or none, and announces each deletion.
 * The caller holds the shared plan lock.
 * @returns the count of deleted measurements
 * @throws ServiceError 403 when one of them lies in a part where the caller may not write
 */
export async function deleteSelected(session: WriteSession, selected: Sql, writable: PathScope): Promise<number> {
  const affected = await session.announceFrom({
    change: sql`DELETE FROM measurement USING (${selected}) AS chosen WHERE measurement.id = chosen.id
      RETURNING measurement.part_id, measurement.uuid`,
    messages: deletionMessages(sql`plan_item AS part`, 'part.path'),
  });
  const refused = affected.find(({ path }) => !writable.includes(path));
  if (refused) throw mayNotDeleteMeasurements();
  await markPartsByUuid(
    session,
    affected.map(({ partUuid }) => partUuid),
  );
  if (affected.length > 0) await recordDeletion(session);
  return affected.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Builds the query that makes the messages about the deleted measurements in `changed`.
 * @param parts FROM item named `part` with the columns `id`, `uuid` and `path`
 * @param sortKey expression by which the messages of the parts are ordered
 */
function deletionMessages(parts: Sql, sortKey: string): Sql {
  const payload = sql`'{"CharacteristicUuid":"' || part.uuid || '","PartUuid":"' || part.uuid
    || '","MeasurementUuid":"' || deleted.uuid || '"}'`;
  return sql`
    SELECT row_number() OVER (ORDER BY ${rawSql(sortKey)}, deleted.message) AS place, 'MeasurementDeleted' AS type,
      CASE count(*) WHEN 1 THEN min(deleted.uuid::text) ELSE part.uuid::text END AS subject, part.path, part.uuid AS part_uuid,
      ('[' || string_agg(${payload}, ',') || ']')::json AS events, count(*) AS count
    FROM (SELECT part_id, uuid, (row_number() OVER (PARTITION BY part_id) - 1) / ${rawSql(`${MAX_EVENTS_PER_MESSAGE}`)} AS message
      FROM changed) AS deleted
      JOIN ${parts} ON part.id = deleted.part_id
    GROUP BY ${rawSql(sortKey)}, part.uuid, part.path, deleted.message`;
}

/**
 * Deletes what refers to deleted measurements, and records the time of the deletion, because deleted rows keep none.
 * Runs last in a transaction: concurrent deletions wait for the row with the time.
 */
async function recordDeletion(session: WriteSession): Promise<void> {
  await deleteExclusionsOfDeleted(session);
  await deleteNotesOfDeleted(session);
  await session.query('UPDATE server_state SET measurement_at = greatest(measurement_at, statement_timestamp())');
}

const MEASURED = 'SELECT id FROM unnest($1::int[]) AS part (id) WHERE EXISTS (SELECT FROM measurement WHERE part_id = part.id)';

/** Finds one of the parts that has measurements; `undefined` when none has. */
export async function measuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number | undefined> {
  const [row] = await session.query<{ id: number }>(`${MEASURED} LIMIT 1`, [partIds]);
  return row?.id;
}

/** Finds all of the parts that have measurements. */
export async function allMeasuredAmong(session: WriteSession, partIds: readonly number[]): Promise<number[]> {
  return (await session.query<{ id: number }>(MEASURED, [partIds])).map(({ id }) => id);
}
