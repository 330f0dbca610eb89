import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** Folder of a stopped database, which tests copy that do not look at its creation. */
let stopped: string;
let root: string;
let running: EmbeddedPostgres[];

beforeAll(async () => {
  stopped = await mkdtemp(join(tmpdir(), 'sinebar-stopped-'));
  await chmod(stopped, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: stopped, log, fsync: false });
  await server.stop();
});

afterAll(() => rm(stopped, { recursive: true, force: true }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-embedded-'));
  await chmod(root, 0o755);
  running = [];
});

afterEach(async () => {
  for (const server of running) await server.stop();
  await rm(root, { recursive: true, force: true });
});

async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, fsync: false, ...options });
  running.push(server);
  return server;
}

/** Copies the stopped database with its owners and modes. */
function copyStopped(): void {
  execFileSync('cp', ['-a', `${stopped}/.`, root]);
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(`SELECT (${statement}) AS answer`);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

async function change(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('startEmbeddedPostgres', () => {
  it('creates a database, keeps it over a restart and returns its address', async () => {
    const dataDir = join(root, 'Prüf daten', 'sinebar data');
    const first = await start(dataDir);
    expect(first.port).toBeLessThan(32_768);
    expect(first.state()).toMatchObject({ state: 'running' });
    expect(await ask(first.url, `lower('Ä') = 'ä' AND upper('ß') = 'ß'`)).toBe(true);
    await change(first.url, `CREATE EXTENSION pg_trgm; CREATE TABLE kept (note text); INSERT INTO kept VALUES ('still here')`);
    expect(await ask(first.url, `array_length(show_trgm('千分尺'), 1) > 0`)).toBe(true);
    await first.stop();
    expect(first.state()).toMatchObject({ state: 'stopped' });
    const second = await start(dataDir);
    expect(second.port).toBe(first.port);
    expect(await ask(second.url, `SELECT note FROM kept`)).toBe('still here');
  });

  it('listens on 127.0.0.1 only, requires the password and gives services no superuser', async () => {
    copyStopped();
    const server = await start(root, { fsync: true });
    const superuser = JSON.parse(await readFile(join(root, 'postgres', 'sinebar-credentials.json'), 'utf8')) as {
      superuser: { name: string; password: string };
    };
    const everything = `postgres://postgres:${superuser.superuser.password}@127.0.0.1:${server.port}/postgres`;
    expect(await ask(everything, `current_setting('listen_addresses') || current_setting('unix_socket_directories')`)).toBe('127.0.0.1');
    expect(await ask(server.url, `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`)).toBe(false);
    expect(await ask(server.url, `current_setting('fsync') || current_setting('jit')`)).toBe('onoff');
    const wrong = new URL(server.url);
    wrong.password = 'guessed';
    await expect(ask(wrong.href, '1')).rejects.toMatchObject({ code: '28P01' });
    wrong.username = 'postgres';
    wrong.password = '';
    await expect(ask(wrong.href, '1')).rejects.toThrow();
    const credentials = await stat(join(root, 'postgres', 'sinebar-credentials.json'));
    expect(credentials.mode & 0o777).toBe(0o600);
    expect((await stat(join(root, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('works below a folder that only root may enter', async () => {
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const first = await start(join(closed, 'data'));
    await change(first.url, 'CREATE TABLE kept (id int)');
    await first.stop();
    const second = await start(join(closed, 'data'));
    expect(await ask(second.url, 'SELECT count(*)::int FROM kept')).toBe(0);
  });

  it('refuses a second start on the same folder and names the process', async () => {
    copyStopped();
    await start(root);
    await expect(startEmbeddedPostgres({ dataDir: root, log })).rejects.toThrow(`is in use by the Sinebar process ${process.pid}`);
  });

  it('restarts PostgreSQL after kill -9 at the same address with all committed data', async () => {
    copyStopped();
    const server = await start(root);
    await change(server.url, `CREATE TABLE kept (id int); INSERT INTO kept SELECT generate_series(1, 1000)`);
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    await eventually(() => server.state().state === 'restarting');
    expect(server.state().detail).toContain('being started again');
    await eventually(() => server.state().state === 'running', { timeoutMs: 20_000 });
    expect(server.pid).not.toBe(killed);
    expect(await ask(server.url, 'SELECT count(*)::int FROM kept')).toBe(1000);
  });

  it('gives up after the allowed attempts and reports the reason', async () => {
    copyStopped();
    const failures: Error[] = [];
    const server = await start(root, { restartDelaysMs: [10, 10], onGaveUp: (error) => failures.push(error) });
    await writeFile(join(root, 'postgres', 'postgresql.conf'), 'shared_buffers = nonsense\n');
    process.kill(server.pid, 'SIGKILL');
    await eventually(() => server.state().state === 'failed', { timeoutMs: 20_000 });
    expect(failures).toHaveLength(1);
    expect(server.state().detail).toContain('could not be started again');
    await server.stop();
    expect(await readdir(root)).not.toContain('sinebar.lock');
  });

  it('can be stopped during a restart', async () => {
    copyStopped();
    const server = await start(root, { restartDelaysMs: [60_000] });
    process.kill(server.pid, 'SIGKILL');
    await eventually(() => server.state().state === 'restarting');
    const begun = Date.now();
    await server.stop();
    expect(Date.now() - begun).toBeLessThan(30_000);
  });

  it('stops cleanly when the start is aborted', async () => {
    copyStopped();
    const abort = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir: root, log, signal: abort.signal });
    await eventually(async () => (await readdir(join(root, 'postgres'))).includes('postmaster.pid'), { intervalMs: 1 });
    abort.abort(new Error('no longer wanted'));
    await expect(starting).rejects.toThrow('no longer wanted');
    expect(await readdir(join(root, 'postgres'))).not.toContain('postmaster.pid');
    expect(await readdir(root)).not.toContain('sinebar.lock');
  });

  it('refuses the folder of another major version, explains what to do and changes nothing', async () => {
    copyStopped();
    await writeFile(join(root, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start(root)).rejects.toThrow(/made by PostgreSQL 17; this Sinebar brings PostgreSQL 18\.\d+.*dump.*SINEBAR_DATA_DIR/s);
    expect(await readFile(join(root, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n');
    await writeFile(join(root, 'postgres', 'PG_VERSION'), '18\n');
    await start(root);
  });

  it('refuses a folder with other content', async () => {
    await mkdir(join(root, 'postgres'));
    await writeFile(join(root, 'postgres', 'holiday.jpg'), 'beach');
    await expect(start(root)).rejects.toThrow('holds no PostgreSQL database');
    expect(await readFile(join(root, 'postgres', 'holiday.jpg'), 'utf8')).toBe('beach');
  });

  it('removes what an interrupted creation left, and leaves nothing after its own failure', async () => {
    await mkdir(join(root, 'postgres.unfinished-abc', 'base'), { recursive: true });
    const server = await start(root);
    expect(await readdir(root)).not.toContain('postgres.unfinished-abc');
    await server.stop();
  });

  it('distinguishes a broken setting and a lost password file', async () => {
    copyStopped();
    await writeFile(join(root, 'postgres', 'postgresql.conf'), 'work_mem = plenty\n');
    await expect(start(root)).rejects.toThrow(/did not start.*log: .*postgres\.log/s);
    await writeFile(join(root, 'postgres', 'postgresql.conf'), '');
    await rm(join(root, 'postgres', 'sinebar-credentials.json'));
    await expect(start(root)).rejects.toThrow('sinebar-credentials.json is missing');
  });

  it('prefers settings of the user', async () => {
    copyStopped();
    const path = join(root, 'postgres', 'postgresql.conf');
    await writeFile(path, `${await readFile(path, 'utf8')}work_mem = '77MB'\n`);
    expect(await ask((await start(root)).url, `current_setting('work_mem')`)).toBe('77MB');
  });

  it('uses a folder that was copied as root with the wrong mode', async () => {
    copyStopped();
    const server = await start(root);
    await change(server.url, 'CREATE TABLE kept (id int)');
    await server.stop();
    const copy = join(root, 'copy');
    await mkdir(copy);
    execFileSync('cp', ['-r', join(root, 'postgres'), copy]);
    await chmod(join(copy, 'postgres'), 0o755);
    expect(await ask((await start(copy)).url, 'SELECT count(*)::int FROM kept')).toBe(0);
  });
});
