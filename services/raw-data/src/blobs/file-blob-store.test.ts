import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeBlobStore } from './blob-store.fixture.ts';
import { FileBlobStore } from './file-blob-store.ts';

describe('FileBlobStore', () => {
  const folders: string[] = [];
  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-blobs-'));
    folders.push(folder);
    const store = new FileBlobStore(folder);
    await store.prepare(new Date(), true);
    return { store, folder };
  };
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  describeBlobStore(async () => (await open()).store);

  it('removes the unfinished copy of a failed file', async () => {
    const { store, folder } = await open();
    const path = join(folder, 'source');
    await writeFile(path, 'abc');
    await expect(store.put(randomUUID(), path, 5)).rejects.toThrow();
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  });

  it('neither lists nor keeps files that a crash left unfinished', async () => {
    const { store, folder } = await open();
    const [old, fresh] = [randomUUID(), randomUUID()];
    for (const name of [old, fresh]) await writeFile(join(folder, 'unfinished', name), 'half');
    const yesterday = new Date(Date.now() - 25 * 3600 * 1000);
    await utimes(join(folder, 'unfinished', old), yesterday, yesterday);
    for await (const entry of store.list()) throw new Error(`listed ${entry.name}`);
    await store.prepare(new Date(), true);
    expect(await readdir(join(folder, 'unfinished'))).toEqual([fresh]);
    await store.remove([fresh]);
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
    await writeFile(join(folder, 'unfinished', fresh), 'half');
    await store.prepare(new Date(), false);
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  });

  describe.each([0o000, 0o022])('with the umask %i', (umask) => {
    let before: number;
    beforeEach(() => {
      before = process.umask(umask);
    });
    afterEach(() => {
      process.umask(before);
    });
    const modes = async (folder: string) => {
      const paths = [folder, ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))];
      return Promise.all(paths.map(async (path) => [path, ((await stat(path)).mode & 0o777).toString(8)] as const));
    };
    const open600 = async (path: string) => ((await stat(path)).isDirectory() ? '700' : '600');

    it('hides files and folders from other accounts', async () => {
      const { store, folder } = await open();
      const name = randomUUID();
      const source = join(folder, 'unfinished', 'source');
      await writeFile(source, 'abc');
      await store.put(name, source, 3);
      for (const [path, mode] of await modes(folder)) expect([path, mode]).toEqual([path, await open600(path)]);
      expect(await readdir(join(folder, name.slice(0, 2)))).toEqual([name]);
    });

    it('removes access of others from files of earlier releases', async () => {
      const root = await mkdtemp(join(tmpdir(), 'sinebar-blobs-'));
      folders.push(root);
      const name = randomUUID();
      for (const folder of ['unfinished', name.slice(0, 2)]) await mkdir(join(root, 'files', folder), { recursive: true });
      await writeFile(join(root, 'files', name.slice(0, 2), name), 'abc');
      const store = new FileBlobStore(join(root, 'files'));
      await store.prepare(new Date(), false);
      for (const [path, mode] of await modes(join(root, 'files'))) expect([path, mode]).toEqual([path, await open600(path)]);
    });
  });

  it('is unhealthy when its folder is missing', async () => {
    const { store, folder } = await open();
    await rm(folder, { recursive: true });
    expect(await store.health()).toMatchObject({ healthy: false, detail: expect.stringContaining('ENOENT') });
  });
});
