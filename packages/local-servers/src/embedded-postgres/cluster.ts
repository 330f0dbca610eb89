import { spawn } from 'node:child_process';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@sinebar/concurrency';
import { closeToOthers, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, syncFolder } from '@sinebar/runtime';
import { messageOf, StartRefusedError } from './refusal.ts';
import type { PostgresBinaries } from './binaries.ts';
import { CREDENTIALS_FILE, newCredentials, type Credentials } from './credentials.ts';
import { asUser, canReach, type OsUser } from './os-user.ts';
import { CHILD_ENVIRONMENT } from './postgres-program.ts';
import { CLIENT_RULES, MAIN_SETTINGS } from './server-settings.ts';

const UNFINISHED = '.unfinished-';
/** A new database takes about 45 MB and its log of changes another 80. */
const NEEDED_BYTES = 256 * 2 ** 20;
const CREATE_TIMEOUT_MS = 120_000;

/**
 * Returns the name of `folder` for a PostgreSQL program that runs in it as `user`.
 * Below a folder that the user may not enter (`/root`) the path fails, but the working folder is set before the user is changed.
 * @throws StartRefusedError where the system has no name for the working folder
 */
export async function folderArgument(folder: string, user: OsUser | undefined): Promise<string> {
  if (await canReach(folder, user)) return folder;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new StartRefusedError(
    `PostgreSQL refuses to run as root and is started as ${user?.name ?? 'another user'}, who may not enter ${folder}. ` +
      'Start Sinebar as an ordinary user, or choose a data folder that others may enter: SINEBAR_DATA_DIR=<folder>.',
  );
}

/**
 * Mode of the data folder: closed to other accounts.
 * When root runs PostgreSQL as another account, it starts inside its own folder; only systems without a name for the working folder need
 * access through this one.
 */
const DATA_FOLDER_MODE = process.platform === 'linux' || process.getuid?.() !== 0 ? PRIVATE_FOLDER_MODE : 0o711;
/** Entries that Sinebar makes in its data folder. A folder that holds anything else may be shared with others. */
const OWN_ENTRY = /^(postgres(\.unfinished-.*|\.log(\.1)?)?|files|spool|sinebar\.lock.*|\.writable-\d+)$/;

/** Creates the data folder, closes it to other accounts and checks that it is writable. @throws StartRefusedError */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    // On a read-only file system the recursive form reports ENOENT; the plain one reports the real reason.
    await mkdir(dataDir, { recursive: true, mode: DATA_FOLDER_MODE }).catch(async (error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error;
      await mkdir(dataDir, { mode: DATA_FOLDER_MODE });
    });
    const probe = join(dataDir, `.writable-${process.pid}`);
    await writeFile(probe, '', { mode: PRIVATE_FILE_MODE });
    await rm(probe);
    await closeDataFolder(dataDir);
  } catch (error) {
    throw new StartRefusedError(explainUnwritable(dataDir, error), { cause: error });
  }
}

/** Closes the folder and the log in it, which earlier releases left readable for everybody. */
async function closeDataFolder(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir);
  if (entries.every((name) => OWN_ENTRY.test(name))) await closeToOthers(dataDir, DATA_FOLDER_MODE);
  for (const name of entries) if (/^postgres\.log(\.1)?$/.test(name)) await closeToOthers(join(dataDir, name));
}

/** Explains why a data folder cannot be used, and what to do. */
export function explainUnwritable(dataDir: string, error: unknown): string {
  const elsewhere = 'or choose another folder: SINEBAR_DATA_DIR=<folder>';
  switch (errorCode(error) ?? '') {
    case 'EACCES':
    case 'EPERM':
      return (
        `Sinebar may not write into the data folder ${dataDir}. ` +
        `Give the user that runs Sinebar the right to (chown or chmod), ${elsewhere}.`
      );
    case 'EROFS':
      return `The data folder ${dataDir} is on a read-only file system. Mount it writable, ${elsewhere}.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of the data folder ${dataDir} is full. Free some space, ${elsewhere}.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} cannot be made because a file is in its way. Remove the file, ${elsewhere}.`;
    default:
      return `The data folder ${dataDir} cannot be used (${messageOf(error)}). Repair it, ${elsewhere}.`;
  }
}

/** Returns the owner of the database folder; `undefined` when it does not exist. @throws StartRefusedError when it cannot be read */
export async function folderOwner(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartRefusedError(explainUnwritable(folder, error), { cause: error });
  }
}

/**
 * Whether `folder` holds a database that this PostgreSQL can run; false when it is missing or empty.
 * @throws StartRefusedError when it holds other files, or a database of another major version
 */
export async function checkCluster(folder: string, binaries: { version: string; major: number }): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(join(folder, 'PG_VERSION'), 'utf8');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw new StartRefusedError(explainUnwritable(folder, error), { cause: error });
    const entries = await readdir(folder).catch(() => []);
    if (entries.length === 0) return false;
    throw new StartRefusedError(
      `The folder ${folder} is not empty and holds no PostgreSQL database (PG_VERSION is missing). ` +
        'Restore it from a backup, or choose another data folder: SINEBAR_DATA_DIR=<folder>.',
    );
  }
  const found = text.trim();
  if (found !== String(binaries.major)) {
    throw new StartRefusedError(
      `The database in ${folder} was made by PostgreSQL ${found}; ` +
        `this Sinebar brings PostgreSQL ${binaries.version}, which cannot open it. Nothing was changed. ` +
        'Start the Sinebar that made it, dump the database (pg_dumpall), and load the dump into a new data folder with ' +
        'this one; or start with another folder: SINEBAR_DATA_DIR=<folder>.',
    );
  }
  return true;
}

