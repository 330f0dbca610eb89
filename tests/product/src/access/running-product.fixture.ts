import { PRODUCT_VERSION, createLogger, healthRoutes, loadSettings, Spool, type ComposedService } from '@sinebar/runtime';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVERYONE, readPolicy, type Principal } from '@sinebar/access-control';
import { NO_AUTHENTICATION, type Authenticator } from '@sinebar/authentication';
import { SinebarClient } from '@sinebar/client';
import { schemaOfPlant, ServiceError, streamOfPlant } from '@sinebar/contracts';
import { migrate, openServiceDatabase, type Migration } from '@sinebar/database';
import { composeEvents, eventsSettings } from '@sinebar/events';
import { composeInspection, INSPECTION_SCHEMA, inspectionMigrations } from '@sinebar/inspection';
import { connectNatsBus, outboxStream } from '@sinebar/message-bus';
import { webRoutes } from '@sinebar/program/web';
import { composeRawData, RAW_DATA_SCHEMA, rawDataMigrations, rawDataSettings } from '@sinebar/raw-data';
import { S3BlobStore } from '@sinebar/raw-data/s3-blob-store';
import { closeHttpServer, createHttpApp, createHttpServer, documentRoute, listen, type Route } from '@sinebar/http';
import {
  backing,
  createTestDatabase,
  policyOf,
  queryOnce,
  ROLE_OF_CASES,
  templateDatabase,
  testBucket,
  testSubjects,
  type BackingService,
} from '@sinebar/testing';
import { WireSender, type WireAnswer } from '@sinebar/testing/wire-requests';

/** Name for requests without credentials. */
export const ANONYMOUS = 'an anonymous user';
export const ADMIN = 'admin';

/** A request of a user: grants as the table of cases writes them, {@link ADMIN} or {@link ANONYMOUS}. */
export interface Asked {
  who: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Body of the request: bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
}

export interface RunningProduct {
  /** Names in the stores. */
  names: { database: string; stream: string; subjects: string; bucket: string };
  inspection: Pick<ComposedService, 'stop'>;
  routes: readonly Route[];
  send: (asked: Asked) => Promise<WireAnswer>;
  read: <T>(who: string, path: string) => Promise<T>;
  client: (who: string) => SinebarClient;
  /** Runs a statement in the schema of the inspection service. */
  inspectionSql: (statement: string) => Promise<void>;
  /** Position of the newest event of the product. */
  lastEvent: () => Promise<number>;
  stop: () => Promise<void>;
}

const LOGO = join(import.meta.dirname, '../../../../apps/console/src/design/styles/icon.svg');

const MIGRATIONS: readonly (readonly [string, readonly Migration[]])[] = [
  [INSPECTION_SCHEMA, inspectionMigrations],
  [RAW_DATA_SCHEMA, rawDataMigrations],
];

/** A plant in servers that it shares with others. */
export interface PlantStores {
  plant: string;
  databaseUrl: string;
  bucket: string;
}

/** Creates the schemas of a plant. */
export async function createPlantSchemas({ plant, databaseUrl }: PlantStores): Promise<void> {
  for (const [schema, migrations] of MIGRATIONS) await migrate(databaseUrl, schemaOfPlant(schema, plant), migrations);
}

/** Makes the address at which the services reach a store from its own address. */
export type ThroughProxies = Partial<Record<BackingService, (url: string) => Promise<string>>>;

/** Starts the three services in this process on real servers; a header names the user. */
export async function startProduct(throughProxy: ThroughProxies = {}): Promise<RunningProduct> {
  const text = MIGRATIONS.flatMap(([schema, migrations]) => migrations.map(({ name, up }) => `${schema} ${name} ${up.toString()}`)).join(
    '\n',
  );
  const template = templateDatabase(text, async (url) => {
    for (const [schema, migrations] of MIGRATIONS) await migrate(url, schema, migrations);
  });
  const testDatabase = await createTestDatabase(template);
  const databaseUrl = (await throughProxy.postgres?.(testDatabase.url)) ?? testDatabase.url;
  const { stream: streamName, prefix: subjectPrefix } = testSubjects();
  const running = await startOn({ plant: '', databaseUrl, bucket: testBucket() }, { streamName, subjectPrefix }, throughProxy);
  return {
    ...running,
    stop: async () => {
      await running.stop();
      await testDatabase.drop();
    },
  };
}

/** Starts the services of a plant, whose schemas exist. */
export async function startPlant(itemPath: PlantStores): Promise<RunningProduct> {
  return await startOn(itemPath, streamOfPlant(itemPath.plant));
}

