import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../../../', import.meta.url).pathname;
const RELEASE = 'apps/sinebar/dist/sinebar.js';
const START_TIMEOUT_MS = 60_000;

export interface Product {
  name: string;
  url: string;
  /** Database of the product; `undefined` when it is embedded. */
  databaseUrl: string | undefined;
  /** Metrics address of a service that runs alone; `undefined` without one. */
  metricsUrl: string | undefined;
  /** File of `measurements/turn-times.ts`, where it is preloaded. */
  turnTimesFile?: string;
  servicePid: (service: string) => number;
  stop: () => Promise<void>;
}

/** @throws Error when the database is embedded */
export function reachableDatabase({ name, databaseUrl }: Product): string {
  if (databaseUrl === undefined) throw new Error(`the database of the ${name} product cannot be reached by psql`);
  return databaseUrl;
}

/** Starts the product as `npm start` does, on a new data folder. */
export async function startStandalone(): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  return start('embedded', [RELEASE, 'start'], { SINEBAR_DATA_DIR: dataDir }, () => rm(dataDir, { recursive: true, force: true }));
}

/** Starts three processes on the servers named by DATABASE_URL, NATS_URL and S3_ENDPOINT. */
export function startDistributed(): Promise<Product> {
  return start('distributed', ['tests/distributed/src/distributed.ts'], {}, () => Promise.resolve());
}

/** The address is read from the log, because another service may have the usual metrics port. */
const ALONE = { SINEBAR_LOG_LEVEL: 'info', SINEBAR_MANAGEMENT_PORT: '0' };

/** The inspection service alone, on the servers named by DATABASE_URL and NATS_URL. */
export function startInspectionAlone(env: Record<string, string> = {}): Promise<Product> {
  return start('inspection', [RELEASE, 'start', '--services', 'inspection'], { ...ALONE, ...env }, () => Promise.resolve());
}

/** Starts inspection and raw data, each at its own port, on the servers of the environment; the address is that of raw data. */
export async function startRawData(): Promise<Product> {
  const inspection = await startInspectionAlone();
  try {
    return await start('raw-data', [RELEASE, 'start', '--services', 'raw-data'], ALONE, () => inspection.stop());
  } catch (error) {
    await inspection.stop();
    throw error;
  }
}

/** Starts a program that serves the objects of the store. */
export function startBareProxy(): Promise<Product> {
  return start('bare proxy', ['tests/bench/src/raw-data/bare-proxy.ts'], {}, () => Promise.resolve());
}

/** Starts a program that reads the bodies of measured values and stores nothing. */
export function startWithoutDatabase(): Promise<Product> {
  return start('without a database', ['tests/bench/src/measurements/server-without-database.ts'], {}, () => Promise.resolve());
}

/** Starts only the event gateway, on a stream of the measurements (`events/bench-stream.ts`). */
export function startGateway(): Promise<Product> {
  return start('gateway', ['tests/bench/src/events/gateway.ts'], {}, () => Promise.resolve());
}

/** Starts a Socket.IO server on the same stream with the same rooms. */
export function startBareSockets(): Promise<Product> {
  return start('bare Socket.IO', ['tests/bench/src/events/bare-sockets.ts'], {}, () => Promise.resolve());
}

/** Starts an Express server whose one route answers without content. */
export function startEmptyExpress(): Promise<Product> {
  return start('empty Express', ['tests/bench/src/measurements/empty-express.ts'], {}, () => Promise.resolve());
}

async function start(
  name: string,
  [file, ...words]: readonly [string, ...string[]],
  env: Record<string, string>,
  cleanUp: () => Promise<void>,
): Promise<Product> {
  const child = spawn(process.execPath, ['--heap-growing-percent=100', join(ROOT, file), ...words], {
    // The benchmark uploads a file of 5 GiB.
    env: { ...process.env, SINEBAR_PORT: '0', SINEBAR_LOG_LEVEL: 'warn', SINEBAR_MAX_FILE_BYTES: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { url, output } = await ready(child);
    const pidOf = (service: string) => Number(new RegExp(`^${service} pid (\\d+)`, 'm').exec(output())?.[1] ?? child.pid);
    return {
      name,
      url,
      metricsUrl: metricsOf(output()),
      databaseUrl: name === 'embedded' ? undefined : process.env['DATABASE_URL'],
      servicePid: pidOf,
      stop: () => stop(child, cleanUp),
    };
  } catch (error) {
    await stop(child, cleanUp);
    throw error;
  }
}

async function ready(child: ChildProcess): Promise<{ url: string; output: () => string }> {
  let output = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the product was not ready after ${START_TIMEOUT_MS} ms`)), START_TIMEOUT_MS);
    child.once('exit', (code) => reject(new Error(`the product ended with code ${code}:\n${output}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Sinebar is ready at (http:\S+)/.exec(output)?.[1] ?? logged(output);
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, output: () => output });
    });
  });
}

/** Finds the address in the log of a service that runs alone. */
function logged(output: string): string | undefined {
  const port = /"port":(\d+).*"ready for requests"/.exec(output)?.[1];
  return port === undefined ? undefined : `http://127.0.0.1:${port}`;
}

function metricsOf(output: string): string | undefined {
  const port = /"port":(\d+).*"metrics and health for operators"/.exec(output)?.[1];
  return port === undefined ? undefined : `http://127.0.0.1:${port}/metrics`;
}

async function stop(child: ChildProcess, cleanUp: () => Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGINT');
    await once(child, 'exit');
  }
  await cleanUp();
}
