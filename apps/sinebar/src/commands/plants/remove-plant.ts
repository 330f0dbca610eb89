import { advisoryKey, unfinishedRestore } from '@sinebar/database';
import { inspectNatsStream, removeNatsStream, type StreamReport } from '@sinebar/message-bus';
import type pg from 'pg';
import { withConnection } from '../backup/connection.ts';
import { CommandError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import { sizeText } from '../../command-line/size-text.ts';
import type { Store } from '../../stores/store.ts';
import { readSizeBytes, requirePlant } from './plant-store.ts';

const PAGE = 1000;

/** Content that a removal deletes. */
export interface Removal {
  schemas: string[];
  bytes: number;
  stream: StreamReport | undefined;
  files: { count: number; bytes: number };
}

/** Finds what belongs to the plant. @throws CommandError when there is no such plant, or when its services run */
export async function planRemoval(store: Store, signal: AbortSignal): Promise<Removal> {
  const { schemas, bytes } = await withConnection(store.databaseUrl, signal, async (client) => {
    const found = await requirePlant(client, store);
    await refuseUsed(client, store, found);
    return { schemas: found, bytes: await readSizeBytes(client, found) };
  });
  const stream = store.stream && (await inspectNatsStream(store.stream));
  const files = { count: 0, bytes: 0 };
  for await (const { sizeBytes } of store.blobs.list()) {
    files.count += 1;
    files.bytes += sizeBytes;
  }
  return { schemas, bytes, stream, files };
}

export function describeRemoval(store: Store, { schemas, bytes, stream, files }: Removal): string[] {
  return [
    `The plant "${store.plant}" and everything in it:`,
    `  rows     ${sizeText(bytes)} in the schemas ${schemas.join(' and ')}`,
    `  files    ${files.count} stored objects (${sizeText(files.bytes)})`,
    store.stream === undefined
      ? '  events   NATS_URL is not set: the event stream stays'
      : `  events   ${stream?.messages ?? 0} messages of the event stream ${store.stream.name}`,
  ];
}

/** Removes events, files and rows, in this order: a removal that was interrupted can be repeated as long as the schemas exist. */
export async function removePlant(store: Store, removal: Removal, progress: Progress, signal: AbortSignal): Promise<void> {
  await withConnection(store.databaseUrl, signal, async (client) => {
    await refuseUsed(client, store, removal.schemas);
    if (store.stream !== undefined && removal.stream !== undefined) await removeNatsStream(store.stream);
    await removeFiles(store, removal.files.count, progress, signal);
    progress.stage('Removing rows', 'schemas', removal.schemas.length);
    await client.query('BEGIN');
    await keepExtensions(client, removal.schemas);
    for (const schema of [...removal.schemas, unfinishedRestore(store.plant).schema]) {
      await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    }
    await client.query('COMMIT');
    progress.advance(removal.schemas.length);
  });
}

async function removeFiles({ blobs }: Store, count: number, progress: Progress, signal: AbortSignal): Promise<void> {
  progress.stage('Removing files', 'files', count);
  for (;;) {
    signal.throwIfAborted();
    const names: string[] = [];
    for await (const { name } of blobs.list()) if (names.push(name) === PAGE) break;
    if (names.length === 0) return;
    await blobs.remove(names);
    progress.advance(names.length);
  }
}

/** A running service holds the lock of its outbox; this session then holds it until it ends, so that none starts meanwhile. */
async function refuseUsed(client: pg.Client, { plant }: Store, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) {
    const { rows } = await client.query<{ free: boolean }>(`SELECT pg_try_advisory_lock(${advisoryKey('outbox', { schema })}) AS free`);
    if (rows[0]?.free === true) continue;
    throw new CommandError(`The plant "${plant}" is in use: a service works on the schema ${schema}. Stop its services, then remove it.`);
  }
}

/** Other plants use an extension that a migration created in the schema of this one. */
async function keepExtensions(client: pg.Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT extname AS name FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE nspname = ANY($1)`,
    [schemas],
  );
  for (const { name } of rows) await client.query(`ALTER EXTENSION ${client.escapeIdentifier(name)} SET SCHEMA public`);
}
