import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pause } from '@sinebar/concurrency';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { commandText, schemaOfPlant } from '@sinebar/contracts';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import { advisoryKey } from '@sinebar/database';
import { BlobMissingError, RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import { isDiskFull, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, PRODUCT_VERSION, syncFolder } from '@sinebar/runtime';
import { CommandError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import type { Store } from '../../stores/store.ts';
import { withConnection } from './connection.ts';
import { inTurns } from './in-turns.ts';
import { blobFile, FILE_LIST, MANIFEST_FILE, newManifest, rowsFile, type BackupTable, type FileLine, type Manifest } from './manifest.ts';
import { Measured } from './measured.ts';
import { copyList, readTables, storedName, type TableShape } from './tables.ts';

const BACKED_UP_SCHEMAS = [INSPECTION_SCHEMA, RAW_DATA_SCHEMA] as const;

/** A backup holds everything: no other account may read it. */
const NEW_FOLDER = { recursive: true, mode: PRIVATE_FOLDER_MODE };
const NEW_FILE = { flags: 'wx', flush: true, mode: PRIVATE_FILE_MODE };
const PARALLEL = 4;
const PAGE = 500;
const LOCK_WAIT_MS = 30_000;

interface Work {
  store: Store;
  folder: string;
  client: pg.Client;
  progress: Progress;
  signal: AbortSignal;
}

interface ReferredObject {
  name: string;
  bytes: string;
  /** MD5 of the object; `null` for a thumbnail, which can be made again. */
  md5: string | null;
}

/**
 * Copies all rows of one snapshot, and the bytes of its files, into the new folder `target`.
 * The product may run meanwhile. The folder is renamed to `target` when it is complete; a failure leaves nothing.
 * @throws CommandError with a sentence
 */
export async function writeBackup(store: Store, target: string, progress: Progress, signal: AbortSignal): Promise<Manifest> {
  const path = resolve(target);
  await refuseExisting(path);
  await mkdir(dirname(path), NEW_FOLDER);
  const folder = await mkdtemp(join(dirname(path), `.${basename(path)}.unfinished-`));
  try {
    const manifest = await withConnection(store.databaseUrl, signal, (client) => copyAll({ store, folder, client, progress, signal }));
    await writeSynced(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await rmdir(path).catch(() => undefined);
    await rename(folder, path);
    await syncFolder(dirname(path));
    return manifest;
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    signal.throwIfAborted();
    if (isDiskFull(error)) {
      const message = `There is no space left in ${dirname(path)} for the backup, and nothing of it was kept. Make room, or name a folder on a larger disk.`;
      throw new CommandError(message, { cause: error });
    }
    throw error;
  } finally {
    progress.done();
  }
}

/** Runs the work while no backup of the database is made. @throws CommandError when one is still running after half a minute */
export async function whileNoBackupRuns(store: Store, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  await withConnection(store.databaseUrl, signal, async (client) => {
    await holdRemovals({ client, store });
    await work();
  });
}

async function refuseExisting(path: string): Promise<void> {
  const entries = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${path} is in the way: ${error.message}.`, { cause: error });
  });
  if (entries.length > 0) throw new CommandError(`${path} is not empty. A backup is written into a new folder; nothing is overwritten.`);
}

async function copyAll(work: Work): Promise<Manifest> {
  const { client, folder, store } = work;
  await holdRemovals(work);
  // The snapshot starts after taking the lock: everything removed from now on was deleted before it.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [moment] = (await client.query<{ at: Date }>('SELECT clock_timestamp() AS at')).rows;
  const schemas = await readVersions(work);
  await mkdir(join(folder, 'rows'), NEW_FOLDER);
  await mkdir(join(folder, 'files'), NEW_FOLDER);
  const tables: BackupTable[] = [];
  const shapes = await readTables(client, store.plant, Object.keys(schemas));
  work.progress.stage('Rows', 'bytes');
  for (const shape of shapes) tables.push(await copyTable(work, shape));
  const { files, missing } = await copyFiles(work);
  // Sequences are not part of the snapshot: read last, they are above every number in it.
  const sequences = await readSequences(work, Object.keys(schemas));
  await client.query('COMMIT');
  return newManifest({
    productVersion: PRODUCT_VERSION,
    created: (moment?.at ?? new Date()).toISOString(),
    schemas,
    tables,
    sequences,
    files,
    missing,
  });
}

/** Blocks the removal of objects. @throws CommandError when another process blocks it already */
async function holdRemovals({ client, store }: Pick<Work, 'client' | 'store'>): Promise<void> {
  const schema = schemaOfPlant(RAW_DATA_SCHEMA, store.plant);
  const giveUpAt = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryKey('removals', { schema })}) AS locked`,
    );
    if (rows[0]?.locked === true) return;
    if (performance.now() > giveUpAt) throw new CommandError('Another backup of this database is being made. Wait for its end.');
    await pause(20);
  }
}

async function readVersions({ client, store }: Work): Promise<Record<string, number>> {
  const versions: Record<string, number> = {};
  for (const schema of BACKED_UP_SCHEMAS) {
    const versionTable = storedName({ schema, name: 'schema_version' }, store.plant);
    const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [versionTable]);
    if (found[0]?.exists !== true) continue;
    const { rows } = await client.query<{ current: number }>(`SELECT current FROM ${versionTable}`);
    versions[schema] = rows[0]?.current ?? 0;
  }
  if (Object.keys(versions).length === 0) {
    const whose = store.plant === '' ? '' : ` in the plant "${store.plant}"`;
    throw new CommandError(`The database holds no data of Sinebar${whose}: there is nothing to back up.`);
  }
  return versions;
}

