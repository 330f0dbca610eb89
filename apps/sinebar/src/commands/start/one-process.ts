import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { openAuthentication } from '@sinebar/authentication';
import type { Shutdown } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { keepForThisProcess, MigrationError } from '@sinebar/database';
import { listen } from '@sinebar/http';
import { findBinaryPackage, lockDataFolder, prepareDataFolder, startEmbeddedPostgres, StartRefusedError } from '@sinebar/local-servers';
import {
  databaseUrl,
  openTracing,
  serve,
  SettingsError,
  tryManagementAddress,
  type databaseSettings,
  type Logger,
  type SettingsOf,
} from '@sinebar/runtime';
import { composeOneProcess, type OneProcessDependencies } from '../../compose.ts';
import type { StandaloneSettings } from '../../settings.ts';
import type { ReadyState } from './banner.ts';
import { Closing } from './closing.ts';
import { explainListenFailure } from './port-holder.ts';

/** The server of `DATABASE_URL` is used where there is one, otherwise an embedded one. */
export type OneProcessSettings = StandaloneSettings & Partial<SettingsOf<typeof databaseSettings>>;

export interface OneProcessOptions {
  settings: OneProcessSettings;
  log: Logger;
  shutdown: Shutdown;
  invokingUid: number | undefined;
  /** Called when the database cannot be restarted any more, or another process has taken it. */
  onGaveUp: (error: Error) => void;
}

/** Time limit of the stop, longer than PostgreSQL's own escalation. */
const POSTGRES_STOP_MS = 35_000;

/**
 * Starts database, services and HTTP.
 * `shutdown` closes everything that was opened, also after a failed or aborted start.
 * @throws StartRefusedError with a sentence for the user
 */
export async function startOneProcess(options: OneProcessOptions): Promise<ReadyState> {
  const { settings, log, shutdown } = options;
  const breakOff = new AbortController();
  const closing = new Closing(log);
  const starting = start(options, closing, breakOff.signal);
  shutdown.add('announce', 'start', 1_000, () => {
    breakOff.abort(new Error('Sinebar is being stopped'));
    return Promise.resolve();
  });
  shutdown.add('backing', 'database and bus', POSTGRES_STOP_MS + 30_000, async () => {
    await starting.catch(() => undefined);
    await closing.run();
  });
  try {
    return await starting;
  } catch (error) {
    throw await asRefusal(error, { host: settings.SINEBAR_HOST, port: settings.SINEBAR_PORT });
  }
}

async function start(options: OneProcessOptions, closing: Closing, signal: AbortSignal): Promise<ReadyState> {
  const { settings, log, shutdown } = options;
  const dataDir = resolve(settings.SINEBAR_DATA_DIR);
  const authentication = await openAuthentication(settings, log);
  closing.add('authentication', () => authentication.close());
  // The port is tried before the database starts: a taken port is the most frequent mistake and must be reported at once.
  await tryPort(settings.SINEBAR_HOST, settings.SINEBAR_PORT);
  await tryManagementAddress(settings);
  const { DATABASE_URL: url } = settings;
  const database =
    url === undefined ? await openEmbedded(options, dataDir, closing, signal) : await openServer(options, url, dataDir, closing, signal);
  const onClose = (name: string, close: () => Promise<void>): void => closing.add(name, close);
  const { tracer, close: closeTracing } = await openTracing(settings, 'standalone', log);
  closing.add('spans', closeTracing);
  const { services, health } = await composeOneProcess({
    ...database.composed,
    dataDir,
    settings,
    authentication,
    log,
    tracer,
    signal,
    onClose,
  });
  signal.throwIfAborted();
  const { authenticate, metrics: ownMetrics } = authentication;
  const { port } = await serve({ services, settings, log, shutdown, authenticate, ownHealth: health, ownMetrics, tracer });
  signal.throwIfAborted();
  return {
    host: settings.SINEBAR_HOST,
    port,
    secured: authentication.authenticator.securityEnabled,
    dataDir,
    database: database.text,
  };
}

interface OpenedDatabase {
  composed: Pick<OneProcessDependencies, 'postgres' | 'migrateAtStart'>;
  /** Text for the user. */
  text: string;
}

async function openEmbedded(
  { settings, log, invokingUid, onGaveUp }: OneProcessOptions,
  dataDir: string,
  closing: Closing,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  // An image has no PostgreSQL of its own, and says so before it looks for a data folder.
  const binaryPackage = await findBinaryPackage();
  const maxConnections = connectionsFor(settings);
  const postgres = await startEmbeddedPostgres({ dataDir, log, signal, invokingUid, onGaveUp, maxConnections, binaryPackage });
  closing.add('embedded PostgreSQL', () => postgres.stop(), POSTGRES_STOP_MS);
  return { composed: { postgres }, text: `PostgreSQL ${postgres.version} on 127.0.0.1:${postgres.port}, log: postgres.log` };
}

/** @throws StartRefusedError when the data folder belongs to an embedded database; DatabaseInUseError */
async function openServer(
  { settings, log, onGaveUp }: OneProcessOptions,
  address: string,
  dataDir: string,
  closing: Closing,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  await prepareDataFolder(dataDir);
  const hasEmbedded = await stat(join(dataDir, 'postgres')).catch(() => undefined);
  if (hasEmbedded) {
    throw new StartRefusedError(
      `The data folder ${dataDir} holds a database of its own, which ${commandText('start')} uses. Its files belong to that one: name ` +
        'another folder with SINEBAR_DATA_DIR.',
    );
  }
  const lock = await lockDataFolder(dataDir);
  closing.add('data folder', () => lock.release());
  const url = databaseUrl({ DATABASE_URL: address, DATABASE_PASSWORD: settings.DATABASE_PASSWORD });
  const startTimeoutMs = (settings.SINEBAR_START_TIMEOUT_S ?? 0) * 1000;
  const release = await keepForThisProcess(url, { startTimeoutMs, log, signal, onLost: onGaveUp });
  closing.add('database', release);
  const { hostname, port, pathname } = new URL(address);
  const text = `files; the database is ${pathname.slice(1)} on ${hostname}${port && `:${port}`}`;
  return { composed: { postgres: { url }, migrateAtStart: settings.SINEBAR_MIGRATE ?? true }, text };
}

/** Sums the database connections: pools of the services, event log, outboxes, cancelling, and a psql session. */
function connectionsFor(settings: StandaloneSettings): number {
  const pools = [
    settings.SINEBAR_INSPECTION_POOL,
    settings.SINEBAR_INSPECTION_STREAM_POOL,
    settings.SINEBAR_RAW_DATA_POOL,
    settings.SINEBAR_RAW_DATA_STREAM_POOL,
  ];
  return pools.reduce((sum, size) => sum + size, 30);
}

async function tryPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, port, host);
  await new Promise((done) => probe.close(done));
}

/** Converts a known failure to a sentence; leaves a defect unchanged. */
async function asRefusal(error: unknown, address: { host: string; port: number }): Promise<unknown> {
  const sentence = await explainListenFailure(error, address);
  if (sentence !== undefined) return new StartRefusedError(sentence, { cause: error });
  if (error instanceof MigrationError || error instanceof SettingsError) return new StartRefusedError(error.message, { cause: error });
  return error;
}