async function startOn(
  { plant, databaseUrl, bucket }: PlantStores,
  { streamName, subjectPrefix }: { streamName: string; subjectPrefix: string },
  throughProxy: ThroughProxies = {},
): Promise<RunningProduct> {
  const log = createLogger({ service: 'test', level: 'fatal' });
  const bus = await connectNatsBus({
    servers: (await throughProxy.nats?.(backing().natsUrl)) ?? backing().natsUrl,
    name: 'test',
    streamName,
    subjectPrefix,
    stream: { maxBytes: 2 ** 25 },
  });
  const open = (service: string, schema: string, migrations: readonly Migration[]) =>
    openServiceDatabase({
      url: databaseUrl,
      schema: schemaOfPlant(schema, plant),
      plant,
      service,
      migrations,
      migrateAtStart: false,
      poolSizes: { requests: 5, streams: 6 },
      startTimeoutMs: 10_000,
      stream: outboxStream(bus, service),
      log,
    });
  const inspectionDatabase = await open('inspection', INSPECTION_SCHEMA, inspectionMigrations);
  const rawDataDatabase = await open('raw-data', RAW_DATA_SCHEMA, rawDataMigrations);
  const { endpoint, accessKey, secretKey } = backing().s3;
  const blobs = new S3BlobStore({
    endpoint: (await throughProxy.s3?.(endpoint)) ?? endpoint,
    region: 'us-east-1',
    bucket,
    accessKey,
    secretKey,
    plant,
  });
  await blobs.prepare();
  const spoolFolder = await mkdtemp(join(tmpdir(), 'sinebar-access-'));
  const spool = new Spool(spoolFolder);

  const now = () => new Date();
  const inspection = composeInspection({
    database: inspectionDatabase.database,
    bus,
    log,
    now,
    server: { serverName: 'test', version: '1.2.3', securityEnabled: true },
    spool,
    settings: { SINEBAR_VERSIONING: 'on', SINEBAR_SEARCH_CASE_SENSITIVE: false, SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: true },
  });
  const rawData = composeRawData({
    database: rawDataDatabase.database,
    bus,
    blobs,
    spool,
    soleOwner: false,
    settings: loadSettings(rawDataSettings, {}).values,
    version: '1.2.3',
    log,
    now,
  });
  const events = composeEvents({ bus, log, settings: loadSettings(eventsSettings, {}).values, authenticator: AUTHENTICATOR });
  const services = [inspection, rawData, events];
  const routes = [
    ...services.flatMap(({ routes, document }) => (document ? [...routes, documentRoute(document, PRODUCT_VERSION, routes)] : routes)),
    ...webRoutes(
      { tokenInformation: undefined, policy: () => readPolicy({ roles: {} }), signInOrigins: () => Promise.resolve([]) },
      { SINEBAR_LOGO: LOGO },
    ),
    ...healthRoutes({ check: () => Promise.resolve([]), peers: [], isStopping: () => false }),
  ];
  const server = createHttpServer(
    createHttpApp({ routes, log, authenticate: (request) => Promise.resolve(principalOf(request.headers.authorization)) }),
  );
  for (const service of services) await service.start();
  const port = await listen(server, 0, '127.0.0.1');
  const sender = new WireSender(() => port);

  const send = ({ who, method = 'GET', path, headers = {}, body }: Asked) =>
    sender.send({
      method,
      path,
      headers: { ...(body !== undefined && !Buffer.isBuffer(body) && { 'Content-Type': 'application/json' }), ...headers, ...nameOf(who) },
      body: body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  return {
    names: { database: new URL(databaseUrl).pathname.slice(1), stream: streamName, subjects: subjectPrefix, bucket },
    inspection,
    routes,
    send,
    read: async <T>(who: string, path: string) => {
      const answer = await send({ who, path });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      return JSON.parse(utf8(answer)) as T;
    },
    client: (who) =>
      new SinebarClient({
        url: `http://127.0.0.1:${port}`,
        fetch: (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...nameOf(who) } }),
      }),
    inspectionSql: async (statement) => {
      await queryOnce(databaseUrl, `SET search_path = "${schemaOfPlant(INSPECTION_SCHEMA, plant)}"; ${statement}`);
    },
    lastEvent: async () => (await bus.streamState()).lastSequence,
    stop: async () => {
      sender.close();
      await closeHttpServer(server, 1000);
      for (const service of services) await service.stop();
      await inspectionDatabase.close();
      await rawDataDatabase.close();
      await bus.close();
      blobs.close();
      await rm(spoolFolder, { recursive: true, force: true });
    },
  };
}

export function utf8({ text }: WireAnswer): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

const SCHEME = 'Case ';

function nameOf(who: string): Record<string, string> {
  return { Authorization: `${SCHEME}${encodeURIComponent(who)}` };
}

/** Makes the principal from the header, which contains the grants. */
function principalOf(authorization = `${SCHEME}${encodeURIComponent(ANONYMOUS)}`): Principal {
  const who = decodeURIComponent(authorization.slice(SCHEME.length));
  if (who === ANONYMOUS) throw new ServiceError('Unauthenticated', 'sign in first');
  return who === ADMIN ? EVERYONE : readPolicy(policyOf(who)).principalOf({ name: who, password: '', roles: [ROLE_OF_CASES] });
}

const AUTHENTICATOR: Authenticator = {
  ...NO_AUTHENTICATION,
  securityEnabled: true,
  authenticate: ({ authorization }) => Promise.resolve({ principal: principalOf(authorization), expiresAt: undefined }),
  renew: (signIn) => signIn,
};
