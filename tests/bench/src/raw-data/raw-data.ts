import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { median, table } from '../figures.ts';
import { memoryGrowthMiB } from '../process-memory.ts';
import { reachableDatabase, startBareProxy, type Product } from '../product.ts';
import { psqlTimesMs } from '../psql.ts';
import { inTurn, ratio, ROUNDS, type Row } from './in-turn.ts';
import { objectStore } from './object-store.ts';
import { makeSubtrees, restrictedReads } from './restricted-reads.ts';
import { SMALL_ENTRY, storedZip } from './stored-zip.ts';
import { download, ROOT_FILES, spoolFile, upload, uploadPieces } from './transfers.ts';

const LARGE_MIB = 100;
const MANY = 200;
/** Rounds with many concurrent requests, whose times vary most. */
const MANY_ROUNDS = 25;
const HUGE_MIB = 5 * 1024;
/** Number of archive entries of 8 MiB. */
const ARCHIVE_ENTRIES = 128;
const SMALL_ROUNDS = 50;
const LISTED = 1_000_000;
const FOUND = 1000;

/** Measures files against a bare proxy on the same store and against a minimal upload, and listings against psql. */
export async function measureRawData(product: Product): Promise<string> {
  const { url } = product;
  const databaseUrl = reachableDatabase(product);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const proxy = await startBareProxy();
  const folder = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  try {
    const measured = { url, proxy: proxy.url, pid: product.servicePid('raw-data'), database, spool: join(folder, 'spool') };
    const rows = [
      ...(await transfers(measured)),
      ...(await hugeFile(measured)),
      await archiveEntry(measured),
      ...(await listing(measured, databaseUrl)),
    ];
    return table([`raw data, ${product.name}`, 'measured', 'goal'], rows);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await proxy.stop();
    await database.end();
  }
}

interface Measured {
  url: string;
  proxy: string;
  pid: number;
  database: pg.Client;
  spool: string;
}

async function transfers({ url, proxy, pid, database, spool }: Measured): Promise<Row[]> {
  const { client, bucket } = objectStore(process.env);
  const large = await upload(url, LARGE_MIB);
  const small = await upload(url, 1);
  const largeObject = await objectName(database, large);
  const smallObject = await objectName(database, small);
  const direct = await client.presignedGetObject(bucket, largeObject);
  const all = (address: string) => Promise.all(Array.from({ length: MANY }, () => download(address)));

  const growth = await memoryGrowthMiB(pid, async () => {
    await download(`${url}${ROOT_FILES}/${large}`);
    await all(`${url}${ROOT_FILES}/${small}`);
    await upload(url, LARGE_MIB);
  });
  const one = await inTurn({
    ours: () => download(`${url}${ROOT_FILES}/${large}`),
    bare: () => download(`${proxy}/${encodeURIComponent(largeObject)}`),
    direct: () => download(direct),
  });
  const many = await inTurn(
    {
      ours: () => all(`${url}${ROOT_FILES}/${small}`),
      bare: () => all(`${proxy}/${encodeURIComponent(smallObject)}`),
    },
    MANY_ROUNDS,
  );
  const taken = await inTurn({
    ours: () => upload(url, LARGE_MIB),
    least: async () => {
      await spoolFile(spool, LARGE_MIB);
      await client.fPutObject(bucket, `bench/${Date.now()}`, spool);
    },
  });
  return [
    [`download of ${LARGE_MIB} MiB: rate / bare proxy`, ratio(one.bare, one.ours), 'at least 0.8'],
    ['the same / the store directly', ratio(one.direct, one.ours), ''],
    [`${MANY} downloads of 1 MiB at once: rate / bare proxy`, ratio(many.bare, many.ours), 'at least 0.8'],
    [`upload of ${LARGE_MIB} MiB: time / (file with MD5 + putObject)`, ratio(taken.ours, taken.least), 'at most 1.2'],
    ['memory growth in all of them', `${growth.toFixed(0)} MiB`, 'below 150 MB'],
  ];
}

