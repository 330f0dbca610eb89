import { Semaphore } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import { BlobMissingError, storeUnavailable, type BlobStore } from '../blobs/blob-store.ts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { isFolder, type ArchiveDirectory, type ArchiveEntry } from './archive-directory.ts';
import { ArchiveProblem, asAnswer } from './archive-problem.ts';
import { DirectoryCache } from './directory-cache.ts';
import { entryBytes, requireReadable, type EntryLimits } from './zip/entry-bytes.ts';
import { LOCAL_HEADER_BYTES, readDirectory } from './zip/zip-directory.ts';
import { findDirectory, TAIL_BYTES } from './zip/zip-end.ts';

export interface ArchiveLimits extends EntryLimits {
  maxEntries: number;
  maxDirectoryBytes: number;
  cacheBytes: number;
}

/** Most directories that are read at the same time; each needs memory for its bytes and entries. */
const MAX_DIRECTORIES_AT_ONCE = 2;
/** Longest extra fields of a local header; only the header contains their length. */
const MAX_EXTRA_BYTES = 0xffff;

export type StoredArchive = Pick<RawDataObject, 'target' | 'key' | 'sizeBytes' | 'md5' | 'objectName'>;

/**
 * Reads zip archives in byte ranges from the store: the end, the directory, and the bytes of the requested entry.
 * Names of entries are never used as paths.
 * An unreadable archive fails with the documented 400 (`UnsupportedArchive`), a failing store with 503, removed bytes with a
 * `BlobMissingError`.
 */
export class ArchiveReader {
  private readonly blobs: Pick<BlobStore, 'get'>;
  private readonly limits: ArchiveLimits;
  private readonly directories: DirectoryCache;
  private readonly semaphore = new Semaphore(MAX_DIRECTORIES_AT_ONCE);

  constructor(blobs: Pick<BlobStore, 'get'>, limits: ArchiveLimits) {
    this.blobs = blobs;
    this.limits = limits;
    this.directories = new DirectoryCache(limits.cacheBytes);
  }

  async directory(archive: StoredArchive, signal: AbortSignal): Promise<ArchiveDirectory> {
    const load = (whileAwaited: AbortSignal) => this.semaphore.run(whileAwaited, () => this.readDirectory(archive, whileAwaited));
    try {
      return await this.directories.get(`${archive.md5} ${archive.sizeBytes}`, signal, load);
    } catch (error) {
      throw asAnswer(error, archive);
    }
  }

  /** Checks an entry by its directory record, before any of its bytes are read. */
  requireReadable(archive: StoredArchive, entry: ArchiveEntry): void {
    if (isFolder(entry)) return;
    try {
      requireReadable(entry, this.limits);
    } catch (error) {
      throw asAnswer(error, archive);
    }
  }

  /**
   * Streams the bytes of an entry; a folder has none. Checks length and CRC before the last chunk.
   * spec: raw-data-service.md, Archive lookup, Rules 2
   */
  async *read(archive: StoredArchive, entry: ArchiveEntry, signal: AbortSignal): AsyncGenerator<Buffer> {
    if (isFolder(entry)) return;
    this.requireReadable(archive, entry);
    try {
      const longest = entry.offset + LOCAL_HEADER_BYTES + MAX_EXTRA_BYTES * 2 + entry.storedBytes;
      const source = await this.blobs.get(archive.objectName, { first: entry.offset, last: Math.min(entry.end, longest) - 1 }, signal);
      // Between two chunks the stream has no other listener, and an unhandled error would end the process.
      source.on('error', () => undefined);
      yield* entryBytes(source, entry);
    } catch (error) {
      throw storeFailure(asAnswer(error, archive), signal);
    }
  }

  private async readDirectory(archive: StoredArchive, signal: AbortSignal): Promise<ArchiveDirectory> {
    const { sizeBytes } = archive;
    const tailBytes = Math.min(sizeBytes, TAIL_BYTES);
    const tailOffset = sizeBytes - tailBytes;
    const tail = await this.bytes(archive, tailOffset, tailBytes, signal);
    const location = findDirectory(tail, sizeBytes);
    if (location.sizeBytes > this.limits.maxDirectoryBytes) {
      throw new ArchiveProblem(`its directory is larger than ${this.limits.maxDirectoryBytes} bytes`);
    }
    const inTail = tail.subarray(Math.max(0, location.offset - tailOffset), Math.max(0, location.offset + location.sizeBytes - tailOffset));
    const before = await this.bytes(archive, location.offset, location.sizeBytes - inTail.length, signal);
    return readDirectory(Buffer.concat([before, inTail]), location, this.limits.maxEntries);
  }

  /** Reads exactly these bytes of the archive. */
  private async bytes(archive: StoredArchive, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    try {
      for await (const chunk of await this.blobs.get(archive.objectName, { first: offset, last: offset + length - 1 }, signal)) {
        read += (chunk as Buffer).copy(bytes, read);
      }
      if (read < length) throw new Error(`the store gave ${read} of ${length} bytes`);
    } catch (error) {
      throw storeFailure(error, signal);
    }
    return bytes;
  }
}

/** Reports an interrupted stream as an unreachable store, unless the caller aborted. */
function storeFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof ServiceError || error instanceof BlobMissingError ? error : storeUnavailable(error);
}
