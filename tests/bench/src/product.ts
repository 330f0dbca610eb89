import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../../../', import.meta.url).pathname;
const START_TIMEOUT_MS = 60_000;

export interface Product {
  name: string;
  url: string;
  /** Database that the product uses; `undefined` where it is embedded. */
  databaseUrl: string | undefined;
  /** Metrics of a service that runs alone; `undefined` where it serves none. */
  metricsUrl: string | undefined;
  /** Process that runs a service. */
  servicePid: (service: string) => number;
  stop: () => Promise<void>;
}

/** @throws Error where the database is embedded */
export function reachableDatabase({ name, databaseUrl }: Product): string {
  if (databaseUrl === undefined) throw new Error(`the database of the ${name} product cannot be reached by psql`);
  return databaseUrl;
}

/** The product as `npm start` runs it, on a data folder of its own. */
export async function startStandalone(): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sinebar-bench-'));
  return start('embedded', 'services/standalone/dist/main.js', { SINEBAR_DATA_DIR: dataDir }, () =>
    rm(dataDir, { recursive: true, force: true }),
  );
}

/** Three processes on the servers named by DATABASE_URL, NATS_URL and S3_ENDPOINT. */
export function startDistributed(): Promise<Product> {
  return start('distributed', 'tools/dist/distributed/distributed.js', {}, () => Promise.resolve());
}

/** Its address is in its log; another service may have the usual port for metrics. */
const ALONE = { SINEBAR_LOG_LEVEL: 'info', SINEBAR_MANAGEMENT_PORT: '0' };

/** The inspection service alone, on the servers named by DATABASE_URL and NATS_URL. */
export function startInspectionAlone(env: Record<string, string> = {}): Promise<Product> {
  return start('inspection', 'services/inspection/dist/main.js', { ...ALONE, ...env }, () => Promise.resolve());
}

/**
 * Inspection and raw data, each at its own port, on the servers named by DATABASE_URL, NATS_URL and S3_ENDPOINT; the address is that of raw
 * data.
 */
export async function startRawData(): Promise<Product> {
  const inspection = await startInspectionAlone();
  try {
    return await start('raw-data', 'services/raw-data/dist/main.js', ALONE, () => inspection.stop());
  } catch (error) {
    await inspection.stop();
    throw error;
  }
}

/** A program that gives the objects of the store as they are. */
export function startBareProxy(): Promise<Product> {
  return start('bare proxy', 'tests/bench/dist/raw-data/bare-proxy.js', {}, () => Promise.resolve());
}

/** A program that reads the bodies of measured values and stores nothing. */
export function startWithoutDatabase(): Promise<Product> {
  return start('without a database', 'tests/bench/dist/measurements/server-without-database.js', {}, () => Promise.resolve());
}

/** The event gateway alone, on a stream of the measurements (`events/bench-stream.ts`). */
export function startGateway(): Promise<Product> {
  return start('gateway', 'tests/bench/dist/events/gateway.js', {}, () => Promise.resolve());
}

/** A Socket.IO server on the same stream, with the same rooms and nothing else. */
export function startBareSockets(): Promise<Product> {
  return start('bare Socket.IO', 'tests/bench/dist/events/bare-sockets.js', {}, () => Promise.resolve());
}

/** An Express program whose one route answers nothing. */
export function startEmptyExpress(): Promise<Product> {
  return start('empty Express', 'tests/bench/dist/measurements/empty-express.js', {}, () => Promise.resolve());
}

async function start(name: string, script: string, env: Record<string, string>, cleanUp: () => Promise<void>): Promise<Product> {
  const child = spawn(process.execPath, ['--heap-growing-percent=100', join(ROOT, script)], {
    // A file of 5 GiB is measured, too.
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

/** Address in the log of a service that runs alone. */
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
