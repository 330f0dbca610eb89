import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { WireClient } from '../events/clients/wire-client.ts';

/*
 * Run by `node tests/bench/src/containers/sizing.ts URL PROJECT [MILLIONS] [SOCKETS]` against an empty compose stack: writes measured
 * values through the REST interface, connects sockets, and prints the memory, processor time and disk space of each container
 * (docs/sizing.md).
 */
const CHARACTERISTICS = 200;
const MEASUREMENTS_AT_ONCE = 50;
const WRITERS = 4;
const CONNECTING_AT_ONCE = 20;
const SAMPLE_MS = 2000;
const SETTLE_MS = 10_000;
const EVENTS = 100;
const SIZES = `SELECT json_build_object('database', pg_database_size(current_database()), 'tables', (SELECT json_object_agg(name, bytes) FROM (
  SELECT oid::regclass::text AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
  WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('inspection', 'raw_data') ORDER BY 2 DESC LIMIT 4) AS largest))`;
const FOLDERS = { postgres: '/var/lib/postgresql', nats: '/data' };

interface Sizes {
  database: number;
  tables: Record<string, number>;
}

/** Names of the running containers by service. */
type Containers = ReadonlyMap<string, string>;

const run = promisify(execFile);
const docker = async (...args: string[]) => (await run('docker', args, { maxBuffer: 2 ** 24 })).stdout;

async function measure([url, project, millions = '2', sockets = '1000']: string[]): Promise<void> {
  if (url === undefined || project === undefined)
    throw new Error('usage: node tests/bench/src/containers/sizing.ts URL PROJECT [MILLIONS] [SOCKETS]');
  const containers = await containersOf(project);

  await phase('idle', containers, () => pause(SETTLE_MS));
  const before = await databaseSizes(containers);
  const count = await phase(`${millions} million values`, containers, () => writeValues(url, Number(millions) * 1e6));
  await pause(SETTLE_MS);
  const after = await databaseSizes(containers);
  const perMillion = (bytes: number) => `${(bytes / 2 ** 20 / (count / 1e6)).toFixed(1)} MiB per million values`;
  console.log(`database: ${perMillion(after.database - before.database)}`);
  for (const [name, bytes] of Object.entries(after.tables)) console.log(`  ${name}: ${perMillion(bytes - (before.tables[name] ?? 0))}`);
  for (const [service, folder] of Object.entries(FOLDERS)) {
    const [size] = (await docker('exec', containers.get(service) ?? service, 'du', '-sm', folder)).split('\t');
    console.log(`${service} ${folder}: ${size} MiB`);
  }

  const open: WireClient[] = [];
  let received = 0;
  await phase(`${sockets} sockets`, containers, async () => {
    while (open.length < Number(sockets)) {
      const some = Array.from({ length: Math.min(CONNECTING_AT_ONCE, Number(sockets) - open.length) }, () =>
        WireClient.open(url, {}, () => (received += 1)),
      );
      open.push(...(await Promise.all(some)));
    }
    await pause(SETTLE_MS);
  });
  await phase(`${sockets} sockets, each with ${EVENTS} events`, containers, () => writeParts(url));
  console.log(`received: ${received} of ${open.length * EVENTS} events`);
  for (const socket of open) socket.close();
}

async function containersOf(project: string): Promise<Containers> {
  const format = '{{.Label "com.docker.compose.service"}} {{.Names}}';
  const lines = await docker('ps', '--filter', `label=com.docker.compose.project=${project}`, '--format', format);
  const found = lines.split('\n').filter((line) => line !== '');
  if (found.length === 0) throw new Error(`The project ${project} has no running container.`);
  return new Map(found.map((line) => line.split(' ') as [string, string]));
}

/** Runs work, and prints the largest memory of each container meanwhile and the processor time it took. @returns what the work returns */
async function phase<T>(title: string, containers: Containers, work: () => Promise<T>): Promise<T> {
  const memory = new Map<string, number>();
  let isDone = false;
  const sampling = (async () => {
    while (!isDone) {
      const lines = await docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}', ...containers.values());
      for (const line of lines.trim().split('\n')) {
        const [name = '', used = ''] = line.split(' ');
        memory.set(name, Math.max(memory.get(name) ?? 0, mebibytes(used)));
      }
      await pause(SAMPLE_MS);
    }
  })();
  const processorBefore = await processorSeconds(containers);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const processorAfter = await processorSeconds(containers);
  isDone = true;
  await sampling;
  console.log(`== ${title}: ${seconds.toFixed(0)} s`);
  for (const [service, name] of containers) {
    const processor = (processorAfter.get(service) ?? 0) - (processorBefore.get(service) ?? 0);
    console.log(`${service}: ${(memory.get(name) ?? 0).toFixed(0)} MiB, ${processor.toFixed(1)} s of a processor`);
  }
  return result;
}

/** @returns processor time since the start of each container, by service, from version 1 or 2 of its control group */
async function processorSeconds(containers: Containers): Promise<Map<string, number>> {
  const read = `cat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null || sed -n 's/^usage_usec \\(.*\\)/\\1000/p' /sys/fs/cgroup/cpu.stat`;
  const entries = [...containers].map(
    async ([service, name]) => [service, Number(await docker('exec', name, 'sh', '-c', read)) / 1e9] as const,
  );
  return new Map(await Promise.all(entries));
}

/** @param text as `docker stats` prints sizes: `53.3MiB` */
function mebibytes(text: string): number {
  const [, number, unit = ''] = /^([\d.]+)([KMG]i)?B/.exec(text) ?? [];
  return Number(number) * ({ Ki: 2 ** -10, Mi: 1, Gi: 2 ** 10 }[unit] ?? 2 ** -20);
}

async function databaseSizes(containers: Containers): Promise<Sizes> {
  const psql = ['psql', '--username=sinebar', '--no-align', '--tuples-only', `--command=${SIZES}`];
  return JSON.parse(await docker('exec', containers.get('postgres') ?? 'postgres', ...psql)) as Sizes;
}

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${text.slice(0, 300)}`);
}

/** @returns the number of written values */
async function writeValues(url: string, wanted: number): Promise<number> {
  const part = randomUUID();
  const name = `sizing ${part.slice(0, 8)}`;
  const characteristics = Array.from({ length: CHARACTERISTICS }, () => randomUUID());
  await post(`${url}/dataServiceRest/parts`, [{ uuid: part, path: `P:/${name}/` }]);
  await post(
    `${url}/dataServiceRest/characteristics`,
    characteristics.map((uuid, number) => ({ uuid, path: `PC:/${name}/characteristic ${number}/` })),
  );
  let written = 0;
  let minute = 0;
  const write = async () => {
    while (written < wanted) {
      written += CHARACTERISTICS * MEASUREMENTS_AT_ONCE;
      const measurements = Array.from({ length: MEASUREMENTS_AT_ONCE }, () => ({
        uuid: randomUUID(),
        partUuid: part,
        attributes: { 4: new Date(1_700_000_000_000 + (minute += 1) * 60_000).toISOString() },
        characteristics: Object.fromEntries(characteristics.map((uuid) => [uuid, { 1: (20 + Math.random() / 100).toFixed(5) }])),
      }));
      await post(`${url}/dataServiceRest/values`, measurements);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return written;
}

async function writeParts(url: string): Promise<void> {
  for (let number = 0; number < EVENTS; number += 1) {
    const uuid = randomUUID();
    await post(`${url}/dataServiceRest/parts`, [{ uuid, path: `P:/socket ${uuid}/` }]);
  }
  await pause(SETTLE_MS);
}

await measure(process.argv.slice(2));
