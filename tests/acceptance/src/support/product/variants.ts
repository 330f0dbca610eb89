import { describe, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { copyDataFolder, queryOnce, noteSkip } from '@sinebar/testing';
import { DISTURBANCE, TIMES } from '../disturbance.ts';
import { PROGRAMS, runToEnd, start, temporaryFolder, WITH_SERVICES, type StartedProduct } from './product.ts';
import { restarting } from './restarts.ts';
import type { Variant } from './variant.ts';

export interface VariantKind {
  name: string;
  /** Reason why it cannot run here. */
  missing: string | undefined;
  create(): Promise<Variant>;
}

/** Setting for tests that observe one process, or that need an outage when it is killed. */
export const ONE_OF_EACH = { SINEBAR_REPLICAS: '1' } as const;
/** Replicas of each service of the form `distributed`. */
const TWO_OF_EACH = { SINEBAR_REPLICAS: '2' } as const;

const BACKING = ['DATABASE_URL', 'NATS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
/** Names a PostgreSQL server that others installed; the acceptance tests run on it, too, where it is set. */
export const SYSTEM_DATABASE_URL = 'SINEBAR_SYSTEM_DATABASE_URL';

/**
 * Returns the ways to run the product for which this machine has servers. Others are printed, and without any the tests count as skipped.
 */
export async function presentKinds(what: string, isWanted: (kind: VariantKind) => boolean = () => true): Promise<VariantKind[]> {
  const kinds = (await variantKinds()).filter(isWanted).filter(({ name, missing }) => {
    if (missing !== undefined) noteSkip(missing, `${what}, ${name}`);
    return missing === undefined;
  });
  if (kinds.length === 0) describe.skip(what, () => it('have nothing to run on', () => undefined));
  return kinds;
}

/** Returns the form that starts fastest, for tests of clients; while the product is disturbed, the disturbed form. */
export async function smallestKinds(what: string): Promise<VariantKind[]> {
  return await presentKinds(what, ({ name }) => DISTURBANCE !== undefined || name === 'standalone');
}

/**
 * Returns all ways to run the product; those without servers on this machine have a reason. With SINEBAR_URL only the server there.
 * While the product is disturbed, only the replicated one, several times, so that short tests also meet many restarts.
 */
export async function variantKinds(env: NodeJS.ProcessEnv = process.env): Promise<VariantKind[]> {
  if (DISTURBANCE === undefined) return await undisturbedKinds(env);
  const kind = DISTURBANCE === 'nats' ? await ownServersKind() : (await undisturbedKinds(env)).find(({ name }) => name === 'distributed');
  if (kind === undefined) return [];
  const disturbed = { ...kind, create: async () => restarting(await kind.create(), DISTURBANCE as NonNullable<typeof DISTURBANCE>) };
  return Array.from({ length: TIMES }, (_, time) => ({ ...disturbed, name: `${kind.name}, time ${time + 1}` }));
}

async function undisturbedKinds(env: NodeJS.ProcessEnv): Promise<VariantKind[]> {
  const running = env['SINEBAR_URL'];
  if (running) return [runningServer(running.replace(/\/+$/, ''))];
  const missing = BACKING.filter((name) => !env[name]);
  const noBacking = missing.length > 0 ? `no ${missing.join(', ')}` : undefined;
  const systemUrl = env[SYSTEM_DATABASE_URL];
  const noSystem = systemUrl === undefined || (await canConnect(systemUrl)) ? undefined : `no connection to ${SYSTEM_DATABASE_URL}`;
  const backing = Object.fromEntries(BACKING.map((name) => [name, env[name] ?? '']));
  return [
    { name: 'standalone', missing: undefined, create: standalone },
    {
      name: 'distributed',
      missing: noBacking,
      create: () => distributed('distributed', { ...backing, ...TWO_OF_EACH }, env['DATABASE_URL'] ?? ''),
    },
    ...(systemUrl === undefined
      ? []
      : [
          {
            name: 'distributed on a system Postgres',
            missing: noBacking ?? noSystem,
            create: () => distributed('distributed on a system Postgres', backing, systemUrl),
          },
        ]),
  ];
}

/** Returns a product on servers started with it, which tests can end and which are restarted. */
export async function ownServersKind(): Promise<VariantKind> {
  const name = 'distributed';
  const missing = await missingServers();
  return { name, missing, create: () => Promise.resolve(ownServers(name)) };
}

/** An empty variable counts as not set. */
const NO_BACKING = Object.fromEntries(BACKING.map((name) => [name, '']));

/** A server that somebody else has started, for tests that need no more than its address. */
function runningServer(url: string): VariantKind {
  const name = `the server at ${url}`;
  const product: StartedProduct = {
    url,
    pid: 0,
    output: () => '',
    services: () => [],
    stop: () => Promise.resolve({ code: 0, signal: null }),
    crash: () => Promise.reject(new Error(`${name} is not killed`)),
    killAll: () => undefined,
  };
  const start = (env: Readonly<Record<string, string>> = {}) =>
    Object.keys(env).length === 0 ? Promise.resolve(product) : Promise.reject(new Error(`${name} cannot be started with other settings`));
  const variant: Variant = { name, start, dataFolder: undefined, environment: {}, remove: () => Promise.resolve() };
  return { name, missing: undefined, create: () => Promise.resolve(variant) };
}

async function missingServers(): Promise<string | undefined> {
  const { output } = await runToEnd(WITH_SERVICES, NO_BACKING, 600_000, ['--', process.execPath, '--version']);
  return /^MISSING .*$/m.exec(output)?.[0];
}

function ownServers(name: string): Variant {
  const folder = temporaryFolder();
  const environment = {
    ...NO_BACKING,
    S3_BUCKET: `sinebar-acceptance-${randomBytes(6).toString('hex')}`,
    SINEBAR_PORT: '0',
    SINEBAR_RESTART: 'on',
    SINEBAR_STATE_FILE: join(folder.path, 'state.json'),
    SINEBAR_BACKING_FILE: join(folder.path, 'backing.json'),
    SINEBAR_SPOOL_DIR: join(folder.path, 'spool'),
  };
  return {
    name,
    dataFolder: folder.path,
    environment,
    start: (env = {}) => start(PROGRAMS.distributed, { env: { ...environment, ...env } }),
    remove: () => Promise.resolve(folder.remove()),
  };
}

async function standalone(): Promise<Variant> {
  const folder = temporaryFolder();
  const dataFolder = join(folder.path, 'data');
  await copyDataFolder('empty', dataFolder);
  return {
    name: 'standalone',
    dataFolder,
    environment: {},
    start: (env = {}) => start(PROGRAMS.standalone, { env: { SINEBAR_PORT: '0', SINEBAR_DATA_DIR: dataFolder, ...env } }),
    remove: () => Promise.resolve(folder.remove()),
  };
}

/** Prepares a separate database and bucket, so that runs on the same servers do not interfere. */
async function distributed(name: string, settings: Readonly<Record<string, string>>, databaseUrl: string): Promise<Variant> {
  const id = randomBytes(6).toString('hex');
  const folder = temporaryFolder();
  const database = await createDatabase(databaseUrl, `sinebar_acceptance_${id}`);
  const own = {
    ...settings,
    DATABASE_URL: database.url,
    S3_BUCKET: `sinebar-acceptance-${id}`,
    SINEBAR_PORT: '0',
    SINEBAR_RESTART: 'on',
    SINEBAR_STATE_FILE: join(folder.path, 'state.json'),
  };
  return {
    name,
    dataFolder: undefined,
    environment: own,
    start: (env = {}) => start(PROGRAMS.distributed, { env: { ...own, ...env } }),
    remove: async () => {
      await database.drop();
      folder.remove();
    },
  };
}

/** @returns the address of a new database on the server, and a function that removes it with its connections */
export async function createDatabase(serverUrl: string, name: string): Promise<{ url: string; drop: () => Promise<void> }> {
  await queryOnce(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => void (await queryOnce(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)) };
}

async function canConnect(url: string): Promise<boolean> {
  return await queryOnce(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}
