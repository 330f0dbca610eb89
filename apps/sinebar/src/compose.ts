import { join } from 'node:path';
import { authenticationTypesOf, openAuthentication, type Authentication, type AuthenticationSettings } from '@sinebar/authentication';
import { schemaOfPlant, type Tracer } from '@sinebar/contracts';
import type { Database, Migration, ServiceDatabase } from '@sinebar/database';
import type { EventsSettings } from '@sinebar/events';
import type { InspectionSettings } from '@sinebar/inspection';
import type { Bus } from '@sinebar/message-bus';
import type { BlobStore, FileStoreSettings, RawDataSettings } from '@sinebar/raw-data';
import {
  busOptions,
  databaseUrl,
  openSpool,
  PRODUCT_VERSION,
  Spool,
  streamLimits,
  withOutbox,
  type busSettings,
  type BuiltServices,
  type ComposedService,
  type databaseSettings,
  type HealthCheck,
  type Logger,
  type ServerSettings,
  type SettingDefinitions,
  type SettingsOf,
} from '@sinebar/runtime';
import type { ServiceName, StoringService } from './services.ts';
import type { StandaloneSettings } from './settings.ts';

/** Registers a resource to close at the end, in reverse order; also used after a failed composition. */
type OnClose = (name: string, close: () => Promise<void>) => void;

/** Settings of any services in one process; those of services that do not run are missing. */
export type ServicesSettings = ServerSettings &
  AuthenticationSettings &
  SettingsOf<typeof databaseSettings> &
  SettingsOf<typeof busSettings> &
  FileStoreSettings &
  InspectionSettings &
  RawDataSettings &
  EventsSettings;

interface Schema {
  schema: string;
  migrations: readonly Migration[];
  extensions: readonly string[];
}

/** What the services of a process share. */
interface Shared {
  settings: ServerSettings & AuthenticationSettings & InspectionSettings & RawDataSettings & EventsSettings;
  authentication: Authentication;
  bus: Bus;
  spool: Spool;
  blobs: BlobStore;
  /** Whether no other process writes to the store for files. */
  soleOwner: boolean;
  openDatabase: (service: StoringService, poolSizes: { requests: number; streams: number }) => Promise<ServiceDatabase>;
  /** Checks the event stream in a broker of others. */
  claimStream?: (database: Database) => Promise<void>;
  logOf: (service: ServiceName) => Logger;
  tracer: Tracer | undefined;
}

/** Every service is loaded only where it runs. */
const COMPOSE: Readonly<Record<ServiceName, (shared: Shared) => Promise<ComposedService>>> = {
  inspection: async ({ settings, authentication, bus, spool, openDatabase, claimStream, logOf }) => {
    const [{ composeInspection }, { webRoutes }] = await Promise.all([import('@sinebar/inspection'), import('./web/web-routes.ts')]);
    const { SINEBAR_INSPECTION_POOL: requests, SINEBAR_INSPECTION_STREAM_POOL: streams, SINEBAR_SERVER_NAME: serverName } = settings;
    const { database, relay } = await openDatabase('inspection', { requests, streams });
    await claimStream?.(database);
    const server = { serverName, version: PRODUCT_VERSION, securityEnabled: authentication.authenticator.securityEnabled };
    const deps = { database, bus, spool, settings, server, addressOf: authentication.addressOf };
    const service = composeInspection({ ...deps, log: logOf('inspection'), now: () => new Date() });
    return withOutbox({ ...service, routes: [...service.routes, ...webRoutes(authentication)] }, relay);
  },
  'raw-data': async ({ settings, bus, spool, blobs, soleOwner, openDatabase, logOf }) => {
    const { composeRawData } = await import('@sinebar/raw-data');
    const { SINEBAR_RAW_DATA_POOL: requests, SINEBAR_RAW_DATA_STREAM_POOL: streams } = settings;
    const { database, relay } = await openDatabase('raw-data', { requests, streams });
    const deps = { database, bus, blobs, spool, soleOwner, settings, version: PRODUCT_VERSION };
    return withOutbox(composeRawData({ ...deps, log: logOf('raw-data'), now: () => new Date() }), relay);
  },
  events: async ({ settings, authentication: { authenticator, addressOf }, bus, logOf, tracer }) => {
    const { composeEvents } = await import('@sinebar/events');
    const authenticationTypes = authenticationTypesOf(settings.SINEBAR_AUTHENTICATION);
    return composeEvents({ bus, log: logOf('events'), tracer, settings, authenticator, authenticationTypes, addressOf });
  },
};

