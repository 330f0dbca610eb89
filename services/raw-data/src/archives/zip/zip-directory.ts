import { setImmediate } from 'node:timers/promises';
import { quoted } from '@sinebar/http';
import { ArchiveDirectory, type ArchiveEntry } from '../archive-directory.ts';
import { ArchiveProblem } from '../archive-problem.ts';
import { decodeName } from './entry-name.ts';
import { extraField } from './extra-field.ts';
import type { DirectoryLocation } from './zip-end.ts';

const RECORD = 0x02014b50;
const RECORD_BYTES = 46;
/** Size of a local header without its name. */
export const LOCAL_HEADER_BYTES = 30;
const ENCRYPTED = 1;
const UTF8 = 0x800;
const ZIP64_FIELD = 1;
const IN_ZIP64_FIELD = 0xffffffff;
/** Records after which other requests may run. */
const RECORDS_AT_A_TIME = 1000;

/**
 * Reads the directory of an archive. docs/decisions/dependencies.md tells why `unzipper` is not used.
 * @param bytes the directory of the archive
 * @throws ArchiveProblem
 */
export async function readDirectory(bytes: Buffer, location: DirectoryLocation, maxEntries: number): Promise<ArchiveDirectory> {
  const directory = new ArchiveDirectory();
  const { entries } = directory;
  for (let at = 0; at < bytes.length;) {
    const end = endOfRecord(bytes, at);
    if (entries.length >= maxEntries) throw new ArchiveProblem(`it has more than ${maxEntries} entries`);
    directory.add(readRecord(bytes, at));
    at = end;
    if (entries.length % RECORDS_AT_A_TIME === 0) await setImmediate();
  }
  if (entries.length % location.entriesModulo !== location.entries) {
    throw new ArchiveProblem(`its directory holds ${entries.length} entries and says ${location.entries}`);
  }
  settleEnds(entries, location.offset);
  return directory;
}

function endOfRecord(bytes: Buffer, at: number): number {
  if (at + RECORD_BYTES > bytes.length || bytes.readUInt32LE(at) !== RECORD) throw new ArchiveProblem('its directory is damaged');
  const end = at + RECORD_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  if (end > bytes.length) throw new ArchiveProblem('its directory is damaged');
  return end;
}

/** Reads in place: views of each record, name and field would take most of the memory of a large directory. */
function readRecord(bytes: Buffer, at: number): ArchiveEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const nameAt = at + RECORD_BYTES;
  const extraAt = nameAt + bytes.readUInt16LE(at + 28);
  const extraBytes = bytes.readUInt16LE(at + 30);
  const extra = extraBytes > 0 ? bytes.subarray(extraAt, extraAt + extraBytes) : undefined;
  const name = (flags & UTF8) !== 0 ? bytes.toString('utf8', nameAt, extraAt) : decodeName(bytes.subarray(nameAt, extraAt), extra);
  const numbers = [24, 20, 42].map((field) => bytes.readUInt32LE(at + field));
  const [sizeBytes, storedBytes, offset] = numbers.includes(IN_ZIP64_FIELD) ? largeNumbers(numbers, extra) : numbers;
  const disk = bytes.readUInt16LE(at + 34);
  if (!isCount(sizeBytes) || !isCount(storedBytes) || !isCount(offset) || (disk !== 0 && disk !== 0xffff)) {
    throw new ArchiveProblem(`entry ${quoted(name)} has no valid size or place`);
  }
  // Smallest possible end, until the offset of the next entry is known.
  const end = offset + LOCAL_HEADER_BYTES + extraAt - nameAt + storedBytes;
  const isEncrypted = (flags & ENCRYPTED) !== 0;
  return {
    name,
    sizeBytes,
    storedBytes,
    method: bytes.readUInt16LE(at + 10),
    isEncrypted,
    crc32: bytes.readUInt32LE(at + 16),
    offset,
    end,
  };
}

/** Numbers that do not fit are in the zip64 field, in this order, and only those. */
function largeNumbers(numbers: readonly number[], extra: Buffer | undefined): (number | undefined)[] {
  const large = (extra && extraField(extra, ZIP64_FIELD)) ?? Buffer.alloc(0);
  let at = 0;
  return numbers.map((number) => {
    if (number !== IN_ZIP64_FIELD) return number;
    at += 8;
    return at <= large.length ? Number(large.readBigUInt64LE(at - 8)) : undefined;
  });
}

/** Sets the end of every entry to the start of the next one. Refuses entries that share bytes, which only zip bombs have. */
function settleEnds(entries: readonly ArchiveEntry[], directoryOffset: number): void {
  const byOffset = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, entry] of byOffset.entries()) {
    const next = byOffset[i + 1]?.offset ?? directoryOffset;
    if (entry.end > next) throw new ArchiveProblem(`entry ${quoted(entry.name)} overlaps with what is behind it`);
    entry.end = next;
  }
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}
