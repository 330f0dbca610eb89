import { startBackingServices } from '../backing-services.ts';
import { interruption } from '../interruption.ts';
import { logTail } from '../server-process.ts';

/**
 * Runs `node scripts/launch.mjs services`: starts the backing services, prints their addresses and runs until Ctrl-C.
 * Exit code 1 when one is missing.
 */
const interrupted = interruption();
try {
  const services = await startBackingServices({
    environment: process.env,
    signal: interrupted.signal,
    onProgress: (line) => console.error(line),
  });
  for (const [name, value] of Object.entries(services.variables)) console.log(`export ${name}='${value}'`);
  for (const { name, why } of services.missing) console.error(`MISSING ${name}: ${why}`);
  console.error(services.servers.size === 0 ? 'Nothing was started here.' : 'Running until Ctrl-C; all data is removed then.');

  const reasons = [...services.servers].map(async ([name, server]) => `${name}: ${await server.ended}\n${await logTail(server.logFile)}`);
  const stopped = new Promise<undefined>((resolve) => {
    if (services.servers.size === 0 || interrupted.signal.aborted) resolve(undefined);
    interrupted.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const reason = await Promise.race([stopped, ...reasons]);
  if (reason !== undefined) console.error(reason);
  await services.stop();
  process.exitCode = reason !== undefined || services.missing.length > 0 ? 1 : 0;
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
}
