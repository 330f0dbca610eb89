import { randomBytes } from 'node:crypto';
import { createDeflateRaw, deflateRawSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import type { BlobStore } from '../blobs/blob-store.ts';
import { ArchiveReader } from './archive-reader.ts';
import { HARMLESS_BYTES } from './zip/entry-bytes.ts';
import { LIMITS, longEnough, readEntry, WatchedBlobs } from './watched-blobs.fixture.ts';
import { contentOf, zip, type WrittenEntry } from '@sinebar/testing';

const MIB = 2 ** 20;
const RUNS = size({ short: 50, long: 10_000 });
const MS_PER_RUN = 100;
const ANSWER = { status: 400, code: 'UnsupportedArchive', message: 'Specified RawData is no archive of supported format!' };

const FILES: WrittenEntry[] = [
  { name: 'a.txt', content: 'some text, some text, some text' },
  { name: 'folder/' },
  { name: 'folder/b.bin', content: randomBytes(2000) },
  { name: 'folder/c', content: 'stored', method: 0 },
];
const good = () => zip(FILES);

const NO_ARCHIVES: [name: string, bytes: () => Buffer][] = [
  ['nothing', () => Buffer.alloc(0)],
  ['a text', () => Buffer.from('PK is how a zip archive begins, but this is a text')],
  ['zeros', () => Buffer.alloc(100_000)],
  ['noise', () => randomBytes(100_000)],
  ['gzip', () => gzipSync('x')],
  ['half of an archive', () => good().subarray(0, 1000)],
  ['an archive without its last byte', () => good().subarray(0, -1)],
  ['the end of an archive', () => good().subarray(500)],
  ['an end record alone that speaks of more', () => zip(FILES).subarray(-22)],
  ['an archive behind something else', () => zip(FILES, { prefix: Buffer.from('#!/bin/sh\n') })],
  ['two archives in one', () => zip(FILES, { comment: zipWithin(zip(FILES).length + 0) })],
  ['entries that share their bytes', () => zip([FILES[0] as WrittenEntry, { ...(FILES[0] as WrittenEntry), name: 'again', offset: 0 }])],
  [
    'entries that overlap in part',
    () =>
      zip([
        { name: 'x', content: randomBytes(500), method: 0 },
        { name: 'y', content: 'y', offset: 200 },
      ]),
  ],
  ['an entry inside the directory', () => zip([...FILES, { name: 'x', content: 'x', offset: good().length - 60 }])],
  ['an entry behind the end', () => zip([...FILES, { name: 'x', content: 'x', offset: 2 ** 31 }])],
  ['an entry that is said to be longer than the archive', () => zip([...FILES, { name: 'x', content: 'x', storedBytes: 2 ** 31 }])],
  ['fewer entries than it says', () => zip(FILES, { entries: 5 })],
  ['more entries than it says', () => zip(FILES, { entries: 3 })],
  ['more entries than it says, zip64', () => zip(FILES, { entries: 3, zip64: true })],
  ['as many entries as no machine holds', () => zip(FILES, { entries: 2 ** 52, zip64: true })],
  ['a directory that is said to be shorter', () => zip(FILES, { directoryBytes: 50 })],
  ['a directory that is said to be longer than the archive', () => zip(FILES, { directoryBytes: 2 ** 31 })],
  ['a directory that is said to be longer than any file', () => zip(FILES, { directoryBytes: 2 ** 60, zip64: true })],
  ['a directory somewhere else', () => zip(FILES, { directoryOffset: 3 })],
  ['one of several disks', () => zip(FILES, { disk: 1 })],
  ['an entry on another disk', () => zip([...FILES, { name: 'x', content: 'x', disk: 2 }])],
  ['zip64 sizes that are not there', () => zip([{ name: 'x', content: 'x', storedBytes: 0xffffffff, sizeBytes: 0xffffffff }])],
  ['a record that is longer than the directory', () => withDirectory((directory) => directory.writeUInt16LE(60_000, 28))],
  ['a record without its signature', () => withDirectory((directory) => directory.writeUInt32LE(0, 0))],
];

const BAD_ENTRIES: [name: string, entry: Partial<WrittenEntry>][] = [
  ['encrypted', { flags: 0x801 }],
  ['compressed by bzip2', { method: 12 }],
  ['compressed by Deflate64', { method: 9 }],
  ['encrypted by AES', { method: 99, flags: 0x801 }],
  ['of another CRC', { crc: 0x12345678 }],
  ['stored, of another CRC', { crc: 0x12345678, method: 0 }],
  ['said to be smaller', { sizeBytes: 5 }],
  ['said to be larger', { sizeBytes: 500 }],
  ['stored and said to be smaller', { sizeBytes: 5, method: 0 }],
  ['said to take less', { storedBytes: 5 }],
  ['cut off', { stored: deflateRawSync('content of the entry').subarray(0, -3) }],
  ['of noise', { stored: Buffer.alloc(500, 0xff) }],
  ['without bytes', { stored: Buffer.alloc(0) }],
  ['without its local header', { localSignature: 0x12345678 }],
  ['of another method in the local header', { localMethod: 0 }],
];

/** Builds an archive with another one in its comment whose offsets are valid for the whole file. */
function zipWithin(at: number): Buffer {
  const bytes = zip([{ name: 'other', content: 'other', offset: at }]);
  const end = bytes.length - 22;
  bytes.writeUInt32LE(bytes.readUInt32LE(end + 16) + at, end + 16);
  return bytes;
}

function withDirectory(change: (directory: Buffer) => void): Buffer {
  const bytes = good();
  change(bytes.subarray(bytes.indexOf(Buffer.from('PK\x01\x02'))));
  return bytes;
}

/** Compresses zeros without holding them in memory. */
async function deflatedZeros(sizeBytes: number): Promise<Buffer> {
  const deflater = createDeflateRaw({ level: 9 });
  const chunks: Buffer[] = [];
  deflater.on('data', (chunk: Buffer) => chunks.push(chunk));
  const zeros = Buffer.alloc(MIB);
  for (let left = sizeBytes; left > 0; left -= zeros.length) {
    if (!deflater.write(zeros)) await new Promise((resolve) => deflater.once('drain', resolve));
  }
  await new Promise<void>((resolve) => deflater.once('end', resolve).end());
  return Buffer.concat(chunks);
}

/** Tests of hostile archives, for any kind of store. */
export function describeHostileArchives(open: () => Promise<BlobStore>): void {
  describe('hostile archives', () => {
    let blobs: WatchedBlobs;
    let reader: ArchiveReader;
    beforeAll(async () => {
      blobs = new WatchedBlobs(await open());
    });
    beforeEach(() => {
      blobs.forget();
      reader = new ArchiveReader(blobs, LIMITS);
    });

    it.each(NO_ARCHIVES)('are refused with a reason: %s', async (_name, bytes) => {
      const refused = reader.directory(await blobs.put(bytes()), longEnough());
      await expect(refused).rejects.toMatchObject({
        ...ANSWER,
        details: [{ field: 'archive', message: expect.stringMatching(/^raw data 3 of part 05040c4c-\S+: (it|its|entry ".*") .{5,}$/) }],
      });
    });

    it.each(BAD_ENTRIES)('are listed, and other entries read, while an entry is %s', async (_name, bad) => {
      const stored = await blobs.put(
        zip([...FILES, { name: 'bad', content: 'content of the entry', ...bad }, { name: 'behind', content: 'x' }]),
      );
      const { entries } = await reader.directory(stored, longEnough());
      expect(entries.map(({ name }) => name)).toEqual([...FILES.map(({ name }) => name), 'bad', 'behind']);
      await expect(readEntry(reader, stored, 'bad')).rejects.toMatchObject({
        ...ANSWER,
        details: [{ field: 'archive', message: expect.stringMatching(/^raw data 3 of part \S+: entry "bad" (is|has) .{5,}$/) }],
      });
      for (const entry of [...FILES, { name: 'behind', content: 'x' }]) {
        expect((await readEntry(reader, stored, entry.name as string)).equals(contentOf(entry))).toBe(true);
      }
    });

    it('are refused beyond the limits, before their directory is read', async () => {
      const many = Array.from({ length: 5000 }, (_, i) => ({ name: `file-${i}`, method: 0 }));
      const stored = await blobs.put(zip(many));
      const small = (limits: Partial<typeof LIMITS>) => new ArchiveReader(blobs, { ...LIMITS, ...limits }).directory(stored, longEnough());
      await expect(small({ maxDirectoryBytes: 100_000 })).rejects.toMatchObject(ANSWER);
      expect(blobs.bytesAsked).toBeLessThan(100_000);
      await expect(small({ maxEntries: 4999 })).rejects.toMatchObject(ANSWER);
      expect((await small({ maxEntries: 5000 })).entries.length).toBe(5000);
    });

    it('that inflate to many times their size are refused before anything is inflated', async () => {
      const entry = { name: 'bomb', stored: await deflatedZeros(HARMLESS_BYTES + MIB), sizeBytes: HARMLESS_BYTES + MIB };
      const stored = await blobs.put(zip([entry]));
      const { entries } = await reader.directory(stored, longEnough());
      blobs.forget();
      expect(() => reader.requireReadable(stored, entries[0] as never)).toThrow(expect.objectContaining(ANSWER));
      await expect(readEntry(reader, stored, 'bomb')).rejects.toMatchObject(ANSWER);
      expect(blobs.ranges).toEqual([]);
    });

    it('that say they were small are read no further than they say', async () => {
      const content = await deflatedZeros(40 * MIB);
      const stored = await blobs.put(zip([{ name: 'bomb', stored: content, sizeBytes: MIB }]));
      const entry = (await reader.directory(stored, longEnough())).find('bomb');
      let received = 0;
      const read = async () => {
        for await (const chunk of reader.read(stored, entry as never, longEnough())) received += chunk.length;
      };
      await expect(read()).rejects.toMatchObject(ANSWER);
      expect(received).toBeLessThanOrEqual(MIB);
    });

    it('do not give out the last bytes of an entry whose CRC is wrong', async () => {
      const content = randomBytes(MIB);
      const stored = await blobs.put(zip([{ name: 'wrong', content, crc: 1 }]));
      const entry = (await reader.directory(stored, longEnough())).find('wrong');
      let received = 0;
      const read = async () => {
        for await (const chunk of reader.read(stored, entry as never, longEnough())) received += chunk.length;
      };
      await expect(read()).rejects.toMatchObject(ANSWER);
      expect(received).toBeGreaterThan(MIB / 2);
      expect(received).toBeLessThan(MIB);
    });

    it('with a large entry are refused where the server sets a limit', async () => {
      const strict = new ArchiveReader(blobs, { ...LIMITS, maxEntryBytes: 2000 });
      const stored = await blobs.put(zip([...FILES, { name: 'large', content: Buffer.alloc(2001) }]));
      expect((await readEntry(strict, stored, 'folder/b.bin')).length).toBe(2000);
      await expect(readEntry(strict, stored, 'large')).rejects.toMatchObject(ANSWER);
    });

    it(
      `with bytes changed at random give what was in them or the documented answer (${RUNS} archives)`,
      async () => {
        const contents = new Map(FILES.map((entry) => [entry.name as string, contentOf(entry)]));
        const seen = { refused: 0, listed: 0, same: 0, damaged: 0 };
        for (let run = 0; run < RUNS; run += 1) {
          const bytes = zip(FILES, run % 2 === 0 ? {} : { zip64: true, comment: 'comment' });
          // Two of three runs damage the directory, which is a small part of the file.
          const from = run % 3 === 0 ? 0 : bytes.indexOf(Buffer.from('PK\x01\x02'));
          for (let i = 0; i <= run % 4; i += 1) {
            const [where = 0, value = 0, kind = 0] = randomBytes(12).reduce<number[]>(
              (all, _, at, raw) => (at % 4 ? all : [...all, (raw as Buffer).readUInt32LE(at)]),
              [],
            );
            bytes[from + (where % (bytes.length - from))] = [value & 0xff, 0, 0xff][kind % 3] as number;
          }
          const stored = await blobs.put(run % 7 === 0 ? bytes.subarray(0, bytes.length - (run % 90)) : bytes);
          const fuzzed = new ArchiveReader(blobs, LIMITS);
          const directory = await fuzzed.directory(stored, longEnough()).catch((error: unknown) => {
            expect(error).toMatchObject(ANSWER);
            seen.refused += 1;
          });
          if (!directory) continue;
          seen.listed += 1;
          for (const { name } of directory.entries) {
            const read = await readEntry(fuzzed, stored, name).catch((error: unknown) => {
              expect(error).toMatchObject(ANSWER);
              seen.damaged += 1;
            });
            const original = contents.get(name);
            if (!read || !original) continue;
            // An entry whose name lost its slash is a file without content; all others must be unchanged.
            expect(read.equals(original)).toBe(true);
            seen.same += 1;
          }
        }
        for (const [outcome, times] of Object.entries(seen)) expect([outcome, times > 0]).toEqual([outcome, true]);
      },
      180_000 + RUNS * MS_PER_RUN,
    );
  });
}
