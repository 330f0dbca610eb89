import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@sinebar/database';
import { createInProcessBus, MemoryMessageLog } from '@sinebar/message-bus';
import { composeRawData, fileStoreSettings, openBlobStore, RAW_DATA_SCHEMA, rawDataSettings } from '@sinebar/raw-data';
import { createLogger, loadSettings, Spool } from '@sinebar/runtime';
import { startRestrictedServer, type RestrictedServer } from '../restricted-server.ts';

const START_TIMEOUT_MS = 10_000;

/** Starts the raw-data service on an existing database and store, without its follower. */
export async function startRestrictedRawData(databaseUrl: string): Promise<RestrictedServer> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const spoolFolder = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  const store = await openBlobStore(loadSettings(fileStoreSettings, process.env).values, log, START_TIMEOUT_MS);
  const database = await openDatabase({ url: databaseUrl, schema: RAW_DATA_SCHEMA, applicationName: 'bench', eventSource: '/bench' });
  const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10 }) });
  // The stored position is taken as the end of the stream, as no follower runs; otherwise restricted callers would see nothing.
  const [end] = await database.read({ signal: AbortSignal.timeout(START_TIMEOUT_MS), statementTimeoutMs: START_TIMEOUT_MS }, (session) =>
    session.query<{ epoch: string; sequence: number }>('SELECT epoch, sequence::float8 AS sequence FROM follow_position'),
  );
  if (!end) throw new Error('the parts were never followed');
  bus.streamState = () => Promise.resolve({ epoch: end.epoch, firstSequence: 1, lastSequence: end.sequence });
  const { routes } = composeRawData({
    database,
    bus,
    blobs: store.blobs,
    spool: new Spool(spoolFolder),
    soleOwner: false,
    settings: loadSettings(rawDataSettings, {}).values,
    version: '0',
    log,
    now: () => new Date(),
  });
  return startRestrictedServer(routes, log, async () => {
    await bus.close();
    await database.close();
    store.close();
    await rm(spoolFolder, { recursive: true, force: true });
  });
}
