import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { asUser, chooseFreePort, chooseOsUser, findAccount, findBinaryPackage, prepareBinaries, type OsUser } from '@sinebar/local-servers';
import { queryOnce, startProcess, type RunningProcess } from '@sinebar/testing';
import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './kubernetes-objects.fixture.ts';

/** Replaces a program by one that makes a part of its work, and then ends the script as a killed container would. */
const INTERRUPTIONS = {
  'while initdb writes files': ['initdb', 'mkdir -p "$PGDATA" && echo 18 >"$PGDATA/PG_VERSION"'],
  'after initdb': ['initdb', '"$REAL/initdb" "$@"'],
  'after the database was created': ['postgres', '"$REAL/postgres" "$@"'],
} as const;

describe('infra/docker/start-postgres.sh', () => {
  let binaries: string;
  let user: OsUser | undefined;
  let folder: string;
  let running: RunningProcess | undefined;
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const dataFolder = () => join(folder, '18/docker');

  const program = (name: string, lines: string) => {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  };
  const environment = () => ({
    PATH: `${join(folder, 'bin')}:${binaries}:/usr/bin:/bin`,
    REAL: binaries,
    PGDATA: dataFolder(),
    POSTGRES_USER: 'sinebar',
    POSTGRES_DB: 'sinebar',
    POSTGRES_PASSWORD: `it's "quoted" $HOME`,
    POSTGRES_INITDB_ARGS: '--locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync',
    LC_ALL: 'C.UTF-8',
  });
  /** Runs the script until it ends, with a command that ends at once. */
  const runToEnd = (command: string[]) =>
    spawnSync('bash', [join(folder, 'start-postgres.sh'), ...command], { encoding: 'utf8', env: environment(), cwd: '/', ...asUser(user) });

  async function startServer(): Promise<string> {
    const port = await chooseFreePort();
    const switched = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : ['env'];
    const options = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', 'unix_socket_directories='];
    running = await startProcess(
      switched[0] as string,
      [...switched.slice(1), 'bash', join(folder, 'start-postgres.sh'), 'postgres', ...options],
      {
        env: environment(),
        cwd: '/',
        ready: /ready to accept connections/,
      },
    );
    return `postgres://sinebar@127.0.0.1:${port}/sinebar`;
  }

  beforeAll(async () => {
    user = await chooseOsUser({ currentUid: process.getuid?.(), owner: undefined, invokingUid: undefined, findAccount }, tmpdir());
    binaries = dirname((await prepareBinaries(await findBinaryPackage(), user)).postgres);
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-first-start-'));
    for (const path of [folder, join(folder, 'bin'), join(folder, '18')]) {
      mkdirSync(path, { recursive: true });
      own(path);
    }
    copyFileSync(join(ROOT, 'infra/docker/start-postgres.sh'), join(folder, 'start-postgres.sh'));
    program('docker-entrypoint.sh', 'exec "$@"');
  });

  afterEach(async () => {
    await running?.stop();
    running = undefined;
    rmSync(folder, { recursive: true });
  });

  it('creates the database, its administrator with the password, and the rule for other containers', async () => {
    const url = await startServer();
    expect(await queryOnce(url, `SELECT datcollate, datlocale FROM pg_database WHERE datname = 'sinebar'`)).toMatchObject([
      { datlocale: 'C.UTF-8' },
    ]);
    expect(await queryOnce(url, `SELECT left(rolpassword, 13) AS kind FROM pg_authid WHERE rolname = 'sinebar'`)).toEqual([
      { kind: 'SCRAM-SHA-256' },
    ]);
    const rules = `SELECT type, address, auth_method FROM pg_hba_file_rules WHERE address = 'all'`;
    expect(await queryOnce(url, rules)).toEqual([{ type: 'host', address: 'all', auth_method: 'scram-sha-256' }]);
  });

  it.each(Object.entries(INTERRUPTIONS))('recovers from a first start that was interrupted %s', async (_, [name, work]) => {
    program(name, `${work}\nkill -KILL $PPID`);
    expect(runToEnd(['true']).status).toBe(128 + constants.signals.SIGKILL);
    expect(existsSync(dataFolder())).toBe(false);
    rmSync(join(folder, 'bin', name));
    const url = await startServer();
    expect(await queryOnce(url, 'SELECT current_database() AS name')).toEqual([{ name: 'sinebar' }]);
    expect(readdirSync(join(folder, '18'))).toEqual(['docker']);
  });

  it('keeps the database at the next start', async () => {
    await queryOnce(await startServer(), 'CREATE TABLE kept AS SELECT 1 AS number');
    await running?.stop();
    expect(await queryOnce(await startServer(), 'SELECT number FROM kept')).toEqual([{ number: 1 }]);
  });

  it('reports an incomplete database that something else left, and removes nothing', () => {
    mkdirSync(dataFolder());
    writeFileSync(join(dataFolder(), 'PG_VERSION'), '18\n');
    own(dataFolder());
    const { status, stderr } = runToEnd(['true']);
    expect(status).toBe(1);
    expect(stderr).toContain('holds an incomplete database');
    expect(stderr).toContain('docker volume rm sinebar_postgres-data');
    expect(readdirSync(dataFolder())).toEqual(['PG_VERSION']);
  });
});
