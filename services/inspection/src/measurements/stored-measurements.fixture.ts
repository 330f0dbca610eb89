import { randomUUID } from 'node:crypto';
import type { RunningInspection } from '../running-inspection.fixture.ts';
import { sql } from '../plan/plan-client.fixture.ts';

export interface StoredForTests {
  uuid?: string;
  part: string;
  attributes?: Record<string, string>;
  values?: Record<string, number | null>;
  /** Further value attributes by characteristic. */
  extras?: Record<string, Record<string, string>>;
}

/** Inserts measurements with one set of all characteristics of the part. @returns their uuids */
export async function storeMeasurements(inspection: RunningInspection, ...measurements: StoredForTests[]): Promise<string[]> {
  const uuids: string[] = [];
  for (const { uuid = randomUUID(), part, attributes = {}, values, extras = {} } of measurements) {
    const ids = new Map(
      (
        await sql<{ id: number; uuid: string }>(
          inspection,
          `SELECT id, uuid FROM plan_item WHERE kind = 'characteristic' AND part_id = (SELECT id FROM plan_item WHERE uuid = $1) ORDER BY id`,
          [part],
        )
      ).map((row) => [row.uuid, row.id]),
    );
    const set = values && (await characteristicSet(inspection, part, [...ids.values()]));
    await sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, characteristic_set_id, aggregation, attributes, "values", extras)
       SELECT $1, id, ($3::jsonb ->> '4')::timestamptz, now(), now(), $4, $3::jsonb ? '99', $3, $5, $6 FROM plan_item WHERE uuid = $2`,
      [
        uuid,
        part,
        JSON.stringify(attributes),
        set ?? null,
        values ? [...ids.keys()].map((characteristic) => values[characteristic] ?? null) : null,
        Object.keys(extras).length === 0
          ? null
          : JSON.stringify(Object.fromEntries(Object.entries(extras).map(([characteristic, of]) => [ids.get(characteristic), of]))),
      ],
    );
    uuids.push(uuid);
  }
  return uuids;
}

async function characteristicSet(inspection: RunningInspection, part: string, ids: readonly number[]): Promise<number> {
  await sql(
    inspection,
    `INSERT INTO characteristic_set (part_id, characteristic_ids, hash)
     SELECT id, $2::int[], sha256(convert_to(array_to_string($2::int[], ','), 'UTF8')) FROM plan_item WHERE uuid = $1 ON CONFLICT DO NOTHING`,
    [part, ids],
  );
  const [row] = await sql<{ id: number }>(
    inspection,
    'SELECT id FROM characteristic_set WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1) AND characteristic_ids = $2::int[]',
    [part, ids],
  );
  return (row as { id: number }).id;
}

/** Finds which of the measurements are stored. @returns their uuids */
export async function storedAmong(inspection: RunningInspection, uuids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ uuid: string }>(inspection, 'SELECT uuid FROM measurement WHERE uuid = ANY($1::uuid[])', [uuids]);
  const stored = new Set(rows.map(({ uuid }) => uuid));
  return uuids.filter((uuid) => stored.has(uuid));
}

/** Uuids of measurements whose deletion was announced, in order. */
export async function announcedDeletions(inspection: RunningInspection): Promise<unknown[]> {
  return (await inspection.announced()).filter(({ type }) => type === 'MeasurementDeleted').map(({ MeasurementUuid }) => MeasurementUuid);
}