async function copyTable({ client, folder, progress, store }: Work, shape: TableShape): Promise<BackupTable> {
  const source = client.query(copyTo(`COPY ${copyList(shape, store.plant)} TO STDOUT`));
  const compressed = new Measured(['sha256']);
  const decompressed = new Measured([], (count) => progress.advance(count));
  const path = join(folder, rowsFile(shape));
  // Level 1, because compression limits the speed.
  await pipeline(source, decompressed, createGzip({ level: 1 }), compressed, createWriteStream(path, NEW_FILE));
  return { ...shape, rows: source.rowCount, bytes: compressed.bytes, sha256: compressed.digest('sha256') };
}

export async function readSequences(
  { client, store }: { client: pg.Client; store: Pick<Store, 'plant'> },
  schemas: readonly string[],
): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT named.schema, relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN unnest($1::text[], $2::text[]) AS named(schema, stored) ON named.stored = nspname
     WHERE relkind = 'S' ORDER BY named.schema, relname`,
    [schemas, schemas.map((schema) => schemaOfPlant(schema, store.plant))],
  );
  const sequences: Manifest['sequences'] = [];
  for (const { schema, name } of rows) {
    const { rows: states } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${storedName({ schema, name }, store.plant)}`,
    );
    for (const state of states) sequences.push({ schema, name, ...state });
  }
  return sequences;
}

async function copyFiles(work: Work): Promise<Pick<Manifest, 'files' | 'missing'>> {
  const { client, folder, progress, store } = work;
  const table = (name: string): string => storedName({ schema: RAW_DATA_SCHEMA, name }, store.plant);
  const { rows: tables } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    table('raw_data_object'),
  ]);
  const listed = new Measured(['sha256']);
  const list = createWriteStream(join(folder, FILE_LIST), NEW_FILE);
  const listing = pipeline(listed, list);
  listing.catch(() => undefined);
  const files = { count: 0, bytes: 0, sha256: '' };
  const missing: string[] = [];
  if (tables[0]?.exists === true) {
    const objects = `SELECT object_name, size_bytes::bigint AS size_bytes, md5 FROM ${table('raw_data_object')}
       UNION ALL SELECT object_name, size_bytes, NULL FROM ${table('thumbnail')}`;
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT coalesce(sum(size_bytes), 0)::text AS bytes FROM (${objects}) AS object`,
    );
    progress.stage('Files', 'bytes', Number(rows[0]?.bytes));
    await client.query(
      `DECLARE object NO SCROLL CURSOR FOR SELECT object_name::text AS name, size_bytes::text AS bytes, encode(md5, 'hex') AS md5
       FROM (${objects}) AS object ORDER BY object_name`,
    );
    for (;;) {
      const { rows: page } = await client.query<ReferredObject>(`FETCH ${PAGE} FROM object`);
      if (page.length === 0) break;
      const lines = await inTurns(page, PARALLEL, (object) => copyObject(work, object));
      for (const [index, line] of lines.entries()) {
        const object = page[index];
        if (line === undefined) {
          if (object?.md5) missing.push(object.name);
          continue;
        }
        files.count += 1;
        files.bytes += line.bytes;
        if (!listed.write(`${JSON.stringify(line)}\n`)) await new Promise((done) => listed.once('drain', done));
      }
    }
  }
  listed.end();
  await listing;
  return { files: { ...files, sha256: listed.digest('sha256') }, missing };
}

/** Copies an object. @returns `undefined` when its bytes are lost. @throws CommandError when they differ from the file's digest */
async function copyObject({ store, folder, progress, signal }: Work, object: ReferredObject): Promise<FileLine | undefined> {
  const { name } = object;
  const path = join(folder, blobFile(name));
  let source;
  try {
    source = await store.blobs.get(name, undefined, signal);
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
  const passed = new Measured(['sha256', 'md5'], (count) => progress.advance(count));
  await mkdir(dirname(path), NEW_FOLDER);
  await pipeline(source, passed, createWriteStream(path, NEW_FILE), { signal });
  if (passed.bytes !== Number(object.bytes) || (object.md5 !== null && passed.digest('md5') !== object.md5)) {
    throw new CommandError(
      `The object ${name} is damaged: ${passed.bytes} bytes of another content than the ${object.bytes} that were stored. ` +
        `Put it right or delete its file (${commandText('doctor')}), then make the backup.`,
    );
  }
  return { name, bytes: passed.bytes, sha256: passed.digest('sha256') };
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