export async function schemaOf(service: StoringService): Promise<Schema> {
  if (service === 'inspection') {
    const { INSPECTION_SCHEMA, inspectionMigrations } = await import('@sinebar/inspection');
    return { schema: INSPECTION_SCHEMA, migrations: inspectionMigrations, extensions: [] };
  }
  const { RAW_DATA_SCHEMA, rawDataMigrations } = await import('@sinebar/raw-data');
  return { schema: RAW_DATA_SCHEMA, migrations: rawDataMigrations, extensions: ['pg_trgm'] };
}

/** Returns the settings of services that share a process. */
export async function settingsOf(services: readonly ServiceName[]): Promise<SettingDefinitions> {
  return {
    ...(services.includes('inspection') && (await import('@sinebar/inspection')).inspectionProcessSettings),
    ...(services.includes('raw-data') && (await import('@sinebar/raw-data')).rawDataProcessSettings),
    ...(services.includes('events') && (await import('@sinebar/events')).eventsProcessSettings),
  };
}

/** Composes services that find the others over NATS, with the stores that their settings name. Opens no port. */
export async function composeServices(
  services: readonly ServiceName[],
  settings: ServicesSettings,
  log: Logger,
  tracer: Tracer | undefined,
): Promise<BuiltServices> {
  const closers: (() => unknown)[] = [];
  const onClose: OnClose = (_name, close) => closers.unshift(close);
  const authentication = await openAuthentication(settings, log);
  onClose('authentication', () => authentication.close());
  const startTimeoutMs = (settings.SINEBAR_START_TIMEOUT_S ?? 0) * 1000;
  const stores = services.includes('raw-data') && (await (await import('@sinebar/raw-data')).openBlobStore(settings, log, startTimeoutMs));
  if (stores) closers.unshift(() => stores.close());
  const spools = services.some((name) => name !== 'events') && (await openSpool(settings));
  if (spools) onClose('spool', spools.close);
  const { connectNatsBus } = await import('@sinebar/message-bus');
  const events = busOptions(settings);
  const bus = await connectNatsBus({ ...events, name: `sinebar ${services.join(' ')}`, ownsStream: services.includes('inspection'), log });
  onClose('message bus', () => bus.close());
  const { SINEBAR_PLANT: plant } = settings;
  const shared: Shared = {
    settings,
    authentication,
    bus,
    // A service that stores no files does not use them.
    spool: spools ? spools.spool : (undefined as never),
    blobs: stores ? stores.blobs : (undefined as never),
    soleOwner: false,
    tracer,
    logOf: (name) => (services.length === 1 ? log : log.child({ service: name })),
    openDatabase: databaseOpener({
      settings,
      bus,
      log,
      tracer,
      onClose,
      plant,
      startTimeoutMs,
      url: () => databaseUrl(settings),
      migrateAtStart: settings.SINEBAR_MIGRATE,
    }),
    claimStream: async (database) => {
      const { INSPECTION_SCHEMA, refuseForeignStream } = await import('@sinebar/inspection');
      const stream = { ...events, name: events.streamName };
      await refuseForeignStream({ plant, schema: schemaOfPlant(INSPECTION_SCHEMA, plant), database, stream });
    },
  };
  const composed: ComposedService[] = [];
  for (const name of services) composed.push(await COMPOSE[name](shared));
  const close = async () => {
    for (const closeNext of closers) await closeNext();
  };
  const { authenticate, health: ownHealth, metrics: ownMetrics } = authentication;
  return { services: composed, authenticate, ownHealth, ownMetrics, close };
}

export interface OneProcessDependencies {
  /** The database; `state` is that of an embedded server. */
  postgres: { url: string; state?: () => { state: string; detail: string } };
  /** Folder with the files in its subfolder `files`, and incomplete uploads in `spool`. */
  dataDir: string;
  settings: StandaloneSettings;
  authentication: Authentication;
  log: Logger;
  /** Creates spans of requests and of the work they cause. */
  tracer?: Tracer | undefined;
  /** Whether this process brings the schemas up to date; by default it does. */
  migrateAtStart?: boolean;
  signal: AbortSignal;
  onClose: OnClose;
}

