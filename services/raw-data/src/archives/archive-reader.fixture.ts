import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, contentOf, fields, zip, type WrittenArchive, type WrittenEntry } from '@sinebar/testing';
import type { BlobStore } from '../blobs/blob-store.ts';
import { ArchiveReader, type StoredArchive } from './archive-reader.ts';
import { LIMITS, longEnough, readEntry, WatchedBlobs } from './watched-blobs.fixture.ts';

const MIB = 2 ** 20;
/** Bytes that may be read in addition to the directory and the entry. */
const BEYOND = 256 * 1024;

const FILES: WrittenEntry[] = [
  { name: 'readme.txt', content: 'first' },
  { name: 'Sub/' },
  { name: 'Sub/data.bin', content: randomBytes(70_000) },
  { name: 'Sub/zeros', content: Buffer.alloc(300_000) },
  { name: 'stored', content: 'stored as it is', method: 0 },
  { name: 'empty', content: '' },
  { name: 'nothing', content: '', method: 0 },
];

/** Unusual but valid archives. */
const GOOD_ARCHIVES: [name: string, entries: WrittenEntry[], archive?: WrittenArchive][] = [
  ['plain', FILES],
  ['without entries', []],
  ['with a comment', FILES, { comment: 'made by a test' }],
  ['with a comment of the greatest length', FILES, { comment: Buffer.alloc(65_535, 'x') }],
  ['with a comment that holds the end signature', FILES, { comment: Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(40)]) }],
  ['with a comment that looks like an end record', FILES, { comment: zip([]) }],
  ['zip64', FILES.map((entry) => ({ ...entry, zip64: true })), { zip64: true }],
  ['zip64 with a comment', FILES, { zip64: true, comment: 'PK\x05\x06' }],
  ['with an archive in it', [...FILES, { name: 'inner.zip', content: zip(FILES), method: 0 }]],
  ['with an archive of the other kind in it', [...FILES, { name: 'inner.zip', content: zip(FILES, { zip64: true }), method: 0 }]],
  [
    'with names that climb',
    ['../../etc/passwd', '/etc/passwd', 'C:\\x', '..\\..\\x', 'a/../../b', '.', '..', ''].map((name) => ({ name, content: name })),
  ],
  ['with data descriptors', FILES.map((entry) => ({ ...entry, flags: 0x808 }))],
  [
    'with comments and fields on entries',
    FILES.map((entry) => ({ ...entry, comment: Buffer.from('PK\x01\x02'), extra: fields([2, 0x9999], [2, 2], [2, 1]) })),
  ],
  [
    'with an entry that takes more than it needs',
    [{ name: 'x', content: 'x', stored: Buffer.concat([deflateRawSync('x'), Buffer.alloc(200_000)]) }, ...FILES],
  ],
  ['with directories that hold an end signature', [{ name: 'PK\x05\x06'.repeat(10), content: 'x' }, ...FILES]],
];

/** Every row has all arguments, because jest takes a missing one for a callback. */
const GOOD = GOOD_ARCHIVES.map(([name, entries, archive = {}]) => [name, entries, archive] as const);

const NAMES: [written: string, entry: Omit<WrittenEntry, 'name'> & { name: Buffer }, read: string][] = [
  ['UTF-8', { name: Buffer.from('Größe/测量 😀.txt'), flags: 0x800 }, 'Größe/测量 😀.txt'],
  ['UTF-8 without saying so', { name: Buffer.from('Größe.txt') }, 'Größe.txt'],
  ['code page 437', { name: Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65, 0xfe]) }, 'Größe■'],
  ['what it says is UTF-8 and is not', { name: Buffer.from([0x61, 0xff, 0x62]), flags: 0x800 }, 'a\ufffdb'],
  ['a Unicode field', unicodeField(Buffer.from('Gr?e'), 'Größe'), 'Größe'],
  ['a Unicode field of another name', { ...unicodeField(Buffer.from('Gr?e'), 'Größe'), name: Buffer.from('Renamed') }, 'Renamed'],
];

function unicodeField(name: Buffer, path: string) {
  const text = Buffer.from(path);
  return { name, extra: Buffer.concat([fields([2, 0x7075], [2, 5 + text.length]), Buffer.of(1), fields([4, crc32(name)]), text]) };
}

function large(method: number): WrittenEntry {
  const content = randomBytes(16 * MIB);
  return { name: 'large', content, method, stored: method === 8 ? deflateRawSync(content, { level: 0 }) : content };
}

