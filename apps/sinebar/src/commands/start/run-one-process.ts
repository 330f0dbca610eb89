import { flushCompileCache } from 'node:module';
import { Shutdown } from '@sinebar/concurrency';
import { commandText, StartRefusal } from '@sinebar/contracts';
import { createLogger, loadSettings, SettingsError, stopOnSignals, type Logger } from '@sinebar/runtime';
import { databaseFormSettings, standaloneSettings } from '../../settings.ts';
import { readyText } from './banner.ts';
import { startOneProcess, type OneProcessSettings } from './one-process.ts';

/** Runs the whole product in this process until a signal ends it. A failed start is told as a sentence, with exit code 1. */
export async function runOneProcess(form: 'embedded' | 'database'): Promise<void> {
  // A closed terminal, or a reader that has read enough (`| head`), must not stop the process.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const { env } = process;
  try {
    const loaded = form === 'database' ? loadSettings(databaseFormSettings, env) : loadSettings(standaloneSettings, env);
    const settings: OneProcessSettings = loaded.values;
    const log = createLogger({
      service: 'standalone',
      plant: settings.SINEBAR_PLANT,
      level: settings.SINEBAR_LOG_LEVEL,
      destination: process.stderr,
    });
    const { unknown } = loaded;
    if (unknown.length > 0) console.error(`These variables are not known: ${unknown.join(', ')}. See ${commandText('check-config')}.`);
    if (form === 'embedded' && (env['DATABASE_URL'] || env['DATABASE_URL_FILE'])) {
      console.error(`DATABASE_URL is not used: the database is in the data folder. ${commandText('start --database')} uses it.`);
    }
    await runWith(settings, log);
  } catch (error) {
    if (error instanceof SettingsError)
      console.error(`Sinebar does not start: ${error.message}\n${commandText('check-config')} shows all settings.`);
    else console.error(error);
    process.exit(1);
  }
}

async function runWith(settings: OneProcessSettings, log: Logger): Promise<void> {
  const shutdown = new Shutdown(log);
  stopOnSignals(process, shutdown);
  const fail = (sentence: string, error: unknown): void => {
    console.error(sentence);
    if (!(error instanceof StartRefusal)) log.fatal({ err: error }, 'fatal');
    void shutdown.run('failure').then(() => process.exit(1));
  };
  process.on('uncaughtException', (error) => fail(`Sinebar stops because of a defect: ${error.message}`, error));
  try {
    const state = await startOneProcess({
      settings,
      log,
      shutdown,
      invokingUid: Number(process.env['SUDO_UID']) || undefined,
      onGaveUp: (error) => fail(`Sinebar stops because it cannot keep its database: ${error.message}`, error),
    });
    console.log(readyText(state));
    // Kept for the next start, also when this process is killed.
    flushCompileCache();
  } catch (error) {
    // An aborted start ends with the shutdown that aborted it.
    if (!shutdown.started) fail(`Sinebar does not start: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
