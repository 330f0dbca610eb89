import type { ImportOptions } from '@sinebar/client';

type FormatId = NonNullable<ImportOptions['format']>;

/** A kind of file that the server imports. */
interface ImportFormat {
  id: FormatId;
  name: string;
  /** Endings of the file that is imported, in lower case. */
  endings: readonly string[];
  /** Whether its columns may be described by a mapping. */
  isTable?: true;
  /** A second file of the same name that belongs to one with this ending. */
  companion?: { of: string; ending: string; isFirst: boolean; isNeeded: boolean };
}

/** All kinds, in the order in which endings are compared. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  {
    id: 'calypso',
    name: 'CALYPSO',
    endings: ['_chr.txt'],
    companion: { of: '_chr.txt', ending: '_hdr.txt', isFirst: true, isNeeded: false },
  },
  {
    id: 'aqdef',
    name: 'AQDEF',
    endings: ['.dfq', '.dfd'],
    companion: { of: '.dfd', ending: '.dfx', isFirst: false, isNeeded: true },
  },
  { id: 'csv', name: 'CSV', endings: ['.csv', '.tsv'], isTable: true },
  { id: 'xlsx', name: 'Excel', endings: ['.xlsx', '.xlsm'], isTable: true },
];

/** Unit of an import: a file, or two that belong together. */
export interface DataFile {
  name: string;
  format: FormatId;
  formatName: string;
  isTable: boolean;
  size: number;
  /** The bytes as they are. */
  content: Blob;
  /** Files that are joined before they are sent, each decoded by itself; they make up the content. */
  pair?: readonly Blob[];
}

/** A file that cannot be imported. */
export interface OddFile {
  name: string;
  why: 'unknown' | 'alone' | 'companionMissing';
}

/** Finds out what chosen files are, by their names, and joins those that belong together. */
export function dataFilesOf(files: readonly File[]): { data: DataFile[]; odd: OddFile[] } {
  const byName = new Map(files.map((file) => [file.name.toLowerCase(), file]));
  const used = new Set<File>();
  const data: DataFile[] = [];
  const odd: OddFile[] = [];
  for (const file of files) {
    const name = file.name.toLowerCase();
    const found = IMPORT_FORMATS.flatMap((format) => format.endings.filter((ending) => name.endsWith(ending)).map(() => format))[0];
    if (found === undefined) continue;
    const { id, name: formatName, isTable = false, companion } = found;
    const other = companion && name.endsWith(companion.of) ? byName.get(name.slice(0, -companion.of.length) + companion.ending) : undefined;
    used.add(file);
    if (other === undefined && companion?.isNeeded === true && name.endsWith(companion.of)) {
      odd.push({ name: file.name, why: 'companionMissing' });
      continue;
    }
    if (other !== undefined) used.add(other);
    const parts = other === undefined ? [file] : companion?.isFirst === true ? [other, file] : [file, other];
    data.push({
      name: file.name,
      format: id,
      formatName,
      isTable,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      content: new Blob(parts.flatMap((part, i) => (i === 0 ? [part] : ['\n', part]))),
      ...(other !== undefined && { pair: parts }),
    });
  }
  const companions = IMPORT_FORMATS.flatMap(({ companion }) => (companion ? [companion.ending] : []));
  for (const file of files) {
    if (used.has(file)) continue;
    const isCompanion = companions.some((ending) => file.name.toLowerCase().endsWith(ending));
    odd.push({ name: file.name, why: isCompanion ? 'alone' : 'unknown' });
  }
  return { data, odd };
}
