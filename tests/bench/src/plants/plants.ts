import { randomBytes } from 'node:crypto';
import { createTestDatabase, queryOnce } from '@sinebar/testing/databases';
import { median, ratio, table } from '../figures.ts';
import { createMeasuredPlan } from '../measurements/measured-plan.ts';
import type { MeasuredPart } from '../measurements/measured-part.ts';
import { MeasurementBody } from '../measurements/measurement-bodies.ts';
import { createMeasurements, postAll } from '../measurements/post-load.ts';
import { readAll } from '../measurements/read-load.ts';
import { startInspectionAlone, type Product } from '../product.ts';

const PARTS = 10;
const CHARACTERISTICS = 200;
const ROUNDS = 5;
const IN_A_BODY = 100;
const BODIES = 10;
const SINGLES = 200;
const CLIENTS = 4;
const READS = 200;

/** A plant with a plan and some measurements, and its inspection service. */
interface Place {
  product: Product;
  parts: MeasuredPart[];
}

/** Requests of a round, by kind of load. */
const LOADS = {
  'bulk write: bodies of 100 measurements of 200 values': ({ product, parts }: Place) =>
    postAll(product.url, [new MeasurementBody(parts, IN_A_BODY, 0)], BODIES).then(({ totalMs }) => totalMs / BODIES),
  'single measurements, 4 clients': ({ product, parts }: Place) =>
    postAll(
      product.url,
      Array.from({ length: CLIENTS }, (_, i) => new MeasurementBody(parts, 1, i)),
      SINGLES / CLIENTS,
    ).then(({ totalMs }) => totalMs / SINGLES),
  'small reads: the newest measurement of a part, 4 clients': ({ product, parts }: Place) => readNewest(product.url, parts),
} as const;

/** Compares one plant with two in one PostgreSQL, and a schema of a PostgreSQL with one on a node of a Citus cluster, each in one run. */
export async function measurePlants(): Promise<string> {
  const databaseUrl = process.env['DATABASE_URL'] ?? '';
  const [north, south] = [await open(databaseUrl), await open(databaseUrl)];
  const tables: string[] = [];
  try {
    const rows = await compare(
      (load) => load(north),
      (load) => Promise.all([load(north), load(south)]).then((times) => Math.max(...times) / 2),
    );
    tables.push(table(['two plants in one PostgreSQL, both busy', 'rate of both together / rate of one alone'], rows));
  } finally {
    await north.product.stop();
    await south.product.stop();
  }
  tables.push(await measureCitus());
  return tables.join('\n\n');
}

async function measureCitus(): Promise<string> {
  const coordinator = process.env['SINEBAR_TEST_CITUS'];
  if (!coordinator) return 'SINEBAR_TEST_CITUS names no cluster: Citus was not measured.';
  const name = `sinebar_bench_${randomBytes(4).toString('hex')}`;
  const plainUrl = new URL(coordinator);
  plainUrl.pathname = `/${name}`;
  await queryOnce(coordinator, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const cluster = await createTestDatabase();
  const places: Place[] = [];
  try {
    const [plain, distributed] = [await open(plainUrl.href), await open(cluster.url, true)];
    places.push(plain, distributed);
    const rows = await compare(
      (load) => load(plain),
      (load) => load(distributed),
    );
    return table(['Citus, the same PostgreSQL with and without', 'rate of Citus / rate without'], rows);
  } finally {
    for (const { product } of places) await product.stop();
    await cluster.drop();
    await queryOnce(coordinator, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** Measures both sides in turn, so that a change of the machine's speed meets both. @returns rows of the load and the ratio of the rates */
async function compare(
  base: (load: (place: Place) => Promise<number>) => Promise<number>,
  other: (load: (place: Place) => Promise<number>) => Promise<number>,
): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  for (const [what, load] of Object.entries(LOADS)) {
    const ms = { base: [] as number[], other: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const [baseMs, otherMs] = [await base(load), await other(load)];
      if (round < 0) continue;
      ms.base.push(baseMs);
      ms.other.push(otherMs);
    }
    rows.push([what, ratio(median(ms.base), median(ms.other))]);
  }
  return rows;
}

async function readNewest(url: string, parts: readonly MeasuredPart[]): Promise<number> {
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let read = 0; read < READS / CLIENTS; read += 1) {
        const part = parts[(client + read) % parts.length];
        await readAll(url, `values?partUuids={${part?.uuid}}&limitResult=1`);
      }
    }),
  );
  return (performance.now() - begun) / READS;
}

/** Creates a plant, starts its inspection service and fills it; `distribute` places it on a node of the cluster. */
async function open(databaseUrl: string, distribute = false): Promise<Place> {
  const plant = `bench-${randomBytes(4).toString('hex')}`;
  const schema = `inspection_${plant.replaceAll('-', '_')}`;
  await queryOnce(databaseUrl, `CREATE SCHEMA ${schema}`);
  const env = { DATABASE_URL: databaseUrl, SINEBAR_PLANT: plant, SINEBAR_EVENTS_MAX_BYTES: String(2 ** 26) };
  let product = await startInspectionAlone(env);
  if (distribute) {
    await product.stop();
    await queryOnce(databaseUrl, `SELECT citus_schema_distribute('${schema}')`);
    product = await startInspectionAlone(env);
  }
  const parts = await createMeasuredPlan(product.url, PARTS, CHARACTERISTICS);
  await createMeasurements(product.url, parts, 1000);
  return { product, parts };
}