/** Time limit in milliseconds for the database, which runs already. */
const DATABASE_START_MS = 60_000;

/** Composes the three services on one database, one folder and a bus of this process. Opens no port. */
export async function composeOneProcess(
  deps: OneProcessDependencies,
): Promise<{ services: ComposedService[]; health: () => Promise<HealthCheck[]> }> {
  const { postgres, dataDir, settings, authentication, log, tracer, signal, onClose } = deps;
  const [{ createInProcessBus }, { FileBlobStore }, { StoredMessageLog }, { refuseOtherPlant }] = await Promise.all([
    import('@sinebar/message-bus'),
    import('@sinebar/raw-data'),
    import('./stored-message-log.ts'),
    import('./sole-plant.ts'),
  ]);
  await refuseOtherPlant(postgres.url, settings.SINEBAR_PLANT);
  const messages = await StoredMessageLog.open({
    url: postgres.url,
    maxMessages: settings.SINEBAR_EVENT_LOG_MESSAGES,
    maxBytes: settings.SINEBAR_EVENT_LOG_BYTES,
    onConnectionError: (error) => log.warn({ reason: error.message }, 'a database connection of the event log broke'),
  });
  onClose('event log', () => messages.close());
  const bus = createInProcessBus({ log: messages, report: log });
  onClose('message bus', () => bus.close());
  // The spool lies by default on the file system of the files, so a complete upload is renamed, not copied.
  const { SINEBAR_SPOOL_DIR: spoolFolder, SINEBAR_SPOOL_BYTES: quotaBytes } = settings;
  const spool = new Spool(spoolFolder ?? join(dataDir, 'spool'), { quotaBytes, isShared: spoolFolder !== undefined });
  const blobs = new FileBlobStore(join(dataDir, 'files'));
  await blobs.prepare(new Date(), false);
  const openDatabase = databaseOpener({
    settings,
    bus,
    log,
    tracer,
    onClose,
    signal,
    url: () => postgres.url,
    // The plant was checked, and the schema of a new one is created here.
    plant: '',
    migrateAtStart: deps.migrateAtStart ?? true,
    startTimeoutMs: DATABASE_START_MS,
  });
  const logOf = (service: ServiceName) => log.child({ service });
  const shared = { settings, authentication, bus, spool, blobs, soleOwner: true, openDatabase, logOf, tracer };
  const services = [await COMPOSE.inspection(shared), await COMPOSE['raw-data'](shared), await COMPOSE.events(shared)];
  return { services, health: async () => [...databaseHealth(postgres), ...(await authentication.health())] };
}

interface OpenerDependencies {
  settings: ServerSettings & InspectionSettings;
  url: () => string;
  /** Plant whose schema must exist, empty for one that is created. */
  plant: string;
  migrateAtStart: boolean;
  startTimeoutMs: number;
  bus: Bus;
  log: Logger;
  tracer: Tracer | undefined;
  signal?: AbortSignal;
  onClose: OnClose;
}

function databaseOpener({ settings, url, bus, onClose, ...options }: OpenerDependencies): Shared['openDatabase'] {
  return async (service, poolSizes) => {
    options.signal?.throwIfAborted();
    const [{ openServiceDatabase }, { outboxStream }] = await Promise.all([import('@sinebar/database'), import('@sinebar/message-bus')]);
    const { schema, migrations } = await schemaOf(service);
    const backing = await openServiceDatabase({
      ...options,
      service,
      migrations,
      poolSizes,
      url: url(),
      schema: schemaOfPlant(schema, settings.SINEBAR_PLANT),
      streamLimits: streamLimits(settings),
      stream: outboxStream(bus, service),
    });
    onClose(`${service} database`, () => backing.close());
    return backing;
  };
}

function databaseHealth(postgres: OneProcessDependencies['postgres']): HealthCheck[] {
  if (!postgres.state) return [];
  const { state, detail } = postgres.state();
  return [{ name: 'embedded PostgreSQL', healthy: state === 'running', detail }];
}
