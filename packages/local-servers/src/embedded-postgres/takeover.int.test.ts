import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sinebar/runtime';
import { eventually, queryOnce, noteSkip } from '@sinebar/testing';
import { isAlive } from '../processes.ts';
import { findBinaryPackage, prepareBinaries, type BinaryPackage } from './binaries.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { OsUser } from './os-user.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const NOBODY: OsUser = { uid: 65_534, gid: 65_534, name: 'nobody' };
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;
if (!isRoot) noteSkip('not run as root', 'a data folder that another process used');
const MODULE = pathToFileURL(join(import.meta.dirname, 'embedded-postgres.ts')).href;

/** Program that starts the database as a user and prints its address or the error. It stops on SIGTERM. */
const PARENT = `
  const [library, dataDir, id] = process.argv.slice(1);
  const { startEmbeddedPostgres } = await import(library);
  // Node itself may lie in a folder that only its owner may enter.
  if (id) {
    process.setgroups([]);
    process.setgid(Number(id));
    process.setuid(Number(id));
  }
  const silent = { info() {}, warn() {}, error() {} };
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: silent, fsync: false });
    process.on('SIGTERM', () => server.stop().then(() => process.exit(0)));
    console.log(JSON.stringify({ url: server.url, pid: server.pid }));
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(JSON.stringify({ refused: error.message }));
  }
`;

interface Said {
  url?: string;
  pid?: number;
  refused?: string;
}

/** Folder of a stopped database, which tests copy that do not look at its creation. */
let stopped: string;
let root: string;
let parents: ChildProcess[];

beforeAll(async () => {
  stopped = await mkdtemp(join(tmpdir(), 'sinebar-stopped-'));
  await chmod(stopped, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: stopped, log, fsync: false });
  await server.stop();
});

afterAll(() => rm(stopped, { recursive: true, force: true }));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sinebar-takeover-'));
  await chmod(root, 0o755);
  parents = [];
});

afterEach(async () => {
  for (const parent of parents) await ended(parent, 'SIGTERM');
  await rm(root, { recursive: true, force: true });
});

/** Copies the stopped database with its owners and modes. */
async function copyStopped(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  execFileSync('cp', ['-a', `${stopped}/.`, dataDir]);
}

async function startParent(dataDir: string, user?: OsUser): Promise<{ parent: ChildProcess; said: Said }> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, MODULE, dataDir, ...(user ? [String(user.uid)] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
  });
  parents.push(parent);
  let text = '';
  parent.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await eventually(() => text.endsWith('\n'), { timeoutMs: 60_000 });
  return { parent, said: JSON.parse(text) as Said };
}

async function ended(parent: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (parent.exitCode !== null || parent.signalCode !== null) return;
  parent.kill(signal);
  await eventually(() => parent.exitCode !== null || parent.signalCode !== null, { timeoutMs: 20_000 });
}

describe('a data folder that another process used', () => {
  it('can be used after kill -9, and the remaining PostgreSQL is stopped cleanly', async () => {
    await copyStopped(root);
    const { parent, said } = await startParent(root);
    await queryOnce(said.url as string, `CREATE TABLE kept (id int)`);
    await queryOnce(said.url as string, `INSERT INTO kept SELECT generate_series(1, 500)`);
    await ended(parent, 'SIGKILL');
    expect(isAlive(said.pid as number)).toBe(true);
    const server = await startEmbeddedPostgres({ dataDir: root, log, fsync: false });
    try {
      expect(isAlive(said.pid as number)).toBe(false);
      expect(server.url).toBe(said.url);
      expect(await queryOnce(server.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 500 }]);
      // A fast shutdown is not a crash: the server did not replay its log.
      expect(await readFile(join(root, 'postgres.log'), 'utf8')).not.toContain('was not properly shut down');
    } finally {
      await server.stop();
    }
  });

  it('can be used after both were killed at once', async () => {
    await copyStopped(root);
    const { parent, said } = await startParent(root);
    await queryOnce(said.url as string, `CREATE TABLE kept (id int)`);
    process.kill(said.pid as number, 'SIGKILL');
    await ended(parent, 'SIGKILL');
    const server = await startEmbeddedPostgres({ dataDir: root, log, fsync: false });
    try {
      expect(await queryOnce(server.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 0 }]);
    } finally {
      await server.stop();
    }
  });

  it('names the process that holds it, also seen from another process', async () => {
    await copyStopped(root);
    const { parent } = await startParent(root);
    await expect(startEmbeddedPostgres({ dataDir: root, log, fsync: false })).rejects.toThrow(
      `is in use by the Sinebar process ${parent.pid}`,
    );
  });

  it('keeps running at Ctrl-C, which signals the whole process group, until Sinebar stops it', async () => {
    await copyStopped(root);
    const { said } = await startParent(root);
    const stat = await readFile(`/proc/${said.pid}/stat`, 'utf8');
    const processGroup = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
    expect(processGroup).toBe(said.pid);
  });
});

