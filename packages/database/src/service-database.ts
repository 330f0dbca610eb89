import type { ChangeEnvelope, Tracer } from '@sinebar/contracts';
import type { Database, Migration } from './database.ts';
import { failureFields, type DatabaseLog } from './log.ts';
import { migrate } from './migrations/migrate.ts';
import { awaitPlant } from './migrations/plant-schema.ts';
import { openDatabase } from './open-database.ts';
import { RelayWaker } from './outbox/relay-waker.ts';
import { OutboxRelay } from './outbox/outbox-relay.ts';
import type { StreamLimits } from './pool/stream-shares.ts';
import { waitForSchema } from './migrations/schema-version.ts';
import { refuseUnfinishedRestore } from './migrations/unfinished-restore.ts';

/** The event stream from the view of an outbox. */
export interface OutboxStream {
  publish: (envelopes: readonly ChangeEnvelope[]) => Promise<void>;
  /** Number of leading envelopes that are stored although `publish` failed with this error. */
  storedCountOf: (error: unknown) => number;
  /** Wakes the replica with the active relay. */
  wake: () => void;
  onWake: (listen: () => void) => Promise<{ stop: () => Promise<void> }>;
}

export interface ServiceDatabaseOptions {
  url: string;
  schema: string;
  /** Plant to which the schema belongs, empty for the only one; its schema must exist, except for the only plant. */
  plant: string;
  /** Also used as name of the connections. */
  service: string;
  migrations: readonly Migration[];
  /** False waits until another process has migrated the schema. */
  migrateAtStart: boolean;
  poolSizes: { requests: number; streams: number };
  streamLimits?: StreamLimits;
  /** Time in milliseconds to wait for a server that does not answer yet. */
  startTimeoutMs: number;
  stream: OutboxStream;
  log: DatabaseLog;
  tracer?: Tracer | undefined;
  signal?: AbortSignal;
}

export interface ServiceDatabase {
  database: Database;
  relay: OutboxRelay;
  close(): Promise<void>;
}

/**
 * Opens the database of one service, migrates its schema and runs its outbox relay.
 * @throws UnsuitableDatabaseError, SchemaTooNewError, MigrationError; ServiceError `Unavailable` when the server does not answer in time
 */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<ServiceDatabase> {
  const { url, schema, plant, service, migrations, stream, log, startTimeoutMs, signal } = options;
  const ofPlant = plant === '' ? '' : ` ${plant}`;
  const common = { log, ...(signal && { signal }) };
  if (plant !== '') await awaitPlant(url, { schema, plant }, { ...common, timeoutMs: startTimeoutMs });
  if (options.migrateAtStart) await migrate(url, schema, migrations, { ...common, startTimeoutMs });
  else await waitForSchema(url, schema, migrations, { ...common, timeoutMs: startTimeoutMs });
  const database = await openDatabase({
    url,
    schema,
    applicationName: `sinebar ${service}${ofPlant}`,
    eventSource: `/${service}`,
    poolSizes: options.poolSizes,
    streamLimits: options.streamLimits ?? {},
    startTimeoutMs,
    log,
    tracer: options.tracer,
  });
  try {
    await refuseUnfinishedRestore(database, plant);
  } catch (error) {
    await database.close();
    throw error;
  }
  const relay = new OutboxRelay({
    url,
    schema,
    applicationName: `sinebar ${service} outbox${ofPlant}`,
    publish: (envelopes) => stream.publish(envelopes),
    storedCountOf: stream.storedCountOf,
    log,
    tracer: options.tracer,
  });
  const waker = new RelayWaker({ relay, signal: () => stream.wake() });
  database.onAnnounced(() => waker.wake());
  relay.start();
  const closeParts = async () => {
    waker.stop();
    await relay.stop();
    await database.close();
  };
  try {
    const listening = await stream.onWake(() => relay.wake());
    return {
      database,
      relay,
      close: async () => {
        await listening.stop().catch((error: unknown) => log.warn(failureFields(error), 'the wake-up signal could not be ended'));
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}
