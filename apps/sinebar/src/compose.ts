import { join } from 'node:path';
import { authenticationTypesOf, type Authentication } from '@sinebar/authentication';
import { schemaOfPlant, type Tracer } from '@sinebar/contracts';
import { openServiceDatabase, type Migration, type ServiceDatabase } from '@sinebar/database';
import { composeEvents } from '@sinebar/events';
import { composeInspection, INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { createInProcessBus, outboxStream } from '@sinebar/message-bus';
import { composeRawData, FileBlobStore, RAW_DATA_SCHEMA, rawDataMigrations } from '@sinebar/raw-data';
import { PRODUCT_VERSION, Spool, streamLimits, withOutbox, type HealthCheck, type Logger, type ComposedService } from '@sinebar/runtime';
import type { StandaloneSettings } from './commands/start/config.ts';
import type { EmbeddedPostgres } from '@sinebar/local-servers';
import { refuseOtherPlant } from './commands/start/plant-of-folder.ts';
import { StoredMessageLog } from './commands/start/stored-message-log.ts';

export interface StandaloneDependencies {
  postgres: Pick<EmbeddedPostgres, 'url' | 'state'>;
  /** Data folder: files in its subfolder `files`, incomplete uploads in `spool`. */
  dataDir: string;
  settings: StandaloneSettings;
  authentication: Authentication;
  log: Logger;
  /** Creates spans of requests and of the work they cause. */
  tracer?: Tracer | undefined;
  signal: AbortSignal;
  /** Registers a resource to close at the end, in reverse order; also used after a failed composition. */
  onClose: (name: string, close: () => Promise<void>) => void;
}

export interface ComposedStandalone {
  services: ComposedService[];
  health: () => Promise<HealthCheck[]>;
}

/** Time limit in milliseconds for the database: this process supervises it, so it runs or restarts. */
const DATABASE_START_MS = 60_000;

/** Composes the three services on one embedded database, one folder and an in-process bus. Opens no port. */
export async function composeStandalone(deps: StandaloneDependencies): Promise<ComposedStandalone> {
  const { postgres, dataDir, settings, authentication, log, tracer, signal, onClose } = deps;
  const plant = settings.SINEBAR_PLANT;
  await refuseOtherPlant(postgres.url, plant);
  const messages = await StoredMessageLog.open({
    url: postgres.url,
    maxMessages: settings.SINEBAR_EVENT_LOG_MESSAGES,
    maxBytes: settings.SINEBAR_EVENT_LOG_BYTES,
    onConnectionError: (error) => log.warn({ reason: error.message }, 'a database connection of the event log broke'),
  });
  onClose('event log', () => messages.close());
  const bus = createInProcessBus({ log: messages, report: log });
  onClose('message bus', () => bus.close());

  const open = async (
    service: string,
    schema: string,
    migrations: readonly Migration[],
    poolSizes: { requests: number; streams: number },
  ): Promise<ServiceDatabase> => {
    signal.throwIfAborted();
    const backing = await openServiceDatabase({
      url: postgres.url,
      schema: schemaOfPlant(schema, plant),
      // The folder was checked, and the schema of a new one is created here.
      plant: '',
      service,
      migrations,
      migrateAtStart: true,
      poolSizes,
      streamLimits: streamLimits(settings),
      startTimeoutMs: DATABASE_START_MS,
      stream: outboxStream(bus, service),
      log,
      tracer,
      signal,
    });
    onClose(`${service} database`, () => backing.close());
    return backing;
  };

  const inspectionBacking = await open('inspection', INSPECTION_SCHEMA, inspectionMigrations, {
    requests: settings.SINEBAR_INSPECTION_POOL,
    streams: settings.SINEBAR_INSPECTION_STREAM_POOL,
  });
  // By default the spool is on the file system of the files, so a complete upload is renamed, not copied.
  const { SINEBAR_SPOOL_DIR: spoolFolder, SINEBAR_SPOOL_BYTES: quotaBytes } = settings;
  const spool = new Spool(spoolFolder ?? join(dataDir, 'spool'), { quotaBytes, isShared: spoolFolder !== undefined });
  const inspection = composeInspection({
    database: inspectionBacking.database,
    bus,
    log: log.child({ service: 'inspection' }),
    now: () => new Date(),
    server: {
      serverName: settings.SINEBAR_SERVER_NAME,
      version: PRODUCT_VERSION,
      securityEnabled: authentication.authenticator.securityEnabled,
    },
    spool,
    settings,
    addressOf: authentication.addressOf,
    tokenInformation: authentication.tokenInformation,
    signInOrigins: authentication.signInOrigins,
  });
  const rawDataBacking = await open('raw-data', RAW_DATA_SCHEMA, rawDataMigrations, {
    requests: settings.SINEBAR_RAW_DATA_POOL,
    streams: settings.SINEBAR_RAW_DATA_STREAM_POOL,
  });
  const blobs = new FileBlobStore(join(dataDir, 'files'));
  await blobs.prepare(new Date(), false);
  const rawData = composeRawData({
    database: rawDataBacking.database,
    bus,
    blobs,
    spool,
    soleOwner: true,
    settings,
    version: PRODUCT_VERSION,
    log: log.child({ service: 'raw-data' }),
    now: () => new Date(),
  });
  const { authenticator, addressOf } = authentication;
  const events = composeEvents({
    bus,
    log: log.child({ service: 'events' }),
    tracer,
    settings,
    authenticator,
    authenticationTypes: authenticationTypesOf(settings.SINEBAR_AUTHENTICATION),
    addressOf,
  });

  return {
    services: [withOutbox(inspection, inspectionBacking.relay), withOutbox(rawData, rawDataBacking.relay), events],
    health: async () => [databaseHealth(postgres), ...(await authentication.health())],
  };
}

function databaseHealth(postgres: Pick<EmbeddedPostgres, 'state'>): HealthCheck {
  const { state, detail } = postgres.state();
  return { name: 'embedded PostgreSQL', healthy: state === 'running', detail };
}
