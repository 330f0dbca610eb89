import { foldName } from './zip/entry-name.js';

/** A file or folder in an archive, as the directory of the archive describes it. */
export interface ArchiveEntry {
  /** Name with its folders, as written in the archive; folders end with `/`. Never a path of this machine. */
  name: string;
  sizeBytes: number;
  /** Bytes that it takes in the archive. */
  storedBytes: number;
  /** 0 stored, 8 deflate; the archive may hold others. */
  method: number;
  isEncrypted: boolean;
  crc32: number;
  /** Where its local header is in the archive. */
  offset: number;
  /** Where the next entry, or the directory, begins. */
  end: number;
}

/** Memory of one entry with its place in the index by name, bytes, apart from the name. */
const ENTRY_BYTES = 200;

/** The directory of an archive. */
export class ArchiveDirectory {
  private readonly all: ArchiveEntry[] = [];
  private readonly byName = new Map<string, ArchiveEntry>();
  private nameLength = 0;

  /** In the order of the archive. */
  get entries(): readonly ArchiveEntry[] {
    return this.all;
  }

  /** Estimated memory, bytes. */
  get weight(): number {
    return ENTRY_BYTES * (1 + this.all.length) + 2 * this.nameLength;
  }

  add(entry: ArchiveEntry): void {
    this.all.push(entry);
    this.nameLength += entry.name.length;
    const folded = foldName(entry.name);
    if (!this.byName.has(folded)) this.byName.set(folded, entry);
  }

  /**
   * The first entry of this name, in any case.
   * spec: raw-data-service.md, Archive lookup, Rules 1 and 2
   */
  find(name: string): ArchiveEntry | undefined {
    return this.byName.get(foldName(name));
  }
}

export function isFolder({ name }: ArchiveEntry): boolean {
  return name.endsWith('/');
}
