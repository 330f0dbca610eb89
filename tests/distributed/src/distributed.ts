import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackingServices, type BackingServices, type BackingVariables, interruption } from '@sinebar/local-servers';
import { readDistributedSettings, readPlants, serviceEnvironments } from './distributed-settings.ts';
import { startDistributed, writeState } from './distributed-system.ts';
import type { ServiceName } from './routing.ts';

/**
 * Runs `node scripts/launch.mjs distributed`: the three services in separate processes behind one address.
 * `--release` runs the release instead of the sources, as tests do: each of its processes starts with half of the processor time.
 * Backing services that the environment does not name are started, with data that is removed at the end.
 */
const DATABASE = 'sinebar';
const report = (line: string) => console.error(line);
const words = process.argv.slice(2).filter((word) => word !== '--release');
const isRelease = words.length < process.argv.length - 2;
const PROGRAM = join(import.meta.dirname, '../../../apps/sinebar', isRelease ? 'dist/sinebar.js' : 'src/main.ts');
const commandOf = (service: ServiceName): readonly string[] => [PROGRAM, 'start', '--services', service];
const commands = { inspection: commandOf('inspection'), 'raw-data': commandOf('raw-data'), events: commandOf('events') };

const interrupted = interruption();
try {
  await main();
} catch (error) {
  report((error as Error).message);
  process.exitCode = interrupted.signal.aborted ? 0 : 1;
}

async function main(): Promise<void> {
  let saveBacking: () => unknown = () => undefined;
  const plants = readPlants(words);
  const { restart, backingFile, ...publicSettings } = readDistributedSettings(process.env);
  const backing = await startBackingServices({
    environment: process.env,
    signal: interrupted.signal,
    onProgress: report,
    restart,
    onRestarted: () => saveBacking(),
  });
  const spoolFolder = mkdtempSync(join(tmpdir(), 'sinebar-spool-'));
  try {
    if (backing.missing.length > 0) throw new Error(backing.missing.map(({ name, why }) => `MISSING ${name}: ${why}`).join('\n'));
    const variables = withOwnDatabase(backing);
    saveBacking = () => backingFile !== undefined && writeState(backingFile, backingState(backing, variables));
    saveBacking();
    for (const plant of plants ?? []) await createMissing(plant, variables);
    const system = await startDistributed({
      ...publicSettings,
      restart,
      ...(plants && { plants }),
      commands,
      environments: serviceEnvironments(process.env, variables, spoolFolder),
      report,
      signal: interrupted.signal,
    });
    for (const plant of plants ?? ['']) console.log(`Sinebar is ready at http://127.0.0.1:${system.port}${plant && `/${plant}/`}`);
    for (const { name, pid, url, plant } of system.state().services) {
      console.log(`${name}${plant === undefined ? '' : ` of ${plant}`} pid ${pid} at ${url}`);
    }
    await untilAborted(interrupted.signal);
    report('stopping; once more to stop at once');
    await system.stop(nextSignal());
  } finally {
    await backing.stop();
    rmSync(spoolFolder, { recursive: true, force: true });
    if (backingFile !== undefined) rmSync(backingFile, { force: true });
  }
}

/** Creates what a plant lacks in the servers. */
async function createMissing(plant: string, variables: BackingVariables): Promise<void> {
  // Loaded only with plants: it loads all services.
  const { createPlant, openPlant } = await import('@sinebar/program/plants');
  const { signal } = interrupted;
  const context = { env: { ...process.env, ...variables }, signal, print: report, stderr: process.stderr };
  const store = await openPlant(plant, context);
  try {
    await createPlant(store, { inspectionRole: undefined, rawDataRole: undefined }, context);
  } finally {
    await store.close();
  }
}

/** State that a test needs to inspect or end the started servers. */
function backingState({ servers, folder }: BackingServices, variables: BackingVariables): object {
  return { folder, variables, servers: [...servers].map(([name, { pid }]) => ({ name, pid })) };
}

/** A started PostgreSQL has a database for the product. A named one is used unchanged. */
function withOwnDatabase({ servers, variables }: BackingServices): BackingVariables {
  const { DATABASE_URL } = variables;
  if (!servers.has('postgres') || DATABASE_URL === undefined) return variables;
  return { ...variables, DATABASE_URL: new URL(`/${DATABASE}`, DATABASE_URL).href };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function nextSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
