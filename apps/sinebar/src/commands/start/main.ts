import { flushCompileCache } from 'node:module';
import { createLogger, loadSettings, SettingsError, stopOnSignals, type Logger } from '@sinebar/runtime';
import { Shutdown } from '@sinebar/concurrency';
import { readyText } from './banner.ts';
import { standaloneSettings } from './config.ts';
import { StartRefusedError } from '@sinebar/local-servers';
import { startStandalone } from './standalone.ts';

// A closed terminal, or a reader that has read enough (`| head`), must not stop the process.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const exit = (code: number): never => process.exit(code);

try {
  const { values: settings, unknown } = loadSettings(standaloneSettings, process.env);
  const log = createLogger({
    service: 'standalone',
    plant: settings.SINEBAR_PLANT,
    level: settings.SINEBAR_LOG_LEVEL,
    destination: process.stderr,
  });
  if (unknown.length > 0) console.error(`These variables are not known: ${unknown.join(', ')}. See npm run check-config.`);
  await run(settings, log);
} catch (error) {
  if (error instanceof SettingsError) console.error(`Sinebar does not start: ${error.message}\nnpm run check-config shows all settings.`);
  else console.error(error);
  exit(1);
}

async function run(settings: Parameters<typeof startStandalone>[0]['settings'], log: Logger): Promise<void> {
  const shutdown = new Shutdown(log);
  stopOnSignals(process, shutdown);
  const fail = (sentence: string, error: unknown): void => {
    console.error(sentence);
    if (!(error instanceof StartRefusedError)) log.fatal({ err: error }, 'fatal');
    void shutdown.run('failure').then(() => exit(1));
  };
  process.on('uncaughtException', (error) => fail(`Sinebar stops because of a defect: ${error.message}`, error));
  try {
    const state = await startStandalone({
      settings,
      log,
      shutdown,
      invokingUid: Number(process.env['SUDO_UID']) || undefined,
      onGaveUp: (error) => fail(`Sinebar stops because its database cannot be kept running: ${error.message}`, error),
    });
    console.log(readyText(state));
    // Kept for the next start, also when this process is killed.
    flushCompileCache();
  } catch (error) {
    // An aborted start ends with the shutdown that aborted it.
    if (!shutdown.started) fail(`Sinebar does not start: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
