import { randomUUID } from 'node:crypto';
import type { AlarmKind, AlarmState } from '@sinebar/contracts';
import { judged } from '../analysis/judging/alarm-client.fixture.ts';
import type { RunningInspection } from '../running-inspection.fixture.ts';

const WORK = () => ({ signal: AbortSignal.timeout(30_000), statementTimeoutMs: 30_000 });

interface Inserted {
  partUuid: string;
  characteristicUuid?: string;
  measurementUuid?: string;
  kind?: AlarmKind;
  state?: AlarmState;
  raised?: Date;
}

/** Inserts alarms as the judge does, once it has judged what was written before. @returns their uuids, in the order given */
export async function insertAlarms(inspection: RunningInspection, alarms: readonly Inserted[]): Promise<string[]> {
  const rows = alarms.map(({ kind = 'tolerance', state = 'raised', raised = new Date(), ...of }) => ({
    uuid: randomUUID(),
    kind,
    state,
    raised,
    ...of,
  }));
  await judged(inspection);
  await inspection.database.write(WORK(), async (session) => {
    await session.query(
      `INSERT INTO alarm (uuid, part_id, characteristic_id, kind, rule, chart, state, revision, raised_at, first_at, last_at, point_count,
         last_measurement_id, last_value, detail, owner, reaction, is_muted, is_old)
       SELECT a.uuid, part.id, item.id, a.kind, '', '', a.state, 1, a.raised, m.measured_at, m.measured_at, 1, m.id, 20.2,
         '{"limits":{"lower":19.9,"upper":20.1}}', 'Tool shop', 'Stop.', false, false
       FROM json_to_recordset($1) AS a (uuid uuid, "partUuid" uuid, "characteristicUuid" uuid, "measurementUuid" uuid, kind text, state text,
         raised timestamptz)
       JOIN plan_item part ON part.uuid = a."partUuid" LEFT JOIN plan_item item ON item.uuid = a."characteristicUuid"
       LEFT JOIN measurement m ON m.uuid = a."measurementUuid"`,
      [JSON.stringify(rows)],
    );
    await session.query(
      `INSERT INTO alarm_step (alarm_id, state, at, made_by, note) SELECT id, state, raised_at, '', '' FROM alarm WHERE uuid = ANY($1::uuid[])`,
      [rows.map(({ uuid }) => uuid)],
    );
    await session.query(
      `INSERT INTO alarm_point (characteristic_id, kind, rule, chart, measurement_id, alarm_id)
       SELECT characteristic_id, kind, rule, chart, last_measurement_id, id FROM alarm
       WHERE uuid = ANY($1::uuid[]) AND characteristic_id IS NOT NULL AND last_measurement_id IS NOT NULL ON CONFLICT DO NOTHING`,
      [rows.map(({ uuid }) => uuid)],
    );
  });
  return rows.map(({ uuid }) => uuid);
}

/** Counts the rows of tables. */
export function countRows(inspection: RunningInspection, condition: Readonly<Record<string, string>>): Promise<Record<string, number>> {
  return inspection.database.read(WORK(), async (session) => {
    const counts = await Promise.all(
      Object.entries(condition).map(async ([table, where]) => {
        const [row] = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`);
        return [table, row?.count ?? 0] as const;
      }),
    );
    return Object.fromEntries(counts);
  });
}