/** Removes the remains of an interrupted creation. Requires the lock of the data folder. */
export async function removeUnfinished(dataDir: string, name: string): Promise<void> {
  for (const entry of await readdir(dataDir)) {
    if (entry.startsWith(name + UNFINISHED))
      await rm(join(dataDir, entry), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export interface NewCluster {
  dataDir: string;
  name: string;
  binaries: PostgresBinaries;
  user: OsUser | undefined;
  /** False for tests: the files are not flushed to the disk, which takes most of the time. */
  fsync: boolean;
}

/** Creates a database with its accounts in `<dataDir>/<name>`, atomically by renaming a temporary folder. @throws StartRefusedError */
export async function createCluster({ dataDir, name, binaries, user, fsync }: NewCluster): Promise<void> {
  const space = await statfs(dataDir).catch(() => undefined);
  if (space && space.bavail * space.bsize < NEEDED_BYTES)
    throw new StartRefusedError(explainUnwritable(dataDir, Object.assign(new Error(), { code: 'ENOSPC' })));
  const unfinished = await mkdtemp(join(dataDir, name + UNFINISHED));
  try {
    await chmod(unfinished, 0o700);
    if (user) await handOver(unfinished, user);
    const argument = await folderArgument(unfinished, user);
    const asOwner = { ...asUser(user), cwd: unfinished };
    await initialise(binaries.initdb, [argument, ...(fsync ? [] : ['--no-sync'])], asOwner);
    const credentials = newCredentials();
    await runProgram(
      binaries.postgres,
      ['--single', ...(fsync ? [] : ['-F']), '-D', argument, 'postgres'],
      accountStatements(credentials),
      asOwner,
    );
    await writeOwned(join(unfinished, 'postgresql.conf'), MAIN_SETTINGS, user);
    await writeOwned(join(unfinished, 'pg_hba.conf'), CLIENT_RULES, user);
    await writeOwned(join(unfinished, CREDENTIALS_FILE), `${JSON.stringify(credentials, null, 2)}\n`, user);
    await rename(unfinished, join(dataDir, name));
    await syncFolder(dataDir);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    if (error instanceof StartRefusedError) throw error;
    throw new StartRefusedError(explainUnwritable(dataDir, /No space left on device/.test(messageOf(error)) ? { code: 'ENOSPC' } : error), {
      cause: error,
    });
  }
}

/**
 * Runs initdb with the first suitable locale of the system.
 * Comparison and case use the built-in provider, but trigrams use the system's locale, which must support Unicode: with `C` a Chinese name
 * has no trigrams.
 */
async function initialise(initdb: string, args: readonly string[], asOwner: { cwd: string; uid?: number; gid?: number }): Promise<void> {
  const unicode = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  for (const letters of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    try {
      // `trust` applies only until pg_hba.conf is replaced: nothing listens before that.
      await runProgram(
        initdb,
        ['-D', ...args, '--username=postgres', '--auth=trust', '--no-instructions', ...unicode, `--lc-ctype=${letters}`],
        '',
        asOwner,
      );
      return;
    } catch (error) {
      if (letters === 'C' || !/invalid locale name/.test(messageOf(error))) throw error;
    }
  }
}

/** Single-user mode reads one statement per line. Services work as an ordinary owner, not as superuser. */
function accountStatements({ database, superuser, application }: Credentials): string {
  return [
    `ALTER ROLE ${superuser.name} PASSWORD '${superuser.password}'`,
    `CREATE ROLE ${application.name} LOGIN PASSWORD '${application.password}'`,
    `CREATE DATABASE ${database} OWNER ${application.name}`,
    '',
  ].join('\n');
}

export async function writeServerSettings(folder: string, text: string, user: OsUser | undefined): Promise<void> {
  await writeOwned(join(folder, 'sinebar.conf'), text, user);
}

async function writeOwned(path: string, text: string, user: OsUser | undefined): Promise<void> {
  const fresh = `${path}.new`;
  await writeFile(fresh, text, { mode: 0o600, flush: true });
  if (user) await chown(fresh, user.uid, user.gid);
  await rename(fresh, path);
}

/**
 * Makes `user` the owner of a folder and of everything in it.
 * @throws StartRefusedError when root is not allowed to (a container with a single user)
 */
export async function handOver(folder: string, user: OsUser): Promise<void> {
  try {
    await lchown(folder, user.uid, user.gid);
    for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), user.uid, user.gid);
  } catch (error) {
    throw new StartRefusedError(
      `PostgreSQL refuses to run as root, and ${folder} could not be handed over to ${user.name} (${messageOf(error)}). ` +
        'Start Sinebar as an ordinary user, in a container for example with --user 1000.',
      { cause: error },
    );
  }
}

async function runProgram(
  program: string,
  args: readonly string[],
  input: string,
  options: { cwd: string; uid?: number; gid?: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, {
      ...options,
      env: CHILD_ENVIRONMENT,
      windowsHide: true,
      timeout: CREATE_TIMEOUT_MS,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString('utf8')).slice(-4_000)));
    // A program that ends early closes its input; its exit code gives the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const failed = code !== 0 || /^.*(ERROR|FATAL|PANIC): /m.test(complaint);
      if (failed) reject(new Error(`creating the database ended with ${signal ?? `code ${code}`}: ${complaint.trim()}`));
      else resolve();
    });
  });
}
