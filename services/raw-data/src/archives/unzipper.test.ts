import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import unzipper from 'unzipper';
import { FileBlobStore } from '../blobs/file-blob-store.ts';
import { ArchiveReader } from './archive-reader.ts';
import { LIMITS, longEnough, readEntry, WatchedBlobs } from './watched-blobs.fixture.ts';
import { zip, type WrittenEntry } from '@sinebar/testing';

const FILES: WrittenEntry[] = [
  { name: 'readme.txt', content: 'first' },
  { name: 'Sub/' },
  { name: 'Sub/data.bin', content: randomBytes(70_000) },
  { name: 'Sub/zeros', content: Buffer.alloc(300_000) },
  { name: 'Größe/stored', content: 'stored as it is', method: 0 },
];

describe('archive reader', () => {
  let folder: string;
  let blobs: WatchedBlobs;
  const reader = () => new ArchiveReader(blobs, LIMITS);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinebar-unzipper-'));
    const store = new FileBlobStore(folder);
    await store.prepare(new Date(), false);
    blobs = new WatchedBlobs(store);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['plain', {}],
    ['zip64', { zip64: true }],
    ['with a comment', { comment: 'made by a test' }],
  ])('agrees with unzipper about the content of an archive, %s', async (_name, archive) => {
    const bytes = zip(FILES, archive);
    const expected = await unzipper.Open.buffer(bytes);
    const stored = await blobs.put(bytes);
    const { entries } = await reader().directory(stored, longEnough());
    expect(entries.map(({ name }) => name)).toEqual(expected.files.map(({ path }) => path));
    for (const file of expected.files.filter(({ type }) => type === 'File')) {
      const read = await readEntry(reader(), stored, file.path);
      expect(read.equals(await file.buffer())).toBe(true);
    }
  });

  // The reasons why the reader is not unzipper (docs/decisions/dependencies.md). When one of these fails, look whether unzipper can take
  // its place.
  it('is needed because unzipper counts entries modulo 65,536', async () => {
    const bytes = zip(Array.from({ length: 66_000 }, (_, i) => ({ name: `f${i}`, method: 0 })));
    expect((await unzipper.Open.buffer(bytes)).files).toHaveLength(66_000 % 2 ** 16);
    expect((await reader().directory(await blobs.put(bytes), longEnough())).entries).toHaveLength(66_000);
  });

  it('is needed because unzipper returns bytes with a wrong CRC', async () => {
    const bytes = zip([{ name: 'wrong', content: 'content', crc: 1 }]);
    const [file] = (await unzipper.Open.buffer(bytes)).files;
    expect((await file?.buffer())?.toString()).toBe('content');
    await expect(readEntry(reader(), await blobs.put(bytes), 'wrong')).rejects.toMatchObject({ code: 'UnsupportedArchive' });
  });

  it('is needed because unzipper takes the first end signature for the end of the archive', async () => {
    const bytes = zip([{ name: 'PK\x05\x06'.repeat(10), content: 'x' }]);
    await expect(unzipper.Open.buffer(bytes)).rejects.toThrow();
    expect((await reader().directory(await blobs.put(bytes), longEnough())).entries).toHaveLength(1);
  });
});
