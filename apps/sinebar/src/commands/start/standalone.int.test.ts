import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  copyDataFolder,
  eventually,
  startProcess,
  sinebarCommand,
  startBuiltProduct,
  type RunningProcess,
  type StartedProduct,
} from '@sinebar/testing';
import { isAlive } from '@sinebar/local-servers';

const PUMP = { uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', path: 'P:/Pump/' };

const ROOT_FILE = '/rawDataServiceRest/rawData/Part/00000000-0000-0000-0000-000000000000/0';

/** A first start creates a database, which takes long while other tests do the same. */
const START_LIMIT_MS = 55_000;
jest.setTimeout(3 * START_LIMIT_MS);

let root: string;
let processes: RunningProcess[];

async function openFolder(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), 'sinebar-standalone-'));
  await chmod(root, 0o755);
  processes = [];
}

async function closeFolder(): Promise<void> {
  for (const running of processes) await running.stop(20_000);
  const orphan = await postgresPid();
  if (orphan !== undefined && isAlive(orphan)) {
    process.kill(orphan, 'SIGINT');
    await eventually(() => !isAlive(orphan));
  }
  await rm(root, { recursive: true, force: true });
}

async function run(env: Record<string, string> = {}): Promise<RunningProcess> {
  const running = await startProcess(process.execPath, sinebarCommand('start'), {
    env: { SINEBAR_PORT: '0', DATABASE_URL: undefined, ...env },
    cwd: root,
  });
  processes.push(running);
  return running;
}

async function start(env: Record<string, string> = {}): Promise<StartedProduct> {
  const product = await startBuiltProduct('standalone', { env: { DATABASE_URL: undefined, ...env }, cwd: root, timeoutMs: START_LIMIT_MS });
  processes.push(product.running);
  return product;
}

/** Starts with an empty database that was made before. */
async function startWithDatabase(env: Record<string, string> = {}): Promise<StartedProduct> {
  await copyDataFolder('empty', join(root, 'sinebar-data'));
  return await start(env);
}

