import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { quoted } from '@sinebar/http';
import type { ArchiveEntry } from '../archive-directory.ts';
import { ArchiveProblem } from '../archive-problem.ts';
import { LOCAL_HEADER_BYTES } from './zip-directory.ts';

export interface EntryLimits {
  /** Size limit of a decompressed entry in bytes; 0 means no limit. */
  maxEntryBytes: number;
  /** Limit of the compression ratio for entries larger than {@link HARMLESS_BYTES}. */
  maxRatio: number;
}

const STORED = 0;
const DEFLATE = 8;
const LOCAL_HEADER = 0x04034b50;
/** Size up to which the compression ratio of an entry is not limited. */
export const HARMLESS_BYTES = 64 * 2 ** 20;

/** Checks by its directory record whether an entry can be read. @throws ArchiveProblem */
export function requireReadable(entry: ArchiveEntry, limits: EntryLimits): void {
  const refuse = (reason: string) => {
    throw new ArchiveProblem(`entry ${quoted(entry.name)} ${reason}`);
  };
  const { sizeBytes, storedBytes, method } = entry;
  if (entry.isEncrypted) refuse('is encrypted');
  if (method !== STORED && method !== DEFLATE) refuse(`is compressed by method ${method}; stored (0) and deflate (8) are supported`);
  if (method === STORED && sizeBytes !== storedBytes) refuse('has two sizes that do not agree');
  if (limits.maxEntryBytes > 0 && sizeBytes > limits.maxEntryBytes) refuse(`is larger than ${limits.maxEntryBytes} bytes`);
  if (sizeBytes > HARMLESS_BYTES && sizeBytes > limits.maxRatio * storedBytes)
    refuse(`is more than ${limits.maxRatio} times as large as it is stored`);
}

/**
 * Streams the decompressed bytes of an entry. Checks length and CRC before the last chunk, so a complete answer is correct.
 * @param source the archive from the entry's local header on; consumed, or destroyed when the reader stops before the end
 * @throws ArchiveProblem; the error of the source
 */
export async function* entryBytes(source: Readable, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  const damaged = (cause?: unknown) => new ArchiveProblem(`entry ${quoted(entry.name)} is damaged`, { cause });
  let failure: Error | undefined;
  const stored = async function* () {
    try {
      yield* storedBytes(source, entry);
    } catch (error) {
      failure = error as Error;
      throw error;
    }
  };
  let sum = 0;
  let size = 0;
  let held: Buffer | undefined;
  try {
    // An entry without stored bytes needs no decompression, but its local header is checked.
    const content = entry.method === STORED || entry.storedBytes === 0 ? stored() : inflated(stored());
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > entry.sizeBytes) throw damaged();
      sum = crc32(chunk, sum);
      if (held) yield held;
      held = chunk;
    }
  } catch (error) {
    // Errors of the source are rethrown as they are; errors of the decompression mean a damaged entry.
    throw failure ?? (error instanceof ArchiveProblem ? error : damaged(error));
  } finally {
    source.destroy();
  }
  if (size !== entry.sizeBytes || sum !== entry.crc32) throw damaged();
  if (held) yield held;
}

/** @returns a stream that fails when `stored` fails; it ends with the deflate stream and ignores further bytes */
function inflated(stored: AsyncIterable<Buffer>): Readable {
  // The loop over the result receives every error.
  return pipeline(Readable.from(stored, { objectMode: false }), createInflateRaw(), () => undefined);
}

/** Removes the local header. Reads the source to its end, which keeps the connection to the store usable. */
async function* storedBytes(source: AsyncIterable<Buffer>, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let toSkip = 0;
  let left = entry.storedBytes;
  for await (const read of source) {
    let chunk = read;
    if (head) {
      head = Buffer.concat([head, chunk]);
      if (head.length < LOCAL_HEADER_BYTES) continue;
      toSkip = localHeaderBytes(head, entry);
      chunk = head;
      head = undefined;
    }
    if (toSkip >= chunk.length) {
      toSkip -= chunk.length;
      continue;
    }
    const part = chunk.subarray(toSkip, toSkip + left);
    toSkip = 0;
    left -= part.length;
    if (part.length > 0) yield part;
  }
  if (head || toSkip > 0 || left > 0) throw new ArchiveProblem(`entry ${quoted(entry.name)} is not complete`);
}

/** @returns the length of the local header with the name and the extra fields */
function localHeaderBytes(header: Buffer, entry: ArchiveEntry): number {
  const length = LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const agrees = header.readUInt32LE(0) === LOCAL_HEADER && header.readUInt16LE(8) === entry.method && (header.readUInt16LE(6) & 1) === 0;
  if (!agrees || entry.offset + length + entry.storedBytes > entry.end) {
    throw new ArchiveProblem(`entry ${quoted(entry.name)} is not what the directory says`);
  }
  return length;
}