async function hugeFile({ url, pid, database }: Measured): Promise<Row[]> {
  let key = 0;
  const growth = await memoryGrowthMiB(pid, async () => {
    key = await upload(url, HUGE_MIB);
    await download(`${url}${ROOT_FILES}/${key}`);
  });
  await objectStore(process.env).client.removeObject('sinebar', await objectName(database, key));
  return [['memory growth, upload and download of 5 GiB', `${growth.toFixed(0)} MiB`, 'below 150 MB']];
}

async function archiveEntry({ url }: Measured): Promise<Row> {
  const archive = await uploadPieces(url, 'bench.zip', storedZip(ARCHIVE_ENTRIES));
  const small = await uploadPieces(url, 'small.bin', [Buffer.alloc(10 * 1024, 'x')]);
  const entry = `${url}${ROOT_FILES}/${archive}/ArchiveContent/${encodeURIComponent(SMALL_ENTRY)}`;
  const times = await inTurn({ entry: () => download(entry), file: () => download(`${url}${ROOT_FILES}/${small}`) }, SMALL_ROUNDS);
  return ['one entry of 10 KiB of an archive of 1 GiB: time / a file of 10 KiB', ratio(times.entry, times.file), 'below 5'];
}

async function listing({ url, database }: Measured, databaseUrl: string): Promise<Row[]> {
  const subtrees = await makeSubtrees(database);
  await database.query(
    `INSERT INTO raw_data.raw_data_object (entity, target_uuid, characteristic_uuid, part_uuid, key, file_name, mime_type, size_bytes, md5, created, last_modified, object_name)
     SELECT 'Part', subtree, characteristic_uuid, subtree, 1000 + n, 'scan ' || n || CASE WHEN n % ${LISTED / FOUND} = 0 THEN ' final.zip' ELSE '.bin' END, mime_type, n, md5,
       now() - n * interval '1 minute', now() - n * interval '1 minute', gen_random_uuid()
     FROM (SELECT characteristic_uuid, mime_type, md5 FROM raw_data.raw_data_object WHERE entity = 'Part' LIMIT 1) file
     CROSS JOIN generate_series(1, ${LISTED}) n, LATERAL (SELECT ($1::uuid[])[1 + (n + n / ${LISTED / FOUND}) % ${subtrees.length}] AS subtree) place`,
    [subtrees],
  );
  await psqlTimesMs(databaseUrl, 'VACUUM ANALYZE raw_data.raw_data_object;');
  const filter = encodeURIComponent("fileName like '%final%'");
  const statement = `SELECT json_build_object('target', json_build_object('entity', entity, 'uuid', target_uuid), 'key', key, 'fileName', file_name, 'mimeType', mime_type, 'lastModified', last_modified, 'created', created, 'size', size_bytes, 'md5', encode(md5, 'hex'))
    FROM raw_data.raw_data_object WHERE file_name ILIKE '%final%';`;
  const psqlMs = median(await psqlTimesMs(databaseUrl, Array.from({ length: ROUNDS + 1 }, () => statement).join('\n')));
  const { ours } = await inTurn({ ours: () => download(`${url}/rawDataServiceRest/rawDataInformation/Part?filter=${filter}`) });
  return [
    [`listing with a filter that finds ${FOUND} of ${LISTED} files: time / psql`, ratio(ours, psqlMs), 'below 3'],
    ...(await restrictedReads(databaseUrl, database, subtrees, { url, filter, found: FOUND })),
  ];
}

async function objectName(database: pg.Client, key: number): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT object_name::text AS name FROM raw_data.raw_data_object WHERE entity = 'Part' AND key = $1 AND file_name = 'bench.bin'`,
    [key],
  );
  return `raw-data/${rows[0]?.name ?? ''}`;
}
