import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  backing,
  copyDataFolder,
  createTestDatabase,
  describeWith,
  eventually,
  queryOnce,
  sinebarCommand,
  startProcess,
  type RunningProcess,
  type TestDatabase,
} from '@sinebar/testing';

const PUMP = { uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e', path: 'P:/Pump/' };
const FILE = `/rawDataServiceRest/rawData/Part/${PUMP.uuid}/0`;
const READY = /^Sinebar is ready at (http:\/\/\S+)$/m;
const LIMIT_MS = 60_000;
jest.setTimeout(3 * LIMIT_MS);

let root: string;
let database: TestDatabase;
let processes: RunningProcess[];

async function run(words: readonly string[], env: Readonly<Record<string, string | undefined>>, ready?: RegExp): Promise<RunningProcess> {
  const running = await startProcess(process.execPath, sinebarCommand('start', ...words), {
    cwd: root,
    env: { SINEBAR_PORT: '0', SINEBAR_MANAGEMENT_PORT: 'off', NATS_URL: undefined, S3_ENDPOINT: undefined, ...env },
    ...(ready && { ready, timeoutMs: LIMIT_MS }),
  });
  processes.push(running);
  return running;
}

async function addPump(url: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${url}/dataServiceRest/parts`, { method: 'POST', headers, body: JSON.stringify([PUMP]) })).status;
}

async function upload(url: string): Promise<number> {
  const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"note.txt"' };
  return (await fetch(`${url}${FILE}`, { method: 'POST', headers, body: 'a kept file' })).status;
}

async function changesOf(url: string, after?: string): Promise<{ next: string }> {
  const answer = await fetch(`${url}/eventServiceRest/changes${after === undefined ? '' : `?after=${after}`}`);
  return (await answer.json()) as { next: string };
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-forms-'));
  await chmod(root, 0o755);
  processes = [];
});
afterEach(async () => {
  for (const running of processes) await running.stop(20_000);
  await rm(root, { recursive: true, force: true });
});

describeWith(['postgres'], 'one process on a database server', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const start = async () => {
    const running = await run(['--database'], { DATABASE_URL: database.url }, READY);
    return { running, url: READY.exec(running.output())?.[1] as string };
  };

  it('keeps parts and files over kill -9, and its database for itself', async () => {
    const first = await start();
    expect(await addPump(first.url)).toBe(201);
    expect(await upload(first.url)).toBe(201);
    const second = await run(['--database'], { DATABASE_URL: database.url, SINEBAR_DATA_DIR: join(root, 'other') });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.output()).toMatch(
      /^Sinebar does not start: The database \S+ on \S+ is in use by another Sinebar process\. Stop that one/,
    );
    await first.running.kill9();
    const third = await start();
    expect(await (await fetch(`${third.url}${FILE}`)).text()).toBe('a kept file');
    expect(await third.running.stop(20_000)).toEqual({ code: 0, signal: null });
  });

  it('takes its database again after the server has ended the connection', async () => {
    const { running, url } = await start();
    const locks = `SELECT pid FROM pg_stat_activity WHERE application_name = 'sinebar process' AND datname = current_database()`;
    const holder = async () => (await queryOnce(database.url, locks))[0]?.['pid'];
    const pid = await holder();
    await queryOnce(database.url, `SELECT pg_terminate_backend(${String(pid)})`);
    await eventually(async () => ![undefined, pid].includes(await holder()), { timeoutMs: 20_000 });
    expect((await fetch(`${url}/dataServiceRest/parts`)).status).toBe(200);
    expect(await running.stop(20_000)).toEqual({ code: 0, signal: null });
  });

  it('leaves the data folder of an embedded database alone', async () => {
    await mkdir(join(root, 'sinebar-data/postgres'), { recursive: true });
    const refused = await run(['--database'], { DATABASE_URL: database.url });
    expect(await refused.exited).toEqual({ code: 1, signal: null });
    expect(refused.output()).toMatch(/holds a database of its own, which sinebar start uses.*another folder with SINEBAR_DATA_DIR/);
  });

  it('is not what a start without an option is', async () => {
    await copyDataFolder('empty', join(root, 'sinebar-data'));
    const running = await run([], { DATABASE_URL: database.url }, READY);
    expect(running.output()).toContain('DATABASE_URL is not used: the database is in the data folder. sinebar start --database uses it.');
    expect(await queryOnce(database.url, `SELECT FROM pg_namespace WHERE nspname = 'inspection'`)).toEqual([]);
  });
});

describeWith(['postgres', 'nats'], 'several services in one process', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('share its address, database and bus', async () => {
    const running = await run(
      ['--services', 'inspection,raw-data,events'],
      {
        DATABASE_URL: database.url,
        NATS_URL: backing().natsUrl,
        SINEBAR_FILE_DIR: join(root, 'files'),
      },
      /ready for requests/,
    );
    const port = /"port":(\d+),"services":\["inspection","raw-data","events"\]/.exec(running.output())?.[1];
    const url = `http://127.0.0.1:${port}`;
    const { next } = await changesOf(url);
    expect(await addPump(url)).toBe(201);
    expect(await upload(url)).toBe(201);
    await eventually(async () => JSON.stringify(await changesOf(url, next)).includes('note.txt'), { timeoutMs: 20_000 });
    expect(await running.stop(40_000)).toEqual({ code: 0, signal: null });
  });
});
