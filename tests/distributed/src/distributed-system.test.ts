import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseFreePort, isAlive } from '@sinebar/local-servers';
import { eventually } from '@sinebar/testing';
import { startDistributed, type DistributedOptions, type DistributedState, type DistributedSystem } from './distributed-system.ts';
import { SERVICES, type ServiceName } from './routing.ts';

/** Fake service: prints its pid and records signals in the journal; `MISBEHAVE` makes it end at once, never be ready or ignore SIGTERM. */
const SERVICE = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const { NAME, JOURNAL, MISBEHAVE, SINEBAR_PORT, SINEBAR_HOST, SINEBAR_HEALTH_PEERS } = process.env;
if (MISBEHAVE === 'die') process.exit(3);
const server = createServer((request, response) => {
  if (request.url.endsWith('/ready')) response.writeHead(MISBEHAVE === 'lazy' ? 503 : 200).end();
  else response.end(JSON.stringify({ name: NAME, pid: process.pid, peers: SINEBAR_HEALTH_PEERS ?? null }));
});
process.on('SIGTERM', () => {
  appendFileSync(JOURNAL, NAME + '\\n');
  if (MISBEHAVE === 'deaf') return;
  server.close();
  server.closeAllConnections();
});
server.listen(Number(SINEBAR_PORT), SINEBAR_HOST);
`;

const PATHS: Record<ServiceName, string> = {
  inspection: '/dataServiceRest',
  'raw-data': '/rawDataServiceRest',
  events: '/eventServiceRest',
};

let folder: string;
let reported: string[];
let system: DistributedSystem | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinebar-distributed-'));
  reported = [];
  system = undefined;
  writeFileSync(join(folder, 'service.mjs'), SERVICE);
  writeFileSync(join(folder, 'journal'), '');
});
afterEach(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true });
});

const everyService = <T>(value: (name: ServiceName) => T) =>
  Object.fromEntries(SERVICES.map((name) => [name, value(name)])) as Record<ServiceName, T>;

async function start(
  options: Partial<DistributedOptions> = {},
  misbehave: Partial<Record<ServiceName, string>> = {},
): Promise<DistributedSystem> {
  system = await startDistributed({
    port: 0,
    host: '127.0.0.1',
    commands: everyService(() => [join(folder, 'service.mjs')]),
    environments: everyService((name) => ({ NAME: name, JOURNAL: join(folder, 'journal'), MISBEHAVE: misbehave[name] ?? '' })),
    restart: false,
    report: (line) => reported.push(line),
    signal: new AbortController().signal,
    ...options,
  });
  return system;
}

async function ask(
  name: ServiceName,
): Promise<{ status: number; body: { name?: string; pid?: number; peers?: string; ExceptionType?: string } }> {
  const answer = await fetch(`http://127.0.0.1:${system?.port}${PATHS[name]}`, { signal: AbortSignal.timeout(5000) });
  return { status: answer.status, body: (await answer.json()) as { name: string } };
}

const journal = () => readFileSync(join(folder, 'journal'), 'utf8').trim().split('\n').filter(Boolean);

