import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYONE, type Principal } from '@sinebar/access-control';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { migrate, openDatabase, type Database, type Session } from '@sinebar/database';
import { createInProcessBus, MemoryMessageLog, type Bus } from '@sinebar/message-bus';
import { closeHttpServer, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import { createLogger, Spool } from '@sinebar/runtime';
import { createTestDatabase, eventually, templateDatabase, vacuum } from '@sinebar/testing';
import { composeInspection, type InspectionDependencies } from './compose.ts';
import { INSPECTION_SCHEMA, inspectionMigrations } from './migrations/index.ts';

/** An inspection service for tests, on a database of its own. */
export type AnnouncedEvent = { type: string } & Record<string, unknown>;

export interface RunningInspection {
  server: Server;
  database: Database;
  bus: Bus;
  vacuum: () => Promise<void>;
  /** Runs requests as another principal, or each as the next one that a function returns. */
  as: (principal: Principal | (() => Principal), run: () => Promise<void>) => Promise<void>;
  /** Reads every event announced so far, oldest first, but those of alarms. */
  announced: () => Promise<AnnouncedEvent[]>;
  announcedAlarms: () => Promise<AnnouncedEvent[]>;
  /** Reads the messages of `announced`: the judge announces alarms at any time, so tests could not count them. */
  envelopes: () => Promise<ChangeEnvelope[]>;
  /** Number of files that are received for imports. */
  spooling: () => number;
  stop: () => Promise<void>;
}

export async function startInspection(
  settings: Partial<InspectionDependencies['settings']> = {},
  spoolFolder?: string,
  more: Partial<Pick<InspectionDependencies, 'users' | 'now'>> = {},
): Promise<RunningInspection> {
  const log = createLogger({ service: 'test', level: 'error' });
  const migrations = inspectionMigrations.map(({ name, up }) => `${name} ${up.toString()}`).join('\n');
  const template = templateDatabase(migrations, async (url) => {
    await migrate(url, INSPECTION_SCHEMA, inspectionMigrations);
  });
  const testDatabase = await createTestDatabase(template);
  const database = await openDatabase({
    url: testDatabase.url,
    schema: INSPECTION_SCHEMA,
    applicationName: 'test',
    eventSource: '/inspection',
    // The jobs of a start would open ten; each costs PostgreSQL a process, and most tests start a service of their own.
    poolSizes: { requests: 5, streams: 5 },
  });
  const bus = createInProcessBus({ log: new MemoryMessageLog({ maxMessages: 1000 }) });
  const temporary = await mkdtemp(join(tmpdir(), 'sinebar-inspection-'));
  const spool = new Spool(spoolFolder ?? join(temporary, 'spool'));
  const service = composeInspection({
    database,
    bus,
    log,
    now: () => new Date(),
    server: { serverName: 'test', version: '1.2.3', securityEnabled: false },
    spool,
    settings: {
      SINEBAR_VERSIONING: 'off',
      SINEBAR_SEARCH_CASE_SENSITIVE: false,
      SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: true,
      ...settings,
    },
    ...more,
  });
  let principalOf = () => EVERYONE;
  const server = createHttpServer(createHttpApp({ routes: service.routes, log, authenticate: () => Promise.resolve(principalOf()) }));
  await service.start();
  await listen(server, 0, '127.0.0.1');

  const allEnvelopes = () =>
    database.read({ signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 }, async (session) => {
      const rows = await session.query<{ envelope: string }>('SELECT envelope FROM outbox ORDER BY id');
      return rows.map(({ envelope }) => JSON.parse(envelope) as ChangeEnvelope);
    });
  const envelopes = async () => (await allEnvelopes()).filter((envelope) => !isOfAlarm(envelope));
  return {
    server,
    database,
    bus,
    vacuum: () => vacuum(testDatabase),
    as: async (other, run) => {
      principalOf = typeof other === 'function' ? other : () => other;
      try {
        await run();
      } finally {
        principalOf = () => EVERYONE;
      }
    },
    envelopes,
    announced: async () => (await envelopes()).flatMap(eventsOf),
    announcedAlarms: async () => (await allEnvelopes()).filter(isOfAlarm).flatMap(eventsOf),
    spooling: () => spool.usage.receiving,
    stop: async () => {
      await closeHttpServer(server, 1000);
      await service.stop();
      await bus.close();
      const leaked = database.poolUsage().requests.used;
      await database.close();
      await testDatabase.drop();
      await rm(temporary, { recursive: true, force: true });
      if (leaked > 0) throw new Error(`${leaked} connections are not back in the pool`);
    },
  };
}

/** Resolves when another session waits for a lock of this one. */
export async function lockIsAwaited(database: Database, holder: Session): Promise<void> {
  const [own] = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))';
  await eventually(async () => {
    const options = { signal: AbortSignal.timeout(5000), statementTimeoutMs: 5000 };
    return (await database.read(options, (session) => session.query(waiting, [own?.pid]))).length > 0;
  });
}

const isOfAlarm = ({ type }: ChangeEnvelope) => type.startsWith('Alarm');
const eventsOf = ({ type, data }: ChangeEnvelope): AnnouncedEvent[] => data.events.map((event) => ({ type, ...event }));
