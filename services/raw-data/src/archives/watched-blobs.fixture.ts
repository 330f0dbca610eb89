import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ByteRange, BlobStore } from '../blobs/blob-store.ts';
import type { ArchiveLimits, ArchiveReader, StoredArchive } from './archive-reader.ts';

export const LIMITS: ArchiveLimits = {
  maxEntries: 200_000,
  maxDirectoryBytes: 32 * 2 ** 20,
  maxEntryBytes: 0,
  maxRatio: 200,
  cacheBytes: 32 * 2 ** 20,
};

/** Records the calls to a store and its opened streams, and can make streams fail. */
export class WatchedBlobs implements Pick<BlobStore, 'get'> {
  ranges: ByteRange[] = [];
  streams: Readable[] = [];
  /** Number of bytes after which new streams fail. */
  failAfterBytes: number | undefined;
  /** Called before an object is opened. */
  onGet: ((name: string) => Promise<void>) | undefined;
  private readonly store: BlobStore;

  constructor(store: BlobStore) {
    this.store = store;
  }

  /** Upper limit of the bytes read. */
  get bytesAsked(): number {
    return this.ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  }

  forget(): void {
    [this.ranges, this.streams, this.failAfterBytes] = [[], [], undefined];
  }

  async get(name: string, range: ByteRange | undefined, signal: AbortSignal): Promise<Readable> {
    await this.onGet?.(name);
    if (range) this.ranges.push(range);
    const stream = await this.store.get(name, range, signal);
    this.streams.push(stream);
    return this.failAfterBytes === undefined ? stream : Readable.from(breakingOff(stream, this.failAfterBytes), { objectMode: false });
  }

  async put(bytes: Buffer): Promise<StoredArchive> {
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-archives-'));
    const path = join(folder, 'archive');
    await writeFile(path, bytes);
    const objectName = randomUUID();
    await this.store.put(objectName, path, bytes.length);
    await rm(folder, { recursive: true });
    const md5 = createHash('md5').update(bytes).digest('hex');
    return { target: { entity: 'Part', uuid: '05040c4c-f0af-46b8-810e-30c0c00a379e' }, key: 3, sizeBytes: bytes.length, md5, objectName };
  }
}

export async function readEntry(reader: ArchiveReader, archive: StoredArchive, name: string, signal = longEnough()): Promise<Buffer> {
  const entry = (await reader.directory(archive, signal)).find(name);
  if (!entry) throw new Error(`no entry ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of reader.read(archive, entry, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function longEnough(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

async function* breakingOff(stream: Readable, afterBytes: number): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of stream) {
    yield (chunk as Buffer).subarray(0, afterBytes - read);
    read += (chunk as Buffer).length;
    if (read >= afterBytes) throw new Error('the store broke off');
  }
}
