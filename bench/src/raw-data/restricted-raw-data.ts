import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYONE, type Principal } from '@sinebar/access-control';
import { openDatabase } from '@sinebar/database';
import { createInProcessBus, MemoryMessageLog } from '@sinebar/message-bus';
import { composeRawData, fileStoreSettings, openBlobStore, RAW_DATA_SCHEMA, rawDataSettings } from '@sinebar/raw-data';
import { closeHttpServer, createHttpApp, createHttpServer, createLogger, listen, loadSettings } from '@sinebar/service-kit';

/** The raw-data service on an existing database and store, for callers of the measurement's choice; it only answers, and follows nothing. */
export interface RestrictedRawData {
  url: string;
  /** Stored path of the one subtree that requests from now on may see; `undefined`: everything. */
  restrictTo: (prefix: string | undefined) => void;
  stop: () => Promise<void>;
}

const START_TIMEOUT_MS = 10_000;

export async function startRestrictedRawData(databaseUrl: string): Promise<RestrictedRawData> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const spoolFolder = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  const store = await openBlobStore(loadSettings(fileStoreSettings, process.env).values, log, START_TIMEOUT_MS);
  const database = await openDatabase({ url: databaseUrl, schema: RAW_DATA_SCHEMA, applicationName: 'bench', eventSource: '/bench' });
  const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10 }) });
  const { routes } = composeRawData({
    database,
    bus,
    blobs: store.blobs,
    spoolFolder,
    soleOwner: false,
    settings: loadSettings(rawDataSettings, {}).values,
    version: '0',
    log,
    now: () => new Date(),
  });
  let principal: Principal = EVERYONE;
  const server = createHttpServer(createHttpApp({ routes, log, authenticate: () => Promise.resolve(principal) }));
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    restrictTo: (prefix) => {
      principal = prefix === undefined ? EVERYONE : { name: 'bench', rightsKey: prefix, partsWith: () => [{ prefix }], holds: () => false };
    },
    stop: async () => {
      await closeHttpServer(server, 1000);
      await bus.close();
      await database.close();
      store.close();
      await rm(spoolFolder, { recursive: true, force: true });
    },
  };
}
