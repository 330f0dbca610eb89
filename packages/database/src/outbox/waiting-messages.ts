import type { Session, StatementChanges, AffectedPart } from '../database.ts';
import { rawSql, sql } from '../sql.ts';
import { literal } from './outbox.ts';

/** Temporary table for messages made by statements. They move to the outbox at the end of the transaction, after its last row lock. */
const WAITING = 'pg_temp.announced_change';

/** Makes the messages of one statement. @param batch its number within the transaction */
export async function storeWaiting(session: Session, { change, messages }: StatementChanges, batch: number): Promise<AffectedPart[]> {
  await session.query(
    `CREATE TEMPORARY TABLE IF NOT EXISTS announced_change (
       batch int NOT NULL, place bigint NOT NULL, type text NOT NULL, subject text NOT NULL, path text NOT NULL,
       part_uuid uuid NOT NULL, events json NOT NULL, count int NOT NULL
     ) ON COMMIT DELETE ROWS`,
  );
  const rows = await session.query<{ part_uuid: string; path: string; count: string }>(
    sql`WITH changed AS (${change}), kept AS (
       INSERT INTO ${rawSql(WAITING)} (batch, place, type, subject, path, part_uuid, events, count)
       SELECT ${batch}::int, place, type, subject, path, part_uuid, events, count FROM (${messages}) AS message
       RETURNING part_uuid, path, count
     ) SELECT part_uuid::text AS part_uuid, path, sum(count)::text AS count FROM kept GROUP BY part_uuid, path`,
  );
  return rows.map(({ part_uuid: partUuid, path, count }) => ({ partUuid, path, count: Number(count) }));
}

/** Builds the statement that moves the messages of a batch to the outbox, without parameters, see `outboxInsert`. */
export function waitingInsert(batch: number, source: string, time: Date, traceparent?: string): string {
  const trace = traceparent === undefined ? '' : `'traceparent', ${literal(traceparent)}, `;
  return `INSERT INTO outbox (event_id, envelope)
          SELECT event_id, json_build_object(
            'specversion', '1.0', 'id', event_id, 'source', ${literal(source)}, 'type', type, 'time', ${literal(time.toISOString())},
            'subject', subject, 'datacontenttype', 'application/json', 'sinebarpath', path, 'sinebarpart', part_uuid,
            ${trace}'data', json_build_object('events', events))::text
          FROM (SELECT gen_random_uuid() AS event_id, * FROM ${WAITING} WHERE batch = ${batch} ORDER BY place) AS message;`;
}
