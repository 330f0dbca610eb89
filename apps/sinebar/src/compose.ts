import { authenticationSettings, authenticationTypesOf } from '@sinebar/authentication';
import { schemaOfPlant, type Tracer } from '@sinebar/contracts';
import type { Migration, ServiceDatabase, ServiceDatabaseOptions } from '@sinebar/database';
import type { Bus } from '@sinebar/message-bus';
import {
  PRODUCT_VERSION,
  serverSettings,
  streamLimits,
  streamSettings,
  withOutbox,
  type BuiltServices,
  type ComposedService,
  type Logger,
  type SettingDefinitions,
} from '@sinebar/runtime';
import { SERVICE_NAMES, type ServiceName, type StoringService } from './services.ts';
import type { Form } from './stores/form.ts';
import type { OneProcessDependencies } from './stores/one-process-form.ts';
import { pngLogo, webSettings } from './web/logo-file.ts';

const now = () => new Date();

/** Each service is loaded only where it runs. It opens its files first, so that their settings are checked before a broker is awaited. */
const SERVICES: Readonly<Record<ServiceName, (form: Form) => Promise<(bus: Bus) => Promise<ComposedService>>>> = {
  inspection: async (form) => {
    const { composeInspection, inspectionSettings, INSPECTION_SCHEMA, refuseForeignStream } = await import('@sinebar/inspection');
    const { webRoutes } = await import('./web/web-routes.ts');
    const { authentication, stream } = form;
    const pages = webRoutes(authentication, form.settings(webSettings));
    const spool = await form.spool();
    return async (bus) => {
      const settings = form.settings({ ...serverSettings, ...inspectionSettings });
      const { SINEBAR_INSPECTION_POOL: requests, SINEBAR_INSPECTION_STREAM_POOL: streams, SINEBAR_PLANT: plant } = settings;
      const { database, relay } = await openDatabase(form, 'inspection', { requests, streams }, bus);
      if (stream) await refuseForeignStream({ plant, schema: schemaOfPlant(INSPECTION_SCHEMA, plant), database, stream });
      const { securityEnabled } = authentication.authenticator;
      const server = { serverName: settings.SINEBAR_SERVER_NAME, version: PRODUCT_VERSION, securityEnabled };
      const log = form.logOf('inspection');
      const service = composeInspection({
        database,
        bus,
        spool,
        settings,
        server,
        addressOf: authentication.addressOf,
        users: authentication.absentUsers,
        logo: pngLogo(form.settings(webSettings)),
        log,
        now,
      });
      return withOutbox({ ...service, routes: [...service.routes, ...pages] }, relay);
    };
  },
  'raw-data': async (form) => {
    const { composeRawData, rawDataSettings } = await import('@sinebar/raw-data');
    const files = await form.files();
    const spool = await form.spool();
    return async (bus) => {
      const settings = form.settings(rawDataSettings);
      const { SINEBAR_RAW_DATA_POOL: requests, SINEBAR_RAW_DATA_STREAM_POOL: streams } = settings;
      const { database, relay } = await openDatabase(form, 'raw-data', { requests, streams }, bus);
      const log = form.logOf('raw-data');
      return withOutbox(composeRawData({ database, bus, ...files, spool, settings, version: PRODUCT_VERSION, log, now }), relay);
    };
  },
  events: async (form) => {
    const { composeEvents, eventsSettings } = await import('@sinebar/events');
    const settings = form.settings({ ...authenticationSettings, ...eventsSettings });
    const { authenticator, addressOf } = form.authentication;
    const authenticationTypes = authenticationTypesOf(settings.SINEBAR_AUTHENTICATION);
    const deps = { settings, authenticator, authenticationTypes, addressOf, log: form.logOf('events'), tracer: form.tracer };
    return (bus) => Promise.resolve(composeEvents({ bus, ...deps }));
  },
};

async function compose(services: readonly ServiceName[], form: Form): Promise<ComposedService[]> {
  const composers = [];
  for (const name of services) composers.push(await SERVICES[name](form));
  const bus = await form.bus();
  form.closing.add('message bus', () => bus.close());
  const composed = [];
  for (const composeOn of composers) composed.push(await composeOn(bus));
  return composed;
}

async function openDatabase(
  form: Form,
  service: StoringService,
  poolSizes: ServiceDatabaseOptions['poolSizes'],
  bus: Bus,
): Promise<ServiceDatabase> {
  const [{ openServiceDatabase }, { outboxStream }] = await Promise.all([import('@sinebar/database'), import('@sinebar/message-bus')]);
  const { schema, migrations } = await schemaOf(service);
  const { SINEBAR_PLANT: plant, ...streams } = form.settings({ ...serverSettings, ...streamSettings });
  const opened = await openServiceDatabase({
    ...form.database(),
    service,
    schema: schemaOfPlant(schema, plant),
    migrations,
    poolSizes,
    streamLimits: streamLimits(streams),
    stream: outboxStream(bus, service),
    log: form.logOf(service),
    tracer: form.tracer,
  });
  form.closing.add(`${service} database`, () => opened.close());
  return opened;
}

/** Returns the database schema of a service, and what it needs in it. */
export async function schemaOf(
  service: StoringService,
): Promise<{ schema: string; migrations: readonly Migration[]; extensions: readonly string[] }> {
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
    ...(services.includes('inspection') && { ...(await import('@sinebar/inspection')).inspectionProcessSettings, ...webSettings }),
    ...(services.includes('raw-data') && (await import('@sinebar/raw-data')).rawDataProcessSettings),
    ...(services.includes('events') && (await import('@sinebar/events')).eventsProcessSettings),
  };
}

/** Composes services that find the others over NATS. Opens no port. @param loaded settings of these services */
export async function composeServices(
  services: readonly ServiceName[],
  loaded: Readonly<Record<string, unknown>>,
  log: Logger,
  tracer: Tracer | undefined,
): Promise<BuiltServices> {
  const { openServersForm } = await import('./stores/servers-form.ts');
  const form = await openServersForm(services, loaded, log, tracer);
  const { authenticate, health: ownHealth, metrics: ownMetrics } = form.authentication;
  return { services: await compose(services, form), authenticate, ownHealth, ownMetrics, close: () => form.closing.run() };
}

/** Composes the three services on the stores of one process. Opens no port. */
export async function composeOneProcess(deps: OneProcessDependencies): Promise<ComposedService[]> {
  const { openOneProcessForm } = await import('./stores/one-process-form.ts');
  return await compose(SERVICE_NAMES, await openOneProcessForm(deps));
}
