import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { shown, UnreadableFileError } from '../problems.ts';
import { parseXml } from './xml-pieces.ts';

/** Most bytes of a part without compression. */
const MAX_PART_BYTES = 2 * 1024 * 1024 * 1024;
/** Most bytes of a part that is compressed more than this ratio, as no real sheet is. */
const MAX_RATIO = 200;
const MAX_DENSE_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;

/** A part to which another one refers. */
export interface Relation {
  id: string;
  /** Last word of its type, such as `worksheet`. */
  type: string;
  part: string;
}

/** The parts of a workbook: the files in its archive. Their names are compared without case. */
export class PackageParts {
  private readonly zip: ZipFile;
  private readonly entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip;
    this.entries = entries;
  }

  /** @throws UnreadableFileError it is no archive, or its parts are too large */
  static async open(file: Buffer): Promise<PackageParts> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      fromBuffer(file, { lazyEntries: true }, (error, opened) => (error ? reject(unreadable(error.message)) : resolve(opened)));
    });
    return new PackageParts(zip, await readEntries(zip));
  }

  close(): void {
    this.zip.close();
  }

  has(part: string): boolean {
    return this.entries.has(keyOf(part));
  }

  /** The bytes of a part; none where it is missing. */
  async *bytes(part: string): AsyncGenerator<Uint8Array> {
    const entry = this.entries.get(keyOf(part));
    if (!entry) return;
    const stream = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
      this.zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
    });
    yield* stream;
  }

  /** Reads to which parts a part refers. @param part empty for the whole package */
  async relations(part: string): Promise<Relation[]> {
    const slash = part.lastIndexOf('/') + 1;
    const folder = part.slice(0, slash);
    const relations: Relation[] = [];
    await parseXml(this.bytes(`${folder}_rels/${part.slice(slash)}.rels`), {
      open: (name, { Id: id = '', Type: type = '', Target: target = '' }) => {
        if (name !== 'Relationship') return;
        if (relations.length >= MAX_PARTS) throw unreadable('it has too many relations');
        relations.push({ id, type: type.slice(type.lastIndexOf('/') + 1), part: resolved(folder, target) });
      },
    });
    return relations;
  }
}

/** Resolves a target such as `./worksheets/sheet1.xml` or `/xl/worksheets/sheet1.xml`. */
function resolved(folder: string, target: string): string {
  const names: string[] = [];
  for (const name of (/^[\\/]/.test(target) ? target : folder + target).split(/[\\/]/)) {
    if (name === '..') names.pop();
    else if (name.length > 0 && name !== '.') names.push(name);
  }
  return names.join('/');
}

function keyOf(part: string): string {
  return part.replaceAll('\\', '/').toLowerCase();
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.set(keyOf(entry.fileName), entry);
      const { uncompressedSize: size, compressedSize } = entry;
      if (entries.size > MAX_PARTS) reject(unreadable('it has too many files'));
      else if (size > MAX_PART_BYTES || (size > MAX_DENSE_BYTES && size > MAX_RATIO * compressedSize))
        reject(unreadable(`${shown(entry.fileName)} is too large`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** A workbook that cannot be read, with the reason. */
export function unreadable(reason: string): UnreadableFileError {
  return new UnreadableFileError({
    message: `The file is no Excel workbook that can be read: ${reason.slice(0, 200).replace(/\.+$/, '')}. Save it as .xlsx again, or as CSV.`,
  });
}