describe('startDistributed', () => {
  it('starts three processes behind one address and reports them', async () => {
    const stateFile = join(folder, 'state.json');
    const { port } = await start({ stateFile });
    const state = JSON.parse(readFileSync(stateFile, 'utf8')) as DistributedState;
    expect(state).toEqual({
      port,
      services: SERVICES.map((name) => ({ name, pid: expect.any(Number), url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })),
    });
    const urls = new Map(state.services.map(({ name, url }) => [name, url]));
    for (const { name, pid } of state.services) {
      const peers = name === 'inspection' ? `${urls.get('raw-data')},${urls.get('events')}` : null;
      expect(await ask(name)).toEqual({ status: 200, body: { name, pid, peers } });
    }
  });

  it('starts several of each, of which one is sufficient to be healthy', async () => {
    const running = await start({ replicas: { inspection: 2, 'raw-data': 2, events: 2 } });
    const { services } = running.state();
    expect(services.map(({ name }) => name)).toEqual(['inspection', 'inspection', 'raw-data', 'raw-data', 'events', 'events']);
    const [, , a, b, c, d] = services.map(({ url }) => url);
    const asked = [await ask('inspection'), await ask('inspection')];
    expect(new Set(asked.map(({ body }) => body.pid))).toEqual(new Set(services.slice(0, 2).map(({ pid }) => pid)));
    for (const { body } of asked) expect(body.peers).toBe(`${a}|${b},${c}|${d}`);
  });

  it('stops in the reverse order and leaves neither process nor state file', async () => {
    const stateFile = join(folder, 'state.json');
    const running = await start({ stateFile });
    const pids = running.state().services.map(({ pid }) => pid);
    await running.stop();
    expect(journal()).toEqual(['events', 'raw-data', 'inspection']);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(() => readFileSync(stateFile)).toThrow('ENOENT');
    await expect(fetch(`http://127.0.0.1:${running.port}/dataServiceRest`)).rejects.toThrow();
  });

  it('restarts a killed service at the same address and stores its new process id', async () => {
    const stateFile = join(folder, 'state.json');
    await start({ stateFile, restart: true });
    const noted = () => (JSON.parse(readFileSync(stateFile, 'utf8')) as DistributedState).services.find(({ name }) => name === 'raw-data');
    const before = noted();
    process.kill(before?.pid ?? NaN, 'SIGKILL');
    await eventually(() => noted()?.pid !== before?.pid, 'another pid in the state file');
    expect(noted()?.url).toBe(before?.url);
    await eventually(async () => (await ask('raw-data')).status === 200, 'an answer of the new process');
    expect((await ask('raw-data')).body.pid).toBe(noted()?.pid);
    expect(reported.join('\n')).toMatch(new RegExp(`raw-data \\(pid ${before?.pid}\\) was ended by SIGKILL`));
  });

  it('restarts no dead service unless configured, and the others continue', async () => {
    const running = await start();
    const victim = running.state().services.find(({ name }) => name === 'events');
    process.kill(victim?.pid ?? NaN, 'SIGKILL');
    await eventually(() => reported.some((line) => line.includes('events')), 'a report');
    await pause(800);
    expect(await ask('events')).toMatchObject({ status: 503, body: { ExceptionType: 'Unavailable' } });
    expect((await ask('inspection')).status).toBe(200);
    expect(running.state().services.find(({ name }) => name === 'events')?.pid).toBe(0);
  });

  it('fails with the name of a service that ends before it is ready, and ends the others', async () => {
    await expect(start({}, { 'raw-data': 'die' })).rejects.toThrow('raw-data has ended with exit code 3 before it was ready');
    expect(journal().length).toBeLessThanOrEqual(2);
  });

  it('gives up on a service that does not become ready', async () => {
    await expect(start({ startLimitMs: 8000 }, { events: 'lazy' })).rejects.toThrow('events is not ready (');
    expect(journal()).toContain('events');
  });

  it('refuses a used port before it starts anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      await expect(start({ port: (other.address() as AddressInfo).port })).rejects.toThrow('EADDRINUSE');
      expect(journal()).toEqual([]);
    } finally {
      other.close();
    }
  });

  it('kills processes that ignore the first request to stop at the second one', async () => {
    const running = await start({}, { inspection: 'deaf' });
    const atOnce = new AbortController();
    const stopped = running.stop(atOnce.signal);
    await eventually(() => journal().includes('inspection'), 'SIGTERM at the deaf one');
    atOnce.abort();
    await stopped;
    expect(running.state().services.some(({ pid }) => isAlive(pid))).toBe(false);
  });

  it('leaves no service running when the starter is killed', async () => {
    const starter = join(folder, 'starter.mjs');
    const module = new URL('./distributed-process.ts', import.meta.url).href;
    writeFileSync(
      starter,
      `import { ServiceProcess } from ${JSON.stringify(module)};
       const service = new ServiceProcess({ name: 'events', command: [process.argv[2]], port: Number(process.argv[3]), restart: false,
         report: () => {}, onStarted: () => {},
         environment: { NAME: 'events', JOURNAL: process.argv[4], SINEBAR_PORT: process.argv[3], SINEBAR_HOST: '127.0.0.1' } });
       service.start();
       await service.ready(AbortSignal.timeout(8000));
       console.log(service.pid);`,
    );
    const port = await chooseFreePort();
    const child = spawn(process.execPath, [starter, join(folder, 'service.mjs'), String(port), join(folder, 'journal')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))));
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await eventually(() => !isAlive(pid), 'the end of the service');
    expect(journal()).toEqual(['events']);
  });
});
