import { EVERYONE, type Principal } from '@sinebar/access-control';
import { openDatabase, type Database } from '@sinebar/database';
import { composeInspection, INSPECTION_SCHEMA } from '@sinebar/inspection';
import { createInProcessBus, MemoryMessageLog } from '@sinebar/message-bus';
import { closeHttpServer, createHttpApp, createHttpServer, createLogger, listen } from '@sinebar/service-kit';

/** The inspection service on an existing database, for callers of the measurement's choice. */
export interface RestrictedInspection {
  url: string;
  /** Stored path of the one subtree that requests from now on may see; `undefined`: everything. */
  restrictTo: (prefix: string | undefined) => void;
  stop: () => Promise<void>;
}

export async function startRestrictedInspection(databaseUrl: string): Promise<RestrictedInspection> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const database: Database = await openDatabase({
    url: databaseUrl,
    schema: INSPECTION_SCHEMA,
    applicationName: 'bench',
    eventSource: '/bench',
  });
  const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10 }) });
  const service = composeInspection({
    database,
    bus,
    log,
    now: () => new Date(),
    server: { serverName: 'bench', version: '0', securityEnabled: false },
    settings: { SINEBAR_VERSIONING: 'off', SINEBAR_SEARCH_CASE_SENSITIVE: false, SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: true },
  });
  let principal: Principal = EVERYONE;
  const server = createHttpServer(createHttpApp({ routes: service.routes, log, authenticate: () => Promise.resolve(principal) }));
  await service.start();
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    restrictTo: (prefix) => {
      principal = prefix === undefined ? EVERYONE : { name: 'bench', rightsKey: prefix, partsWith: () => [{ prefix }], holds: () => false };
    },
    stop: async () => {
      await closeHttpServer(server, 1000);
      await service.stop();
      await bus.close();
      await database.close();
    },
  };
}