describe('accounts of the operating system', () => {
  asRoot('an ordinary user starts it too, and root continues as that user', async () => {
    await chown(root, NOBODY.uid, NOBODY.gid);
    const { parent, said } = await startParent(join(root, 'data'), NOBODY);
    expect(said.refused).toBeUndefined();
    await queryOnce(said.url as string, `CREATE TABLE kept (id int)`);
    await ended(parent, 'SIGTERM');
    expect(await readdir(join(root, 'data'))).not.toContain('sinebar.lock');
    const server = await startEmbeddedPostgres({ dataDir: join(root, 'data'), log, fsync: false });
    expect(await readFile(`/proc/${server.pid}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${NOBODY.uid}\\s`, 'm'));
    await server.stop();
    const again = await startParent(join(root, 'data'), NOBODY);
    expect(again.said.refused).toBeUndefined();
  });

  asRoot('an ordinary user is told whose folder it is, and when it may not write', async () => {
    await copyStopped(join(root, 'data'));
    const foreign = await startParent(join(root, 'data'), { uid: 65_533, gid: 65_533, name: 'somebody' });
    expect(foreign.said.refused).toContain(`may not write into the data folder ${join(root, 'data')}`);
    await chmod(join(root, 'data'), 0o777);
    const writable = await startParent(join(root, 'data'), { uid: 65_533, gid: 65_533, name: 'somebody' });
    expect(writable.said.refused).toMatch(/belongs to \w+.*sudo chown -R/);
  });

  asRoot('programs that the account cannot reach are copied to where it can', async () => {
    const source = await findBinaryPackage();
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await cp(source.folder, join(closed, 'native'), { recursive: true, verbatimSymlinks: true });
    const binaries = await prepareBinaries({ ...source, folder: join(closed, 'native') }, NOBODY, join(root, 'shared'));
    expect(binaries.postgres.startsWith(join(root, 'shared'))).toBe(true);
    const again = await prepareBinaries({ ...source, folder: join(closed, 'native') }, NOBODY, join(root, 'shared'));
    expect(again).toEqual(binaries);
  });
});

describe('an installation without its install scripts', () => {
  /** Copies the package as npm unpacks it: without links. */
  async function unpack(): Promise<BinaryPackage> {
    const source = await findBinaryPackage();
    const folder = join(root, 'native');
    await cp(source.folder, folder, { recursive: true, filter: async (path) => !(await lstat(path)).isSymbolicLink() });
    return { ...source, folder };
  }

  it('gets the links between the libraries at the first start', async () => {
    const source = await unpack();
    const [binaries] = await Promise.all([prepareBinaries(source, undefined), prepareBinaries(source, undefined)]);
    expect(binaries.postgres.startsWith(source.folder)).toBe(true);
    expect(await prepareBinaries(source, undefined)).toEqual(binaries);
  });

  asRoot('is copied where it is read-only, or says what to do', async () => {
    const source = await unpack();
    const copies = join(root, 'copies');
    await chmod(root, 0o777);
    const closed = join(root, 'closed');
    await mkdir(closed, { mode: 0o755 });
    await chmod(join(source.folder, 'bin', 'initdb'), 0o755);
    const work = `
      import { prepareBinaries } from '${import.meta.resolve('./binaries.ts')}';
      process.setgid(65534);
      process.setuid(65534);
      for (const copies of ${JSON.stringify([copies, join(closed, 'copies')])})
        console.log(await prepareBinaries(${JSON.stringify(source)}, undefined, copies).then(({ postgres }) => postgres, ({ message }) => message));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', work]);
    const [copied, refused] = stdout.trim().split('\n');
    expect(copied?.startsWith(join(copies, 'embedded-postgres-'))).toBe(true);
    expect(refused).toMatch(/read-only; a copy in \S+copies was not possible either \(.*XDG_CACHE_HOME/);
  });

  it('says when a program is missing', async () => {
    const source = await unpack();
    await rm(join(source.folder, 'bin', 'initdb'));
    await expect(prepareBinaries(source, undefined)).rejects.toThrow('initdb is missing. Install Sinebar again.');
  });

  it('is distinguished from a platform without a build', async () => {
    await expect(findBinaryPackage('sunos', 'sparc')).rejects.toThrow(
      'embedded PostgreSQL for this computer (sunos sparc) is not installed',
    );
  });
});
