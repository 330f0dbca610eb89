import { constants, createReadStream } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { schemaOfPlant } from '@sinebar/contracts';
import { migrate, numberOf, unfinishedRestore, type Migration } from '@sinebar/database';
import { INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { inspectNatsStream, removeNatsStream } from '@sinebar/message-bus';
import { FileBlobStore, RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import { makePrivateFolder } from '@sinebar/runtime';
import { CommandError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import type { Store } from '../../stores/store.ts';
import { withConnection } from './connection.ts';
import { beginRestore, endRestore, noteFilled, readUnfinishedRestore } from './unfinished-restore.ts';
import { inTurns } from './in-turns.ts';
import { blobFile, rowsFile, type BackupTable, type Manifest } from './manifest.ts';
import { Measured } from './measured.ts';
import { copyList, readTables, storedName } from './tables.ts';
import { listedFiles } from './verify-backup.ts';

const MIGRATIONS: Readonly<Record<string, readonly Migration[]>> = {
  [INSPECTION_SCHEMA]: inspectionMigrations,
  [RAW_DATA_SCHEMA]: rawDataMigrations,
};

const PARALLEL = 4;

export interface RestoreOptions {
  folder: string;
  manifest: Manifest;
  store: Store;
  /** True to remove an existing event stream of the broker. */
  replaceStream: boolean;
  progress: Progress;
  signal: AbortSignal;
}

/** Returns the migrations up to the schema of the backup; the next start applies later ones. @throws CommandError */
export function stepsTo(schema: string, version: number): readonly Migration[] {
  const all = MIGRATIONS[schema];
  if (!all) throw new CommandError(`The backup holds the schema ${schema}, which this release does not know.`);
  const steps = all.filter((step) => numberOf(step) <= version);
  if (steps.length === 0 || numberOf(steps.at(-1) as Migration) !== version) {
    throw new CommandError(
      `The backup was made by a newer Sinebar (schema ${schema} ${version}). Restore it with that release or a newer one.`,
    );
  }
  return steps;
}

/** Checks that the folder is empty. @throws CommandError when it is not */
export async function refuseUsedFolder(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${dataDir} cannot be used: ${error.message}.`, { cause: error });
  });
  if (entries.length > 0) {
    throw new CommandError(
      `${dataDir} is not empty. A backup is restored into an empty data folder; name another one: SINEBAR_DATA_DIR=<folder>.`,
    );
  }
}

/**
 * Fills an empty installation with the rows and files of a backup. A failure removes what was written.
 * The old event stream is removed last. The database records a killed attempt: no service starts on it, and the next attempt continues it.
 * @throws CommandError, also when the database, the bucket or the event stream is in use
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { manifest, store, signal } = options;
  for (const [schema, version] of Object.entries(manifest.schemas)) stepsTo(schema, version);
  const { blobs } = store;
  if (blobs instanceof FileBlobStore) await blobs.prepare(new Date(), false);
  else await blobs.prepare();
  const unfinished = await withConnection(store.databaseUrl, signal, (client) => readUnfinishedRestore(client, store.plant));
  if (unfinished?.isFilled === true) {
    await finish(options);
    return;
  }
  // After a killed attempt all existing content was written by it.
  if (unfinished) await undo(options, await readNames(options.folder));
  const streamEpoch = await refuseUsed(options);
  await withConnection(store.databaseUrl, signal, (client) => beginRestore(client, store.plant, streamEpoch));
  const stored: string[] = [];
  try {
    await restoreFiles(options, stored);
    await restoreDatabase(options);
  } catch (error) {
    await undo(options, stored).catch(() => undefined);
    signal.throwIfAborted();
    throw error;
  } finally {
    options.progress.done();
  }
  await finish(options);
}

interface RestoreRowsOptions extends Pick<RestoreOptions, 'folder' | 'manifest' | 'progress' | 'signal'> {
  store: Pick<Store, 'databaseUrl' | 'plant'>;
}

/** Creates the tables in the version of the backup and fills them; the record of the unfinished restore must exist. */
export async function restoreDatabase(options: RestoreRowsOptions): Promise<void> {
  const { manifest, store, signal } = options;
  for (const [schema, version] of Object.entries(manifest.schemas)) {
    const stored = schemaOfPlant(schema, store.plant);
    await migrate(store.databaseUrl, stored, stepsTo(schema, version), { applicationName: 'sinebar maintenance', signal });
  }
  await withConnection(store.databaseUrl, signal, (client) => restoreRows(client, options));
}

/** Removes the old event stream and lets the services start. */
async function finish({ manifest, store, signal }: RestoreOptions): Promise<void> {
  await withConnection(store.databaseUrl, signal, async (client) => {
    const unfinished = await readUnfinishedRestore(client, store.plant);
    if (unfinished?.streamEpoch != null) {
      if (store.stream === undefined)
        throw new CommandError('The event stream of the time before must still be removed: set NATS_URL and restore again.');
      const stream = await inspectNatsStream(store.stream);
      if (stream?.epoch === unfinished.streamEpoch) await removeNatsStream(store.stream);
    }
    await endRestore(client, store.plant);
    const tables = await readTables(client, store.plant, Object.keys(manifest.schemas));
    await client.query(`ANALYZE ${tables.map((table) => storedName(table, store.plant)).join(', ')}`);
  });
}

async function readNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const page of listedFiles(folder)) names.push(...page.map(({ name }) => name));
  return names;
}

/** Checks that the installation is unused. @returns the epoch of the event stream to remove, `null` when there is none */
async function refuseUsed({ manifest, store, replaceStream, signal }: RestoreOptions): Promise<string | null> {
  await withConnection(store.databaseUrl, signal, async (client) => {
    const { rows } = await client.query<{ nspname: string }>('SELECT nspname FROM pg_namespace WHERE nspname = ANY($1)', [
      Object.keys(manifest.schemas).map((schema) => schemaOfPlant(schema, store.plant)),
    ]);
    if (rows.length > 0) {
      const found = rows.map(({ nspname }) => nspname).join(' and ');
      throw new CommandError(
        `The database holds data of Sinebar already (schema ${found}). Stop the services and restore into an empty database.`,
      );
    }
  });
  for await (const { name } of store.blobs.list()) {
    throw new CommandError(`The store for files is not empty (object ${name}). Restore into an empty bucket or folder.`);
  }
  if (store.stream === undefined) return null;
  const stream = await inspectNatsStream(store.stream);
  if (!stream) return null;
  if (!replaceStream) {
    throw new CommandError(
      'The message broker still holds the event stream of the time after the backup; ' +
        'clients would continue with events of changes that no longer exist. ' +
        'Restore with --replace-event-stream, which removes it.',
    );
  }
  return stream.epoch;
}

async function restoreFiles({ folder, manifest, store, progress, signal }: RestoreOptions, stored: string[]): Promise<void> {
  progress.stage('Files', 'bytes', manifest.files.bytes);
  const spool = store.dataDir === undefined ? undefined : join(store.dataDir, 'spool');
  if (spool !== undefined) await makePrivateFolder(spool);
  for await (const page of listedFiles(folder)) {
    await inTurns(page, PARALLEL, async ({ name, bytes }) => {
      signal.throwIfAborted();
      const source = join(folder, blobFile(name));
      stored.push(name);
      // A file store would move the source file; backup and data must not share files.
      const path = spool === undefined ? source : join(spool, name);
      if (path !== source) await copyFile(source, path, constants.COPYFILE_FICLONE);
      try {
        await store.blobs.put(name, path, bytes);
      } finally {
        if (path !== source) await rm(path, { force: true });
      }
      progress.advance(bytes);
    });
  }
}

async function restoreRows(client: pg.Client, options: RestoreRowsOptions): Promise<void> {
  const { manifest, progress } = options;
  const { plant } = options.store;
  progress.stage('Rows', 'bytes');
  const present = await readTables(client, plant, Object.keys(manifest.schemas));
  await client.query('BEGIN');
  // Migrations insert initial rows, such as the root part.
  await client.query(`TRUNCATE ${present.map((table) => storedName(table, plant)).join(', ')}`);
  for (const table of manifest.tables) {
    await fill(client, table, options);
  }
  for (const { lastValue, isCalled, ...sequence } of manifest.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [storedName(sequence, plant), lastValue, isCalled]);
  }
  // The event stream starts anew, so the part mirror is refilled by request.
  if (RAW_DATA_SCHEMA in manifest.schemas) {
    const position = storedName({ schema: RAW_DATA_SCHEMA, name: 'follow_position' }, plant);
    await client.query(`UPDATE ${position} SET epoch = NULL, sequence = 0`);
  }
  await noteFilled(client, plant);
  await client.query('COMMIT');
}

async function fill(client: pg.Client, table: BackupTable, { folder, store, progress, signal }: RestoreRowsOptions): Promise<void> {
  const sink = client.query(copyFrom(`COPY ${copyList(table, store.plant)} FROM STDIN`));
  const decompressed = new Measured([], (count) => progress.advance(count));
  await pipeline(createReadStream(join(folder, rowsFile(table))), createGunzip(), decompressed, sink, { signal });
  if (sink.rowCount !== table.rows) {
    throw new CommandError(`The table ${table.schema}.${table.name} took ${sink.rowCount} rows of ${table.rows}.`);
  }
}

async function undo({ manifest, store }: RestoreOptions, stored: readonly string[]): Promise<void> {
  await store.blobs.remove(stored);
  const schemas = Object.keys(manifest.schemas).map((schema) => schemaOfPlant(schema, store.plant));
  const names = [...schemas, unfinishedRestore(store.plant).schema].map((schema) => `"${schema}"`);
  await withConnection(store.databaseUrl, new AbortController().signal, (client) =>
    client.query(`DROP SCHEMA IF EXISTS ${names.join(', ')} CASCADE`),
  );
}
