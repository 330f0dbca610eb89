import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { openAuthentication } from '@sinebar/authentication';
import { MigrationError, SchemaTooNewError, UnsuitableDatabaseError } from '@sinebar/database';
import { listen } from '@sinebar/http';
import { openTracing, serve, SettingsError, tryManagementAddress, type Logger } from '@sinebar/runtime';
import { type Shutdown } from '@sinebar/concurrency';
import type { ReadyState } from './banner.ts';
import { Closing } from './closing.ts';
import { composeStandalone } from '../../compose.ts';
import type { StandaloneSettings } from './config.ts';
import { startEmbeddedPostgres, StartRefusedError } from '@sinebar/local-servers';
import { explainListenFailure } from './port-holder.ts';

export interface StandaloneOptions {
  settings: StandaloneSettings;
  log: Logger;
  shutdown: Shutdown;
  invokingUid: number | undefined;
  /** Called when the database cannot be restarted any more. */
  onGaveUp: (error: Error) => void;
}

/** Time limit of the stop, longer than PostgreSQL's own escalation. */
const POSTGRES_STOP_MS = 35_000;

/**
 * Starts database, services and HTTP.
 * `shutdown` closes everything that was opened, also after a failed or aborted start.
 * @throws StartRefusedError with a sentence for the user
 */
export async function startStandalone(options: StandaloneOptions): Promise<ReadyState> {
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

async function start(options: StandaloneOptions, closing: Closing, signal: AbortSignal): Promise<ReadyState> {
  const { settings, log, shutdown } = options;
  const dataDir = resolve(settings.SINEBAR_DATA_DIR);
  const authentication = await openAuthentication(settings, log);
  closing.add('authentication', () => authentication.close());
  // The port is tried before the database starts: a taken port is the most frequent mistake and must be reported at once.
  await tryPort(settings.SINEBAR_HOST, settings.SINEBAR_PORT);
  await tryManagementAddress(settings);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    signal,
    invokingUid: options.invokingUid,
    onGaveUp: options.onGaveUp,
    maxConnections: connectionsFor(settings),
  });
  closing.add('embedded PostgreSQL', () => postgres.stop(), POSTGRES_STOP_MS);
  const onClose = (name: string, close: () => Promise<void>): void => closing.add(name, close);
  const { tracer, close: closeTracing } = await openTracing(settings, 'standalone', log);
  closing.add('spans', closeTracing);
  const { services, health } = await composeStandalone({ postgres, dataDir, settings, authentication, log, tracer, signal, onClose });
  signal.throwIfAborted();
  const { authenticate, metrics: ownMetrics } = authentication;
  const { port } = await serve({ services, settings, log, shutdown, authenticate, ownHealth: health, ownMetrics, tracer });
  signal.throwIfAborted();
  return {
    host: settings.SINEBAR_HOST,
    port,
    secured: authentication.authenticator.securityEnabled,
    dataDir,
    postgresVersion: postgres.version,
    postgresPort: postgres.port,
  };
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
  if (error instanceof UnsuitableDatabaseError || error instanceof SchemaTooNewError || error instanceof MigrationError) {
    return new StartRefusedError(error.message, { cause: error });
  }
  if (error instanceof SettingsError) return new StartRefusedError(error.message, { cause: error });
  return error;
}
