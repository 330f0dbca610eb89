import { ArchiveProblem } from '../archive-problem.ts';

/** Size of the end of an archive that {@link findDirectory} needs: the end records and the longest comment. */
export const TAIL_BYTES = 66 * 1024;

export interface DirectoryLocation {
  offset: number;
  sizeBytes: number;
  /** Number of entries according to the archive. */
  entries: number;
  /** Modulus of the entry count: the number field may overflow. */
  entriesModulo: number;
}

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END = 0x06064b50;
const ZIP64_END_BYTES = 56;

/**
 * Finds the directory from the end of an archive.
 * A signature alone proves nothing, since a comment, a name or an inner archive may contain one: the directory must also end where the end
 * record begins.
 * @param tail the last bytes of the archive, {@link TAIL_BYTES} of them or all
 * @throws ArchiveProblem when there is none, or more than one reading of the same bytes
 */
export function findDirectory(tail: Buffer, archiveBytes: number): DirectoryLocation {
  const found: DirectoryLocation[] = [];
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    at = tail.lastIndexOf(END, at);
    if (at < 0) break;
    const location = locationBefore(tail, at, archiveBytes - tail.length);
    if (location) found.push(location);
  }
  const [location, other] = found;
  if (!location) throw new ArchiveProblem('it does not end like a zip archive, or its directory is not where it says');
  if (other) throw new ArchiveProblem('it ends like two zip archives at once');
  return location;
}

/** @param at possible offset of an end record in the tail @param base offset of the tail in the archive */
function locationBefore(tail: Buffer, at: number, base: number): DirectoryLocation | undefined {
  const commentBytes = tail.readUInt16LE(at + 20);
  if (at + END_BYTES + commentBytes > tail.length) return undefined;
  const large = zip64Location(tail, at, base);
  if (large) return large;
  const isOneFile = tail.readUInt32LE(at + 4) === 0 && tail.readUInt16LE(at + 8) === tail.readUInt16LE(at + 10);
  const location = { entries: tail.readUInt16LE(at + 10), sizeBytes: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  // Several writers let the field for the number of entries overflow, which is harmless.
  return isOneFile && location.offset + location.sizeBytes === base + at ? { ...location, entriesModulo: 2 ** 16 } : undefined;
}

function zip64Location(tail: Buffer, endAt: number, base: number): DirectoryLocation | undefined {
  const locator = endAt - ZIP64_LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== ZIP64_LOCATOR) return undefined;
  const end = Number(tail.readBigUInt64LE(locator + 8));
  const at = end - base;
  if (at < 0 || at + ZIP64_END_BYTES > locator || tail.readUInt32LE(at) !== ZIP64_END) return undefined;
  const isOneFile = tail.readUInt32LE(at + 16) === 0 && tail.readUInt32LE(at + 20) === 0;
  const number = (offset: number) => Number(tail.readBigUInt64LE(at + offset));
  const location = { entries: number(32), sizeBytes: number(40), offset: number(48) };
  return isOneFile && number(24) === location.entries && location.offset + location.sizeBytes === end
    ? { ...location, entriesModulo: Number.MAX_SAFE_INTEGER }
    : undefined;
}