async function postgresPid(): Promise<number | undefined> {
  const text = await readFile(join(root, 'sinebar-data', 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

async function addPump(url: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${url}/dataServiceRest/parts`, { method: 'POST', headers, body: JSON.stringify([PUMP]) })).status;
}

/** Uploads a file to the root part, which always exists. */
async function upload(url: string, content: string): Promise<number> {
  const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"note.txt"' };
  return (await fetch(`${url}${ROOT_FILE}`, { method: 'POST', headers, body: content })).status;
}

async function get(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

describe('the whole product in one process', () => {
  beforeEach(openFolder);
  afterEach(closeFolder);

  it('starts on an empty folder, keeps parts and events over kill -9, and stops in order', async () => {
    const first = await start();
    expect(first.running.output()).toMatch(/curl .*sinebar-data.*Ctrl-C/s);
    const before = (await get(`${first.url}/eventServiceRest/changes`)).body as { next: string };
    expect(await addPump(first.url)).toBe(201);
    expect(await upload(first.url, 'a kept file')).toBe(201);
    const changed = (): Promise<{ status: number; body: unknown }> => get(`${first.url}/eventServiceRest/changes?after=${before.next}`);
    const seen = await eventually(async () => {
      const { body } = await changed();
      const text = JSON.stringify(body);
      return text.includes(PUMP.uuid) && text.includes('note.txt') && body;
    });
    await first.running.kill9();

    const second = await start();
    expect(second.running.output()).toContain('stopped the PostgreSQL of a killed Sinebar');
    expect((await get(`${second.url}/dataServiceRest/parts`)).body).toContainEqual(expect.objectContaining(PUMP));
    expect((await get(`${second.url}/eventServiceRest/changes?after=${before.next}`)).body).toEqual(seen);
    expect(await (await fetch(`${second.url}${ROOT_FILE}`)).text()).toBe('a kept file');
    const begun = Date.now();
    expect(await second.running.stop()).toEqual({ code: 0, signal: null });
    // Below the grace time of requests that do not end.
    expect(Date.now() - begun).toBeLessThan(15_000);
    expect(await postgresPid()).toBeUndefined();
    expect(await readdir(join(root, 'sinebar-data'))).not.toContain('sinebar.lock');
  });

  it('removes access of other accounts from its data folder, whatever the umask', async () => {
    const dataDir = join(root, 'sinebar-data');
    const startOpen = async () => {
      const umask = process.umask(0);
      const started = await start();
      process.umask(umask);
      expect(await upload(started.url, 'private')).toBe(201);
      return started.running;
    };
    const wide = async () => {
      const paths = [dataDir, ...(await readdir(dataDir, { recursive: true })).map((name) => join(dataDir, name))];
      const modes = await Promise.all(paths.map(async (path) => [path, (await stat(path).catch(() => undefined))?.mode ?? 0] as const));
      return modes.filter(([, mode]) => (mode & 0o077) !== 0).map(([path]) => path);
    };
    const first = await startOpen();
    expect(await wide()).toEqual([]);
    await first.stop();
    for (const path of (await readdir(dataDir, { recursive: true })).filter((name) => !name.startsWith('postgres/'))) {
      const isFolder = (await stat(join(dataDir, path))).isDirectory();
      await chmod(join(dataDir, path), isFolder ? 0o755 : 0o644);
    }
    await chmod(dataDir, 0o755);
    expect(await wide()).not.toEqual([]);
    await startOpen();
    expect(await wide()).toEqual([]);
  }, 90_000);

  it('names the process at its port before it changes anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await eventually(() => other.listening);
    const { port } = other.address() as AddressInfo;
    try {
      const refused = await run({ SINEBAR_PORT: String(port) });
      expect(await refused.exited).toEqual({ code: 1, signal: null });
      expect(refused.output()).toMatch(
        new RegExp(
          `^Sinebar does not start: Port ${port} of 127.0.0.1 is taken by process ${process.pid} .*SINEBAR_PORT=8080 sinebar start\n$`,
        ),
      );
      expect(await readdir(root)).toEqual([]);
    } finally {
      other.close();
    }
  });

  it('can be stopped during the start, and then starts again normally', async () => {
    const early = await run();
    await eventually(async () => (await readdir(join(root, 'sinebar-data')).catch((): string[] => [])).includes('postgres'), {
      intervalMs: 5,
      timeoutMs: 60_000,
    });
    expect(await early.stop()).toMatchObject({ code: 0 });
    expect(early.output()).not.toContain('does not start');
    expect(await postgresPid()).toBeUndefined();
    const { url } = await start();
    expect(await addPump(url)).toBe(201);
  });

  it('lists every wrong setting, and warns of unknown ones and of an open address', async () => {
    const wrong = await run({ SINEBAR_PORT: 'eighty', SINEBAR_LOG_LEVEL: 'loud' });
    expect(await wrong.exited).toEqual({ code: 1, signal: null });
    expect(wrong.output()).toMatch(/SINEBAR_PORT: must be a whole number.*SINEBAR_LOG_LEVEL: must be one of.*check-config/s);
    const { running, url } = await startWithDatabase({ SINEBAR_HOST: '0.0.0.0', SINEBAR_PROT: '1', SINEBAR_USER: 'anna' });
    expect(running.output()).toContain('These variables are not known: SINEBAR_PROT.');
    expect(running.output()).toContain('WARNING: Sinebar listens on 0.0.0.0 without authentication');
    expect(JSON.stringify((await get(`${url}/healthServiceRest/ready`)).body)).toContain(
      'whoever reaches this address can read and change everything',
    );
  });

  it('does not start without the configured access policy, and changes nothing', async () => {
    const without = await run({ SINEBAR_AUTHENTICATION: 'basic' });
    expect(await without.exited).toEqual({ code: 1, signal: null });
    expect(without.output()).toMatch(/^Sinebar does not start: .*\n.*SINEBAR_ACCESS_POLICY: is required with SINEBAR_AUTHENTICATION=basic/);
    const policy = join(root, 'policy.yaml');
    await writeFile(policy, 'roles:\n  r:\n    grants:\n      - rights: [plan:see]\n');
    const broken = await run({ SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: policy });
    expect(await broken.exited).toEqual({ code: 1, signal: null });
    expect(broken.output()).toMatch(/SINEBAR_ACCESS_POLICY: .*policy\.yaml, line 4: .*is no right; the rights are plan:read/);
    expect(await readdir(root)).toEqual(['policy.yaml']);
  });

  it('requires credentials, and does not warn of an open address then', async () => {
    const policy = join(root, 'policy.yaml');
    await writeFile(policy, 'roles: {}\n');
    const settings = { SINEBAR_HOST: '0.0.0.0', SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: policy };
    const { running, url } = await startWithDatabase(settings);
    expect(running.output()).not.toContain('WARNING');
    expect((await get(`${url}/dataServiceRest/parts`)).status).toBe(401);
    expect((await get(`${url}/dataServiceRest/serviceInformation`)).body).toMatchObject({ securityEnabled: true });
  });
});

describe('a running product', () => {
  let running: RunningProcess;
  let url: string;
  beforeAll(async () => {
    await openFolder();
    ({ running, url } = await startWithDatabase());
  });
  afterAll(closeFolder);

  it('reports in one sentence that its folder is in use', async () => {
    const refused = await run();
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.output()).toMatch(
      new RegExp(`^Sinebar does not start: The data folder .* is in use by the Sinebar process ${running.pid},.*\n$`),
    );
  });

  it('answers 503 while its database restarts after a crash, then continues', async () => {
    expect(await addPump(url)).toBe(201);
    process.kill((await postgresPid()) as number, 'SIGKILL');
    await eventually(async () => (await get(`${url}/healthServiceRest/ready`)).status === 503);
    const statuses = new Set<number>();
    await eventually(
      async () => {
        const { status } = await get(`${url}/dataServiceRest/parts`);
        statuses.add(status);
        return status === 200 && (await get(`${url}/healthServiceRest/ready`)).status === 200;
      },
      { timeoutMs: 20_000 },
    );
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await get(`${url}/dataServiceRest/parts`)).body).toContainEqual(expect.objectContaining(PUMP));
  });

  it('treats the copies of one Ctrl-C as one and ends with 0', async () => {
    for (let copy = 0; copy < 3; copy++) process.kill(running.pid, 'SIGINT');
    const end = await running.exited;
    expect({ ...end, said: end.code === 0 ? '' : running.output() }).toEqual({ code: 0, signal: null, said: '' });
    expect(await postgresPid()).toBeUndefined();
  });
});