/** Tests of good archives, for any kind of store. */
export function describeArchives(open: () => Promise<BlobStore>): void {
  describe('archives', () => {
    let blobs: WatchedBlobs;
    let reader: ArchiveReader;
    beforeAll(async () => {
      blobs = new WatchedBlobs(await open());
    });
    beforeEach(() => {
      blobs.forget();
      reader = new ArchiveReader(blobs, LIMITS);
    });
    const namesOf = async (bytes: Buffer) => (await reader.directory(await blobs.put(bytes), longEnough())).entries.map(({ name }) => name);

    it.each(GOOD)('%s are read', async (_name, entries, archive) => {
      const stored = await blobs.put(zip(entries, archive));
      const directory = await reader.directory(stored, longEnough());
      expect(directory.entries.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
      for (const entry of entries) expect((await readEntry(reader, stored, entry.name as string)).equals(contentOf(entry))).toBe(true);
    });

    it.each(NAMES)('have names in %s', async (_name, entry, read) => {
      const stored = await blobs.put(zip([entry]));
      expect((await reader.directory(stored, longEnough())).entries.map(({ name }) => name)).toEqual([read]);
    });

    it('have entries that are found in any case, the first of a name', async () => {
      const entries = ['Sub/A.txt', 'sub/a.TXT', 'Sub/A.txt', 'GRÖSSE', 'Größe'].map((name, i) => ({ name, content: `${i}` }));
      const stored = await blobs.put(zip([...entries, { name: Buffer.from('u\u0308ber'), flags: 0x800, content: 'decomposed' }]));
      const read = async (name: string) => (await readEntry(reader, stored, name)).toString();
      expect(await read('sub/a.txt')).toBe('0');
      expect(await read('SUB/A.TXT')).toBe('0');
      expect(await read('grösse')).toBe('3');
      expect(await read('größe')).toBe('4');
      expect(await read('Über')).toBe('decomposed');
      expect((await reader.directory(stored, longEnough())).find('A.txt')).toBeUndefined();
    });

    it('may have bytes behind their end', async () => {
      expect(await namesOf(Buffer.concat([zip(FILES), Buffer.from('\r\n')]))).toEqual(FILES.map(({ name }) => name));
    });

    it('may have more entries than their old end record can count', async () => {
      const many = Array.from({ length: 66_000 }, (_, i) => ({ name: `f${i}`, method: 0 }));
      expect((await namesOf(zip(many))).length).toBe(66_000);
    });

    it('of 100,000 entries are read, and others get their turn meanwhile', async () => {
      const many = Array.from({ length: 100_000 }, (_, i) => ({ name: `folder/of/many/files/measurement-${i}.txt`, method: 0 }));
      const bytes = zip(many, { zip64: true });
      let turns = 0;
      const timer = setInterval(() => (turns += 1), 1);
      const names = await namesOf(bytes);
      clearInterval(timer);
      expect(names.length).toBe(100_000);
      expect(names[99_999]).toBe('folder/of/many/files/measurement-99999.txt');
      expect(turns).toBeGreaterThan(5);
    });

    it('cost no more of the store than the directory and the entry', async () => {
      const others = Array.from({ length: 20 }, (_, i) => ({ name: `large-${i}`, content: Buffer.alloc(MIB, 'x'), method: 0 }));
      const many = Array.from({ length: 30_000 }, (_, i) => ({ name: `folder/measurement-${i}.txt`, method: 0 }));
      const wanted = { name: 'wanted', content: randomBytes(10_000) };
      const bytes = zip([...others.slice(0, 10), wanted, ...others.slice(10), ...many]);
      const directoryBytes = bytes.length - bytes.indexOf(Buffer.from('PK\x01\x02'));
      const stored = await blobs.put(bytes);
      expect((await readEntry(reader, stored, 'wanted')).equals(wanted.content)).toBe(true);
      expect(directoryBytes).toBeGreaterThan(1.5 * MIB);
      expect(blobs.bytesAsked).toBeLessThan(directoryBytes + wanted.content.length + BEYOND);
      blobs.forget();
      await readEntry(reader, stored, 'wanted');
      // The directory is cached here.
      expect(blobs.bytesAsked).toBeLessThan(wanted.content.length + 1000);
    });

    it('may have holes, which are not read', async () => {
      const hole = { name: 'removed', content: Buffer.alloc(5 * MIB, 'x'), method: 0 };
      const bytes = zip([{ name: 'a', content: 'a' }, hole, { name: 'b', content: 'b' }]);
      const directory = bytes.indexOf(Buffer.from('PK\x01\x02'));
      const records = [0, 1, 2].map((i) => bytes.indexOf(Buffer.from('PK\x01\x02'), directory + 46 * i));
      const [first = 0, second = 0, third = 0] = records;
      const withoutHole = Buffer.concat([bytes.subarray(0, second), bytes.subarray(third)]);
      const end = withoutHole.length - 22;
      withoutHole.writeUInt16LE(2, end + 8);
      withoutHole.writeUInt16LE(2, end + 10);
      withoutHole.writeUInt32LE(end - first, end + 12);
      const stored = await blobs.put(withoutHole);
      expect((await readEntry(reader, stored, 'a')).toString()).toBe('a');
      expect((await readEntry(reader, stored, 'b')).toString()).toBe('b');
      expect(blobs.bytesAsked).toBeLessThan(BEYOND);
    });

    it('are read once for all who ask at the same time, and for those who stay', async () => {
      const stored = await blobs.put(zip(FILES));
      const leaving = new AbortController();
      const left = reader.directory(stored, leaving.signal);
      const stayed = [1, 2, 3].map(() => reader.directory(stored, longEnough()));
      leaving.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
      for (const directory of await Promise.all(stayed)) expect(directory.entries.length).toBe(FILES.length);
      expect(blobs.ranges.length).toBe(1);
    });

    it('are not read on when nobody waits any more', async () => {
      const stored = await blobs.put(zip(FILES));
      const leaving = new AbortController();
      const left = [1, 2].map(() => reader.directory(stored, leaving.signal));
      leaving.abort(new Error('gone'));
      for (const result of await Promise.allSettled(left)) expect(result.status).toBe('rejected');
      await eventually(() => blobs.streams.every(({ destroyed }) => destroyed));
      expect((await reader.directory(stored, longEnough())).entries.length).toBe(FILES.length);
    });

    it('keep the directories used last, up to their memory', async () => {
      const archives = await Promise.all([1, 2, 3, 4].map((i) => blobs.put(zip([{ name: `${i}`, content: `${i}` }]))));
      const [first, second, third, fourth] = archives as [never, never, never, never];
      const { weight } = await reader.directory(first, longEnough());
      const small = new ArchiveReader(blobs, { ...LIMITS, cacheBytes: 3 * weight });
      const isRead = async (archive: never) => {
        blobs.forget();
        await small.directory(archive, longEnough());
        return blobs.ranges.length > 0;
      };
      for (const archive of [first, second, third]) expect(await isRead(archive)).toBe(true);
      expect(await isRead(first)).toBe(false);
      expect(await isRead(fourth)).toBe(true);
      expect(await isRead(second)).toBe(true);
      expect(await isRead(first)).toBe(false);
      expect(await isRead(fourth)).toBe(false);
    });

    it('are unavailable while the store breaks off, and read again after', async () => {
      const stored = await blobs.put(zip(FILES));
      blobs.failAfterBytes = 100;
      await expect(reader.directory(stored, longEnough())).rejects.toMatchObject({ status: 503 });
      blobs.forget();
      await reader.directory(stored, longEnough());
      for (const failAfterBytes of [0, 10, 1000]) {
        blobs.failAfterBytes = failAfterBytes;
        await expect(readEntry(reader, stored, 'Sub/data.bin')).rejects.toMatchObject({ status: 503 });
      }
      blobs.forget();
      expect((await readEntry(reader, stored, 'Sub/data.bin')).length).toBe(70_000);
    });

    const largeArchives = new Map<number, Promise<StoredArchive>>();
    const largeArchive = (method: number): Promise<StoredArchive> => {
      const stored = largeArchives.get(method) ?? blobs.put(zip([large(method)]));
      largeArchives.set(method, stored);
      return stored;
    };

    it.each([0, 8])('let the store go at once when the reader is gone (method %i)', async (method) => {
      const stored = await largeArchive(method);
      const leaving = new AbortController();
      const entry = (await reader.directory(stored, longEnough())).find('large');
      const chunks = reader.read(stored, entry as never, leaving.signal);
      await chunks.next();
      leaving.abort(new Error('gone'));
      await eventually(() => blobs.streams.every(({ destroyed }) => destroyed));
      await expect(Promise.all(Array.from({ length: 1000 }, () => chunks.next()))).rejects.toThrow('gone');
    });

    it.each([0, 8])('let the store go when the rest is not wanted (method %i)', async (method) => {
      const stored = await largeArchive(method);
      const entry = (await reader.directory(stored, longEnough())).find('large');
      const chunks = reader.read(stored, entry as never, longEnough());
      await chunks.next();
      await chunks.return(undefined);
      await eventually(() => blobs.streams.every(({ destroyed }) => destroyed));
    });
  });
}
