import { createHash } from 'node:crypto';
import { parseDateTime, toPostgresTimestamp } from '@sinebar/query-language';
import type { RunningInspection } from '../../running-inspection.fixture.ts';
import { sql } from '../../plan/plan-client.fixture.ts';
import { CANONICAL, encodeExactText, IN_EXTRAS } from '../codec/exact-text.ts';

export interface TestMeasurement {
  uuid: string;
  part: string;
  attributes: Record<string, string>;
  /** Values by uuid of the characteristic and attribute key. */
  characteristics: Record<string, Record<string, string>>;
  lastModified: string;
  created: string;
  comment?: string;
  /** Whether its set has only the measured characteristics instead of all of the part. */
  ownSet?: boolean;
}

/** Inserts measurements into the tables in the order given. */
export async function insertMeasurements(inspection: RunningInspection, measurements: readonly TestMeasurement[]): Promise<void> {
  const items = await sql<{ id: number; uuid: string; part_id: number }>(inspection, 'SELECT id, uuid, part_id FROM plan_item ORDER BY id');
  const idOf = new Map(items.map(({ id, uuid }) => [uuid, id]));
  const sets = new Map<string, number>();
  const setOf = async (partId: number, ids: readonly number[]): Promise<number> => {
    const key = `${partId}:${ids.join()}`;
    const known = sets.get(key);
    if (known !== undefined) return known;
    const [row] = await sql<{ id: number }>(
      inspection,
      `INSERT INTO characteristic_set (part_id, characteristic_ids, hash) VALUES ($1, $2, $3) ON CONFLICT (part_id, hash) DO UPDATE SET hash = excluded.hash RETURNING id`,
      [partId, ids, createHash('sha256').update(ids.join()).digest()],
    );
    const id = row?.id ?? 0;
    sets.set(key, id);
    return id;
  };
  const rows = [];
  for (const { uuid, part, attributes, characteristics, lastModified, created, comment, ownSet } of measurements) {
    const partId = idOf.get(part) ?? 0;
    const measured = new Map(Object.entries(characteristics).map(([characteristic, values]) => [idOf.get(characteristic) ?? 0, values]));
    const ids = ownSet
      ? [...measured.keys()].sort((a, b) => a - b)
      : items.filter((item) => item.part_id === partId && item.id !== partId).map(({ id }) => id);
    const time = attributes['4'] === undefined ? undefined : parseDateTime(attributes['4']);
    rows.push([
      uuid,
      partId,
      time ? toPostgresTimestamp(time) : null,
      lastModified,
      created,
      measured.size === 0 ? null : await setOf(partId, ids),
      '99' in attributes,
      JSON.stringify(attributes),
      comment ?? null,
      ...(measured.size === 0 ? [null, null, null] : valueColumns(ids, measured)),
    ]);
  }
  const ROWS_PER_STATEMENT = 200;
  const WIDTH = 12;
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT);
    const tuples = some.map((_, row) => `(${Array.from({ length: WIDTH }, (_unused, i) => `$${row * WIDTH + i + 1}`).join(', ')})`);
    await sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, characteristic_set_id, aggregation, attributes, comment, "values", digits, extras)
       VALUES ${tuples.join(', ')}`,
      some.flat(),
    );
  }
}

function valueColumns(
  ids: readonly number[],
  measured: ReadonlyMap<number, Record<string, string>>,
): [string, Buffer | null, string | null] {
  const digits = Buffer.alloc(ids.length, CANONICAL);
  const extras: Record<string, Record<string, string>> = {};
  const elements = ids.map((id, i) => {
    const { 1: text, ...others } = measured.get(id) ?? {};
    const exact = text === undefined ? undefined : encodeExactText(text);
    if (exact) digits[i] = exact.digits;
    const inExtras = { ...(exact?.digits === IN_EXTRAS && text !== undefined && { 1: text }), ...others };
    if (Object.keys(inExtras).length > 0 || (measured.has(id) && !exact)) extras[id] = inExtras;
    return exact ? (Object.is(exact.value, -0) ? '-0' : String(exact.value)) : 'NULL';
  });
  return [
    `{${elements.join()}}`,
    digits.every((digit) => digit === CANONICAL) ? null : digits,
    Object.keys(extras).length === 0 ? null : JSON.stringify(extras),
  ];
}
