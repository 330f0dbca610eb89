/** A file or folder in an archive, as its directory record describes it. */
export interface ArchiveEntry {
  /** Name with its folders, as written in the archive; folders end with `/`. Never use it as a path of this machine. */
  name: string;
  sizeBytes: number;
  /** Size in the archive. */
  storedBytes: number;
  /** Compression method: 0 stored, 8 deflate; others are refused when the entry is read. */
  method: number;
  isEncrypted: boolean;
  crc32: number;
  /** Offset of the local header. */
  offset: number;
  /** Offset of the next entry or of the directory. */
  end: number;
}

/** Estimated memory in bytes of one entry with its index record, without its name. */
const ENTRY_BYTES = 200;
const PLAIN = /^[ -~]*$/;

export class ArchiveDirectory {
  private readonly all: ArchiveEntry[] = [];
  private readonly byName = new Map<string, ArchiveEntry>();
  private nameLength = 0;

  get entries(): readonly ArchiveEntry[] {
    return this.all;
  }

  /** Estimated memory in bytes. */
  get weight(): number {
    return ENTRY_BYTES * (1 + this.all.length) + 2 * this.nameLength;
  }

  add(entry: ArchiveEntry): void {
    this.all.push(entry);
    this.nameLength += entry.name.length;
    const folded = foldName(entry.name);
    if (!this.byName.has(folded)) this.byName.set(folded, entry);
  }

  /** Finds the first entry with this name, in any case. spec: raw-data-service.md, Archive lookup, Rules 1 and 2 */
  find(name: string): ArchiveEntry | undefined {
    return this.byName.get(foldName(name));
  }
}

export function isFolder({ name }: ArchiveEntry): boolean {
  return name.endsWith('/');
}

/** Normalizes a name for comparison: without case, and composed Unicode characters. spec: raw-data-service.md, Archive lookup, Rules 1 */
function foldName(name: string): string {
  return (PLAIN.test(name) ? name : name.normalize('NFC')).toLowerCase();
}
