import { crc32, deflateRawSync } from 'node:zlib';

/** An entry to write; members that are left out get valid values. */
export interface WrittenEntry {
  name: string | Buffer;
  content?: Buffer | string;
  /** Compression method, 8 (deflate) by default. */
  method?: number;
  flags?: number;
  /** CRC to write, valid or not. */
  crc?: number;
  sizeBytes?: number;
  storedBytes?: number;
  offset?: number;
  disk?: number;
  /** Bytes to write instead of the compressed content. */
  stored?: Buffer;
  extra?: Buffer;
  comment?: Buffer;
  /** Writes sizes and offset to a zip64 field, as for large files. */
  zip64?: boolean;
  localMethod?: number;
  localSignature?: number;
}

export interface WrittenArchive {
  comment?: Buffer | string;
  /** Writes end records for large archives. */
  zip64?: boolean;
  /** Entry count to write, valid or not. */
  entries?: number;
  directoryBytes?: number;
  directoryOffset?: number;
  disk?: number;
  /** Bytes before the archive that its offsets do not count. */
  prefix?: Buffer;
}

const UTF8 = 0x800;

/** Writes a zip archive byte by byte, so that every field can be wrong. */
export function zip(entries: readonly WrittenEntry[], archive: WrittenArchive = {}): Buffer {
  return Buffer.concat([...zipPieces(entries, archive)]);
}

/** The archive piece by piece, for one that is larger than memory. */
export function* zipPieces(entries: readonly WrittenEntry[], archive: WrittenArchive = {}): Generator<Buffer> {
  const records: Buffer[] = [];
  let at = 0;
  if (archive.prefix) yield archive.prefix;
  for (const entry of entries) {
    const written = described(entry);
    records.push(directoryRecord(entry, written, entry.offset ?? at));
    const header = localHeader(entry, written);
    yield header;
    yield written.stored;
    at += header.length + written.stored.length;
  }
  const directory = Buffer.concat(records);
  const { directoryBytes = directory.length, directoryOffset = at, entries: count = entries.length } = archive;
  yield directory;
  if (archive.zip64) yield zip64End(count, directoryBytes, directoryOffset, at + directory.length);
  yield endRecord(archive, count, directoryBytes, directoryOffset);
}

export function contentOf({ content = '' }: WrittenEntry): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

/** Encodes little-endian numbers, each as `[bytes, value]`. */
export function fields(...written: [bytes: 2 | 4 | 8, value: number][]): Buffer {
  const all = Buffer.alloc(written.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of written) {
    if (bytes === 8) all.writeBigUInt64LE(BigInt(value), at);
    else all.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return all;
}

interface Described {
  name: Buffer;
  method: number;
  flags: number;
  crc: number;
  stored: Buffer;
  storedBytes: number;
  sizeBytes: number;
}

function described(entry: WrittenEntry): Described {
  const content = contentOf(entry);
  const { method = 8, crc = crc32(content), sizeBytes = content.length } = entry;
  const stored = entry.stored ?? (method === 8 ? deflateRawSync(content, { level: 1 }) : content);
  const { storedBytes = stored.length, flags = typeof entry.name === 'string' ? UTF8 : 0 } = entry;
  return { name: Buffer.from(entry.name as string), method, flags, crc, stored, storedBytes, sizeBytes };
}

function localHeader(entry: WrittenEntry, { name, method, flags, crc, storedBytes, sizeBytes }: Described): Buffer {
  const header = fields(
    [4, entry.localSignature ?? 0x04034b50],
    [2, 45],
    [2, flags],
    [2, entry.localMethod ?? method],
    [4, 0],
    [4, crc],
    [4, Math.min(storedBytes, 0xffffffff)],
    [4, Math.min(sizeBytes, 0xffffffff)],
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([header, name]);
}

function directoryRecord(entry: WrittenEntry, { name, method, flags, crc, storedBytes, sizeBytes }: Described, offset: number): Buffer {
  const zip64 = entry.zip64 ? fields([2, 1], [2, 24], [8, sizeBytes], [8, storedBytes], [8, offset]) : Buffer.alloc(0);
  const extra = Buffer.concat([entry.extra ?? Buffer.alloc(0), zip64]);
  const comment = entry.comment ?? Buffer.alloc(0);
  const inField = (value: number) => (entry.zip64 ? 0xffffffff : value);
  return Buffer.concat([
    fields(
      [4, 0x02014b50],
      [2, 45],
      [2, 45],
      [2, flags],
      [2, method],
      [4, 0],
      [4, crc],
      [4, inField(storedBytes)],
      [4, inField(sizeBytes)],
    ),
    fields([2, name.length], [2, extra.length], [2, comment.length], [2, entry.disk ?? 0], [2, 0], [4, 0], [4, inField(offset)]),
    name,
    extra,
    comment,
  ]);
}

function zip64End(count: number, bytes: number, offset: number, at: number): Buffer {
  const record = fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, count], [8, count], [8, bytes], [8, offset]);
  return Buffer.concat([record, fields([4, 0x07064b50], [4, 0], [8, at], [4, 1])]);
}

function endRecord(archive: WrittenArchive, count: number, bytes: number, offset: number): Buffer {
  const comment = Buffer.from((archive.comment ?? '') as string);
  const entries = archive.zip64 ? 0xffff : count % 2 ** 16;
  const inField = (value: number) => (archive.zip64 ? 0xffffffff : value);
  const disk = archive.disk ?? 0;
  return Buffer.concat([
    fields(
      [4, 0x06054b50],
      [2, disk],
      [2, disk],
      [2, entries],
      [2, entries],
      [4, inField(bytes)],
      [4, inField(offset)],
      [2, comment.length],
    ),
    comment,
  ]);
}
