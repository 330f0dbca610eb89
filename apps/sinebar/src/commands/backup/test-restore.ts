import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode } from '@sinebar/concurrency';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { RAW_DATA_SCHEMA } from '@sinebar/raw-data';
import { CommandError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import type { Store } from '../../stores/store.ts';
import { withConnection } from './connection.ts';
import { rowsFile, type BackupTable, type Manifest } from './manifest.ts';
import { discard, Measured } from './measured.ts';
import { restoreDatabase } from './restore-backup.ts';
import { copyList, storedName } from './tables.ts';
import { beginRestore } from './unfinished-restore.ts';
import { listedFiles, verifyBackup } from './verify-backup.ts';
import { readSequences } from './write-backup.ts';

export interface TestRestoreOptions {
  folder: string;
  manifest: Manifest;
  /** Database of the server that gets the scratch database. */
  databaseUrl: string;
  progress: Progress;
  signal: AbortSignal;
}

const SCRATCH_PREFIX = 'sinebar_test_restore_';
/** A restore resets the position in the event stream. */
const CHANGED_BY_RESTORE = 'follow_position';
const OBJECT_IN_USE = '55006';
const DISK_FULL = '53100';

/**
 * Restores the rows into a scratch database, compares each table with the backup, and each file with the rows that name it.
 * The scratch database is removed, also one that a killed process has left.
 * @throws CommandError that names the first difference
 */
export async function testRestore(options: TestRestoreOptions): Promise<void> {
  const { folder, manifest, databaseUrl, progress, signal } = options;
  await verifyBackup(folder, manifest, progress, signal);
  await withScratchDatabase(databaseUrl, signal, async (scratchUrl) => {
    const store = { databaseUrl: scratchUrl, plant: '' };
    // This connection also keeps another process from removing the database.
    await withConnection(scratchUrl, signal, async (client) => {
      await beginRestore(client, store.plant, null);
      await restoreDatabase({ folder, manifest, store, progress, signal });
      progress.stage('Comparing', 'bytes');
      await client.query('SET synchronize_seqscans = off');
      for (const table of manifest.tables) await compareTable(client, table, options);
      await compareSequences(client, store, manifest);
      if (RAW_DATA_SCHEMA in manifest.schemas) await compareFiles(client, options);
    });
  });
  progress.done();
}

async function withScratchDatabase(url: string, signal: AbortSignal, work: (scratchUrl: string) => Promise<void>): Promise<void> {
  const name = `${SCRATCH_PREFIX}${randomUUID().slice(0, 8)}`;
  await withConnection(url, signal, async (client) => {
    await removeLeftovers(client);
    await client.query(`CREATE DATABASE "${name}"`);
  });
  const scratchUrl = new URL(url);
  scratchUrl.pathname = `/${name}`;
  try {
    await work(scratchUrl.href);
  } catch (error) {
    if (errorCode(error) !== DISK_FULL) throw error;
    const message =
      'The disk of the database has no room to restore the backup for a test. The scratch database was removed; use another server.';
    throw new CommandError(message, { cause: error });
  } finally {
    await withConnection(url, new AbortController().signal, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
  }
}

async function removeLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
    SCRATCH_PREFIX,
  ]);
  for (const { datname } of rows) {
    await client.query(`DROP DATABASE IF EXISTS "${datname}"`).catch((error: unknown) => {
      // Another process restores into it.
      if (errorCode(error) !== OBJECT_IN_USE) throw error;
    });
  }
}

async function compareTable(client: pg.Client, table: BackupTable, { folder, progress, signal }: TestRestoreOptions): Promise<void> {
  const source = client.query(copyTo(`COPY ${copyList(table, '')} TO STDOUT`));
  const restored = new Measured(['sha256'], (count) => progress.advance(count));
  await pipeline(source, restored, discard(), { signal });
  const written = new Measured(['sha256']);
  await pipeline(createReadStream(join(folder, rowsFile(table))), createGunzip(), written, discard(), { signal });
  const name = `${table.schema}.${table.name}`;
  if (source.rowCount !== table.rows) {
    throw new CommandError(`The restored table ${name} has ${source.rowCount} rows, and that of the backup has ${table.rows}.`);
  }
  if (table.name !== CHANGED_BY_RESTORE && restored.digest('sha256') !== written.digest('sha256'))
    throw new CommandError(`The restored table ${name} has other content than that of the backup.`);
}

async function compareSequences(client: pg.Client, store: Pick<Store, 'plant'>, manifest: Manifest): Promise<void> {
  const restored = await readSequences({ client, store }, Object.keys(manifest.schemas));
  const values = new Map(restored.map(({ schema, name, lastValue }) => [`${schema}.${name}`, lastValue]));
  for (const { schema, name, lastValue } of manifest.sequences) {
    const found = values.get(`${schema}.${name}`);
    if (found !== lastValue) throw new CommandError(`The restored sequence ${schema}.${name} is at ${found}, not at ${lastValue}.`);
  }
}

/** Compares the files of the backup, whose digests are checked, with the restored rows that name them. */
async function compareFiles(client: pg.Client, { folder, manifest }: TestRestoreOptions): Promise<void> {
  const named = (table: string) => storedName({ schema: RAW_DATA_SCHEMA, name: table }, '');
  await client.query('CREATE TEMPORARY TABLE backup_file (name uuid PRIMARY KEY, bytes bigint NOT NULL)');
  for await (const page of listedFiles(folder)) {
    await client.query('INSERT INTO backup_file SELECT * FROM unnest($1::uuid[], $2::bigint[])', [
      page.map(({ name }) => name),
      page.map(({ bytes }) => bytes),
    ]);
  }
  const { rows } = await client.query<{ name: string; bytes: string; found: string | null }>(
    `SELECT object_name::text AS name, size_bytes::text AS bytes, backup_file.bytes::text AS found
     FROM (SELECT object_name, size_bytes FROM ${named('raw_data_object')}) AS object
     LEFT JOIN backup_file ON backup_file.name = object_name
     WHERE backup_file.bytes IS DISTINCT FROM size_bytes AND NOT object_name = ANY($1::uuid[]) LIMIT 1`,
    [manifest.missing],
  );
  const [first] = rows;
  if (first) {
    const found = first.found === null ? 'does not hold it' : `holds ${first.found}`;
    throw new CommandError(`A restored row names the object ${first.name} with ${first.bytes} bytes, and the backup ${found}.`);
  }
}
