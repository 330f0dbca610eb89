import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { openAuthentication } from '@sinebar/authentication';
import { Closing, Shutdown } from '@sinebar/concurrency';
import { commandText, StartRefusal } from '@sinebar/contracts';
import { MigrationError } from '@sinebar/database';
import {
  createLogger,
  diskMetrics,
  loadSettings,
  openTracing,
  serve,
  SettingsError,
  stopOnSignals,
  tryManagementAddress,
  type Metrics,
} from '@sinebar/runtime';
import { composeOneProcess } from '../../compose.ts';
import { databaseFormSettings, standaloneSettings } from '../../settings.ts';
import { readyText, type ReadyState } from './banner.ts';
import { openEmbeddedDatabase, openGivenDatabase, POSTGRES_STOP_MS, type OneProcessSettings, type OpeningDatabase } from './database.ts';
import { explainListenFailure, tryPort } from './port-holder.ts';

/** Runs the whole product in this process until a signal ends it. A failed start is told as a sentence, with exit code 1. */
export async function runOneProcess(form: 'embedded' | 'database'): Promise<void> {
  // A closed terminal, or a reader that has read enough (`| head`), must not stop the process.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const { env } = process;
  try {
    const { values, unknown } = loadSettings<typeof standaloneSettings>(
      form === 'database' ? databaseFormSettings : standaloneSettings,
      env,
    );
    if (unknown.length > 0) console.error(`These variables are not known: ${unknown.join(', ')}. See ${commandText('check-config')}.`);
    if (form === 'embedded' && (env['DATABASE_URL'] || env['DATABASE_URL_FILE'])) {
      console.error(`DATABASE_URL is not used: the database is in the data folder. ${commandText('start --database')} uses it.`);
    }
    await runWith(values);
  } catch (error) {
    if (error instanceof SettingsError)
      console.error(`Sinebar does not start: ${error.message}\n${commandText('check-config')} shows all settings.`);
    else console.error(error);
    process.exit(1);
  }
}

async function runWith(settings: OneProcessSettings): Promise<void> {
  const { SINEBAR_PLANT: plant, SINEBAR_LOG_LEVEL: level, SINEBAR_HOST: host, SINEBAR_PORT: port } = settings;
  const log = createLogger({ service: 'standalone', plant, level, destination: process.stderr });
  const shutdown = new Shutdown(log);
  stopOnSignals(process, shutdown);
  const fail = (sentence: string, error: unknown): void => {
    console.error(sentence);
    if (!(error instanceof StartRefusal)) log.fatal({ err: error }, 'fatal');
    void shutdown.run('failure').then(() => process.exit(1));
  };
  process.on('uncaughtException', (error) => fail(`Sinebar stops because of a defect: ${error.message}`, error));
  const breakOff = new AbortController();
  const closing = new Closing(log);
  const starting = start(
    {
      settings,
      dataDir: resolve(settings.SINEBAR_DATA_DIR),
      log,
      invokingUid: Number(process.env['SUDO_UID']) || undefined,
      onGaveUp: (error) => fail(`Sinebar stops because it cannot keep its database: ${error.message}`, error),
      closing,
      signal: breakOff.signal,
    },
    shutdown,
  );
  shutdown.add('announce', 'start', 1_000, () => Promise.resolve(breakOff.abort(new Error('Sinebar is being stopped'))));
  // Everything that was opened is closed, also after a failed or aborted start.
  shutdown.add('backing', 'database and bus', POSTGRES_STOP_MS + 30_000, async () => {
    await starting.catch(() => undefined);
    await closing.run();
  });
  try {
    console.log(readyText(await starting));
    // Kept for the next start, also when this process is killed.
    flushCompileCache();
  } catch (error) {
    const sentence = await explainListenFailure(error, { host, port });
    const reason = sentence ?? (error instanceof Error ? error.message : String(error));
    const isKnown = sentence !== undefined || error instanceof MigrationError || error instanceof SettingsError;
    // An aborted start ends with the shutdown that aborted it.
    if (!shutdown.started) fail(`Sinebar does not start: ${reason}`, isKnown ? new StartRefusal(reason, { cause: error }) : error);
  }
}

/** Starts database, services and HTTP. */
async function start(opening: OpeningDatabase, shutdown: Shutdown): Promise<ReadyState> {
  const { settings, dataDir, log, closing, signal } = opening;
  const authentication = await openAuthentication(settings, log);
  closing.add('authentication', () => authentication.close());
  // The port is tried before the database starts: a taken port is the most frequent mistake and must be reported at once.
  await tryPort(settings.SINEBAR_HOST, settings.SINEBAR_PORT);
  await tryManagementAddress(settings);
  const database =
    settings.DATABASE_URL === undefined ? await openEmbeddedDatabase(opening) : await openGivenDatabase(opening, settings.DATABASE_URL);
  const { tracer, close: closeTracing } = await openTracing(settings, 'standalone', log);
  closing.add('spans', closeTracing);
  const services = await composeOneProcess({ database, dataDir, settings, authentication, log, tracer, signal, closing });
  signal.throwIfAborted();
  const { authenticate } = authentication;
  const ownMetrics = (metrics: Metrics) => {
    authentication.metrics(metrics);
    diskMetrics(metrics, { data: dataDir });
  };
  const ownHealth = async () => [...database.health(), ...(await authentication.health())];
  const { port } = await serve({ services, settings, log, shutdown, authenticate, ownHealth, ownMetrics, tracer });
  signal.throwIfAborted();
  return { host: settings.SINEBAR_HOST, port, secured: authentication.authenticator.securityEnabled, dataDir, database: database.text };
}
