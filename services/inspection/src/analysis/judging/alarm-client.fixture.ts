import { advisoryKey } from '@sinebar/database';
import { eventually } from '@sinebar/testing';
import { sql } from '../../plan/plan-client.fixture.ts';
import type { RunningInspection } from '../../running-inspection.fixture.ts';

/** Longest run of the tests of a file. */
const HELD_MS = 3_600_000;

/** An alarm as it is stored, with the names of its measurements left out. */
export interface StoredAlarm {
  id: string;
  characteristic: string | null;
  kind: string;
  rule: string;
  chart: string;
  state: string;
  revision: number;
  points: number;
  value: number | null;
  detail: { limits?: Record<string, number>; before?: string; after?: string };
  owner: string;
  reaction: string;
  muted: boolean;
  old: boolean;
}

/** Waits until everything is judged. */
export async function judged(inspection: RunningInspection, timeoutMs = 60_000): Promise<void> {
  await eventually(async () => (await sql(inspection, 'SELECT FROM alarm_change LIMIT 1')).length === 0, {
    describe: 'all values are judged',
    timeoutMs,
  });
}

/** Waits until figures and models are kept, too. */
export async function assessed(inspection: RunningInspection): Promise<void> {
  const waiting =
    'SELECT part_id FROM figure_change UNION ALL SELECT part_id FROM assessment_change UNION ALL SELECT part_id FROM alarm_change';
  await eventually(async () => (await sql(inspection, waiting)).length === 0, { describe: 'everything is assessed', timeoutMs: 60_000 });
}

/** Reads the alarms of a part in the order in which they were raised. */
export function alarmsOf(inspection: RunningInspection, partUuid: string): Promise<StoredAlarm[]> {
  return sql(
    inspection,
    `SELECT a.id::text AS id, item.uuid AS characteristic, a.kind, a.rule, a.chart, a.state, a.revision, a.point_count AS points,
       a.last_value AS value, a.detail, a.owner, a.reaction, a.is_muted AS muted, a.is_old AS old
     FROM alarm a JOIN plan_item part ON part.id = a.part_id LEFT JOIN plan_item item ON item.id = a.characteristic_id
     WHERE part.uuid = '${partUuid}' ORDER BY a.id`,
  );
}

/**
 * Keeps what is to be told until the service stops: the job that tells and deletes it waits for a lock.
 * No trigger records it, since Citus has none on its tables.
 */
export async function recordNotices(inspection: RunningInspection): Promise<void> {
  const { database, stop } = inspection;
  const ended = new AbortController();
  const isHeld = Promise.withResolvers<void>();
  const holding = database.write({ signal: ended.signal, statementTimeoutMs: HELD_MS }, async (session) => {
    await session.query(`SELECT pg_advisory_xact_lock(${advisoryKey('alarmNotices')})`);
    isHeld.resolve();
    // The transaction must not be idle, which the server ends.
    await session.query('SELECT pg_sleep($1)', [HELD_MS / 1000]);
  });
  const released = holding.catch((error: unknown) => isHeld.reject(error));
  await isHeld.promise;
  inspection.stop = async () => {
    ended.abort();
    await released;
    await stop();
  };
}

/** Lists what was to be told of the alarms of a part, by state. */
export async function noticesOf(inspection: RunningInspection, partUuid: string): Promise<string[]> {
  const rows = await sql<{ state: string }>(
    inspection,
    `SELECT n.state FROM alarm_notice n JOIN alarm a ON a.id = n.alarm_id JOIN plan_item part ON part.id = a.part_id
     WHERE part.uuid = '${partUuid}' ORDER BY n.id`,
  );
  return rows.map(({ state }) => state);
}
