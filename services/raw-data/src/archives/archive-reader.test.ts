import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from '@jest/globals';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { describeArchives } from './archive-reader.fixture.ts';
import { describeHostileArchives } from './hostile-archives.fixture.ts';

describe('in a folder', () => {
  const folders: string[] = [];
  const open = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-archive-store-'));
    folders.push(folder);
    const store = new FileBlobStore(folder);
    await store.prepare(new Date(), false);
    return store;
  };
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  describeArchives(open);
  describeHostileArchives(open);
});
