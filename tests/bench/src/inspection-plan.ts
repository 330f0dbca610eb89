import { median, percentile, table, timed } from './figures.ts';
import { memoryGrowthMiB } from './process-memory.ts';
import { reachableDatabase, type Product } from './product.ts';
import { psqlTimesMs } from './psql.ts';
import { createCharacteristics, createPart, fetchDone, send } from './rest-calls.ts';

const ROUNDS = 5;
const ONE_POST = 2600;
const MANY = 100_000;
const REQUESTS = 20;

/** Measures bulk creation, bulk reading and a large rename, each against psql in the same database and run. */
export async function measureInspectionPlan(product: Product): Promise<string> {
  const { url, servicePid } = product;
  const databaseUrl = reachableDatabase(product);
  const pid = servicePid('inspection');
  const rows: [string, string, string][] = [];
  const add = (what: string, figure: string, goal: string) => void rows.push([what, figure, goal]);

  const { postMs, sqlMs } = await oneLargePost(url, databaseUrl);
  add(`POST of ${ONE_POST} characteristics / INSERT … SELECT unnest in psql`, ratio(median(postMs), median(sqlMs)), 'at most 4');

  const part = await createPart(url, 'bench many');
  const growth = await memoryGrowthMiB(pid, async () => {
    for (let i = 0; i < REQUESTS; i += 1) await createCharacteristics(url, 'bench many', (i * MANY) / REQUESTS, MANY / REQUESTS);
  });
  add(`memory growth while ${MANY} characteristics are created in ${REQUESTS} requests`, `${growth.toFixed(0)} MiB`, 'at most 150 MiB');

  await psqlTimesMs(databaseUrl, 'VACUUM ANALYZE inspection.plan_item;');
  const read = await largeRead(url, databaseUrl, pid, part);
  add(
    `GET of ${MANY} characteristics: rate / rate of psql with the same JSON`,
    ratio(median(read.psqlMs), median(read.totalMs)),
    'at least 0.7',
  );
  add('first byte / total time', ratio(median(read.firstByteMs), median(read.totalMs)), 'at most 0.1');
  add('memory growth', `${read.growthMiB.toFixed(0)} MiB`, 'at most 120 MiB');

  const rename = await largeRename(url, databaseUrl, part);
  add(`rename of a part with ${MANY} items below / plain UPDATE in psql`, ratio(median(rename.putMs), median(rename.sqlMs)), 'below 3');
  add('p99 of single reads meanwhile', `${percentile(rename.readMs, 0.99).toFixed(1)} ms`, 'below 10 ms');

  await fetchDone(`${url}/dataServiceRest/parts/${part}`, { method: 'DELETE' });
  return table(['inspection plan', 'measured', 'goal'], rows);
}

async function oneLargePost(url: string, databaseUrl: string): Promise<{ postMs: number[]; sqlMs: number[] }> {
  const postMs: number[] = [];
  const sqlMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `bench ${round}`;
    const part = await createPart(url, name);
    postMs.push(await createCharacteristics(url, name, 0, ONE_POST));
    // One statement writes the same rows under other ids and names, and deletes them.
    const [, time] = await psqlTimesMs(databaseUrl, sameRows(part));
    sqlMs.push(time ?? NaN);
    await fetchDone(`${url}/dataServiceRest/parts/${part}`, { method: 'DELETE' });
  }
  return { postMs, sqlMs };
}

function sameRows(part: string): string {
  const columns =
    'id, uuid, kind, parent_id, part_id, name, folded_name, path, marked_path, depth, attributes, version, plan_version, modified_at, characteristics_modified_at';
  const lists = columns.split(', ').map((column) => `array_agg(${column}) AS ${column}`);
  const unnested = columns.split(', ').map((column) => `(SELECT ${column} FROM bench_rows)`);
  return `CREATE TEMP TABLE bench_rows AS SELECT ${lists.join(', ')} FROM (
      SELECT nextval('inspection.plan_item_id')::int AS id, gen_random_uuid() AS uuid, kind, parent_id, part_id, name || 'x' AS name, folded_name || 'x' AS folded_name,
        left(path, -1) || 'x/' AS path, left(marked_path, -1) || 'x/' AS marked_path, depth, attributes, version, plan_version, modified_at, characteristics_modified_at
      FROM inspection.plan_item WHERE kind = 'characteristic' AND part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part}')) row;
    INSERT INTO inspection.plan_item (${columns}) SELECT * FROM unnest(${unnested.join(', ')});
    DELETE FROM inspection.plan_item WHERE folded_name LIKE '%x' AND part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part}');`;
}

async function largeRead(url: string, databaseUrl: string, pid: number, part: string) {
  const address = `${url}/dataServiceRest/characteristics?partPath=${encodeURIComponent('/bench many')}`;
  const totalMs: number[] = [];
  const firstByteMs: number[] = [];
  const psqlMs: number[] = [];
  await read(address);
  const growthMiB = await memoryGrowthMiB(pid, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { firstMs, allMs } = await read(address);
      firstByteMs.push(firstMs);
      totalMs.push(allMs);
    }
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const [time] = await psqlTimesMs(
      databaseUrl,
      `SELECT json_build_object('uuid', uuid, 'path', marked_path, 'attributes', attributes, 'version', version, 'timestamp', modified_at)
       FROM inspection.plan_item WHERE kind = 'characteristic' AND part_id = (SELECT id FROM inspection.plan_item WHERE uuid = '${part}') ORDER BY path;`,
    );
    psqlMs.push(time ?? NaN);
  }
  return { totalMs, firstByteMs, psqlMs, growthMiB };
}

async function read(address: string): Promise<{ firstMs: number; allMs: number }> {
  const begun = performance.now();
  const response = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } });
  if (!response.ok || !response.body) throw new Error(`${address} answered ${response.status}`);
  let firstMs: number | undefined;
  for await (const _chunk of response.body as AsyncIterable<Uint8Array>) firstMs ??= performance.now() - begun;
  return { firstMs: firstMs ?? NaN, allMs: performance.now() - begun };
}

async function largeRename(url: string, databaseUrl: string, part: string) {
  const putMs: number[] = [];
  const sqlMs: number[] = [];
  const readMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let busy = true;
    const reads = (async () => {
      while (busy) readMs.push(await timed(() => fetchDone(`${url}/dataServiceRest/parts/${part}`)));
    })();
    putMs.push(await timed(() => send(url, 'PUT', 'parts', [{ uuid: part, path: `P:/bench many ${round}/` }])));
    busy = false;
    await reads;
    const [time] = await psqlTimesMs(
      databaseUrl,
      `UPDATE inspection.plan_item SET path = 'pbench many ${round}/' || substr(path, ${`pbench many ${round}/`.length + 1})
       WHERE path >= 'pbench many ${round}/' AND path < 'pbench many ${round}0';`,
    );
    sqlMs.push(time ?? NaN);
    await psqlTimesMs(databaseUrl, 'VACUUM inspection.plan_item;');
  }
  return { putMs, sqlMs, readMs };
}

function ratio(measured: number, base: number): string {
  return (measured / base).toFixed(2);
}
