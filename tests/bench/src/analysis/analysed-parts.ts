import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createPart, send } from '../rest-calls.ts';

/** A part whose characteristics, its own and those below it, have values. */
export interface AnalysedPart {
  uuid: string;
  name: string;
  /** Uuid of the first characteristic of the part, or of its first sub-part. */
  firstCharacteristic: string;
}

const LIMITS = { 2110: '19', 2111: '22' };
const KEEP_TIMEOUT_MS = 120_000;

export async function defineLimits(url: string): Promise<void> {
  const definitions = Object.keys(LIMITS).map((key) => ({
    key: Number(key),
    description: '',
    definitionType: 'AttributeDefinition',
    type: 'Float',
  }));
  await send(url, 'POST', 'configuration/Characteristic', definitions);
}

/** Creates a part, with sub-parts if there is to be more than one, and characteristics in each of them. */
export async function createAnalysedPart(url: string, name: string, { parts = 1, characteristics = 1 }): Promise<AnalysedPart> {
  const uuid = await createPart(url, name);
  let firstCharacteristic = '';
  for (let i = 0; i < parts; i += 1) {
    if (parts > 1) await createPart(url, `${name}/sub ${i}`);
    const parent = parts > 1 ? `PPC:/${name}/sub ${i}/` : `PC:/${name}/`;
    const items = Array.from({ length: characteristics }, (_, k) => ({ uuid: randomUUID(), path: `${parent}c${k}/`, attributes: LIMITS }));
    await send(url, 'POST', 'characteristics', items);
    firstCharacteristic ||= items[0]?.uuid ?? '';
  }
  return { uuid, name, firstCharacteristic };
}

/** Statements on the database of the product, which write what its interface would take long to write. */
export class AnalysedValues {
  private readonly client: pg.Client;

  constructor(databaseUrl: string) {
    this.client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=inspection,public' });
  }

  async open(): Promise<void> {
    await this.client.connect();
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Adds measurements, one a minute, with a value of each characteristic, to every part at and below the given one. */
  async add({ name }: AnalysedPart, first: number, count: number): Promise<void> {
    const below = [`p${name}/`];
    await this.client.query(
      `INSERT INTO characteristic_set (part_id, characteristic_ids, hash)
       SELECT part_id, ids, sha256(convert_to(array_to_string(ids, ','), 'UTF8'))
       FROM (SELECT part_id, array_agg(id ORDER BY id) AS ids FROM plan_item WHERE kind = 'characteristic' AND starts_with(path, $1) GROUP BY part_id) AS owner
       ON CONFLICT DO NOTHING`,
      below,
    );
    await this.client.query(
      `INSERT INTO measurement (uuid, part_id, measured_at, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
       SELECT gen_random_uuid(), s.part_id, '2026-01-01'::timestamptz + n * interval '1 minute', now(), now(), s.id, false, '{}',
         ARRAY(SELECT 20 + (hashint8(n * 1000003::bigint + k) & 1023) / 1024.0 FROM generate_series(1, cardinality(s.characteristic_ids)) AS k)::float8[]
       FROM characteristic_set s JOIN plan_item p ON p.id = s.part_id AND starts_with(p.path, $1), generate_series($2::int, $3::int - 1) AS n`,
      [...below, first, first + count],
    );
    await this.client.query(
      `INSERT INTO figure_change (part_id, measurement_id) SELECT id, 0 FROM plan_item WHERE kind = 'part' AND starts_with(path, $1)`,
      below,
    );
    await this.client.query('ANALYZE');
  }

  /** Waits until the product keeps the figures of all parts. */
  async areKept(): Promise<void> {
    for (const giveUpAt = Date.now() + KEEP_TIMEOUT_MS; Date.now() < giveUpAt; await pause(100)) {
      const { rows } = await this.client.query<{ open: boolean }>('SELECT EXISTS (SELECT FROM figure_change) AS open');
      if (rows[0]?.open === false) return;
    }
    throw new Error(`the figures were not kept within ${KEEP_TIMEOUT_MS} ms`);
  }
}

/** Query for the values of the parts at and below a part. */
export function valuesOf({ name }: AnalysedPart, columns: string): string {
  return `SELECT ${columns} FROM inspection.measurement m JOIN inspection.plan_item p ON p.id = m.part_id WHERE starts_with(p.path, 'p${name}/')`;
}
