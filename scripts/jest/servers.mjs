import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../bootstrap.mjs';

/** Services that could not be started, with the reason of each. */
export const missing = [];

/** Servers of each worker, by its number: products on the same NATS share one stream. */
const sets = new Map();
/** Processes of the workers; they keep running when this process is ended. */
const workers = new Set();
let lastStart = Promise.resolve();
/** Data folders by their content, which products start on copies of. */
const dataFolders = new Map();
let server;
let signal;
/** Makes a data folder with a world of the demo. */
const WRITE_WORLD = join(ROOT, 'tests/product/src/worlds/write-world.ts');
/** The package of the servers; a run without servers does not load it. */
let localServers;

/**
 * Starts servers when a worker asks for them (worker.mjs): `JEST_SERVERS` is the address of this process, where `/servers/1` answers the
 * variables of the servers of worker 1, and `/data-folders/empty` the path of a folder with an empty database, on copies of which products
 * start; `door` and `factory` have the worlds of the demo.
 */
export default async function listen() {
  localServers = await import('../../packages/local-servers/src/index.ts');
  const interrupted = localServers.interruption();
  signal = interrupted.signal;
  signal.addEventListener('abort', async () => {
    for (const worker of workers) killIfAlive(worker);
    await stop();
    process.exit(128 + constants.signals[interrupted.name()]);
  });
  server = createServer((request, response) => {
    if (request.headers['x-worker']) workers.add(Number(request.headers['x-worker']));
    const content = /^\/data-folders\/(empty|door|factory)$/.exec(request.url)?.[1];
    const answer = content ? dataFolderOf(content) : serversOf(request.url).then(({ variables }) => variables);
    answer.then(
      (body) => response.end(JSON.stringify(body)),
      (error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.JEST_SERVERS = `http://127.0.0.1:${server.address().port}`;
  process.env.JEST_PARENT = `${process.pid}`;
}

export async function stop() {
  server.closeAllConnections();
  server.close();
  const started = await Promise.allSettled(sets.values());
  await Promise.all(started.map(({ value }) => value?.stop()));
}

function killIfAlive(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, perhaps because it used too much memory.
  }
}

function serversOf(worker) {
  if (!sets.has(worker)) {
    // One after the other, so that no two choose the same free port.
    lastStart = lastStart.then(start);
    sets.set(worker, lastStart);
  }
  return sets.get(worker);
}

async function start() {
  const services = await localServers.startBackingServices({
    environment: process.env,
    signal,
    fsync: false,
    onProgress: (line) => console.error(line),
  });
  for (const service of services.missing) {
    if (missing.some(({ name }) => name === service.name)) continue;
    console.error(`MISSING ${service.name}: ${service.why}`);
    missing.push(service);
  }
  return services;
}

/** @returns `null` where this machine has no PostgreSQL for products; their own tests say so */
function dataFolderOf(content) {
  if (!dataFolders.has(content)) dataFolders.set(content, makeDataFolder(content));
  return dataFolders.get(content);
}

async function makeDataFolder(content) {
  const { folder, servers } = await serversOf('/servers/1');
  if (!servers.has('postgres')) return null;
  const dataDir = join(folder, `data-folder-${content}`);
  if (content === 'empty') await makeEmpty(dataDir);
  else await promisify(execFile)(process.execPath, [WRITE_WORLD, content, dataDir], { signal });
  // Copies that start at the same time would choose the same port.
  rmSync(join(dataDir, 'postgres/sinebar-port'), { force: true });
  return dataDir;
}

async function makeEmpty(dataDir) {
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const database = await localServers.startEmbeddedPostgres({ dataDir, log, signal, fsync: false });
  await database.stop();
}
