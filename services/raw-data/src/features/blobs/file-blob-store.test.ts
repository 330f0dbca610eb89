import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { describeBlobStore } from './blob-store.test-case.js';
import { FileBlobStore } from './file-blob-store.js';

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

  it('leaves no unfinished copy after a refused file', async () => {
    const { store, folder } = await open();
    const path = join(folder, 'source');
    await writeFile(path, 'abc');
    await expect(store.put(randomUUID(), path, 5)).rejects.toThrow();
    expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  });

  it('neither lists nor keeps what a crash left unfinished', async () => {
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

  it('is unhealthy when its folder is gone', async () => {
    const { store, folder } = await open();
    await rm(folder, { recursive: true });
    expect(await store.health()).toMatchObject({ healthy: false, detail: expect.stringContaining('ENOENT') });
  });
});
