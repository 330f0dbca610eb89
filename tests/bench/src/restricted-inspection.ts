import { openDatabase, type Database } from '@sinebar/database';
import { composeInspection, INSPECTION_SCHEMA } from '@sinebar/inspection';
import { createInProcessBus, MemoryMessageLog } from '@sinebar/message-bus';
import { createLogger, openSpool } from '@sinebar/runtime';
import { startRestrictedServer, type RestrictedServer } from './restricted-server.ts';

export async function startRestrictedInspection(databaseUrl: string): Promise<RestrictedServer> {
  const log = createLogger({ service: 'bench', level: 'warn' });
  const database: Database = await openDatabase({
    url: databaseUrl,
    schema: INSPECTION_SCHEMA,
    applicationName: 'bench',
    eventSource: '/bench',
  });
  const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 10 }) });
  const { spool, close: closeSpool } = await openSpool({ SINEBAR_SPOOL_DIR: undefined, SINEBAR_SPOOL_BYTES: 0 });
  const service = composeInspection({
    database,
    bus,
    log,
    now: () => new Date(),
    server: { serverName: 'bench', version: '0', securityEnabled: false },
    spool,
    settings: { SINEBAR_VERSIONING: 'off', SINEBAR_SEARCH_CASE_SENSITIVE: false, SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: true },
  });
  await service.start();
  return startRestrictedServer(service.routes, log, async () => {
    await service.stop();
    await bus.close();
    await database.close();
    await closeSpool();
  });
}
