// read-excel-file keeps the whole sheet in memory and fills gaps before it checks them: a row numbered 1,000,000,000 ends the process.
// This reader takes the rows one after the other, with limits for everything that it keeps.
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import type { ByteSource, FileReader } from '../content.js';
import { refuseForeign } from '../foreign-files.js';
import { shown, UnreadableFileError } from '../problems.js';
import { readTable, type TableOptions, type TableRow } from '../table/table-reader.js';
import { readSheetNames, readSharedStrings, readTimeStyles, sheetRows } from './workbook.js';

/** Most bytes of a workbook: it is in memory while it is read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Most bytes of one of its files without compression. */
const MAX_ENTRY_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
const [WORKBOOK, RELATIONS, STRINGS, STYLES] = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/sharedStrings.xml',
  'xl/styles.xml',
] as const;

/** Reads a sheet of an Excel workbook (`.xlsx`) like a CSV file; see {@link readTable}. */
export function readXlsx(source: ByteSource, options: TableOptions = {}): FileReader {
  return readTable(xlsxRows(source, options.mapping?.sheet), options);
}

async function* xlsxRows(source: ByteSource, sheet: string | undefined): AsyncGenerator<TableRow[]> {
  const zip = await opened(await wholeFile(refuseForeign(source, 'xlsx')));
  try {
    const entries = await entriesOf(zip);
    const bytes = (name: string): AsyncIterable<Uint8Array> => bytesOf(zip, entries.get(name));
    if (!entries.has(WORKBOOK)) throw unreadable('it has no workbook');
    const { sheets, is1904 } = await readSheetNames(bytes(WORKBOOK), bytes(RELATIONS));
    const chosen = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name.toLowerCase() === sheet.toLowerCase());
    if (!chosen) {
      const names = sheets
        .slice(0, 20)
        .map(({ name }) => shown(name))
        .join(', ');
      throw new UnreadableFileError({
        message: `The workbook has no sheet ${shown(sheet ?? '1')}. Name one of ${names || 'its sheets'} in the mapping.`,
      });
    }
    const strings = await readSharedStrings(bytes(STRINGS));
    const timeStyles = await readTimeStyles(bytes(STYLES));
    yield* sheetRows(bytes(chosen.file), { strings, timeStyles, is1904 });
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw unreadable((error as Error).message);
  } finally {
    zip.close();
  }
}

function unreadable(reason: string): UnreadableFileError {
  return new UnreadableFileError({
    message: `The file is no Excel workbook that can be read: ${reason.slice(0, 200)}. Save it as .xlsx again, or as CSV.`,
  });
}

async function wholeFile(source: ByteSource): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > MAX_FILE_BYTES) {
      throw new UnreadableFileError({
        message: `The workbook has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Save it as CSV, or divide it.`,
      });
    }
    chunks.push(chunk.slice());
  }
  return Buffer.concat(chunks);
}

function opened(file: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(file, { lazyEntries: true }, (error, zip) => (error ? reject(unreadable(error.message)) : resolve(zip)));
  });
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry);
      if (entries.size > MAX_ENTRIES) reject(unreadable('it has too many files'));
      else if (entry.uncompressedSize > MAX_ENTRY_BYTES) reject(unreadable(`${shown(entry.fileName)} is too large`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The bytes of an entry; none where it is missing. */
async function* bytesOf(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Uint8Array> {
  if (!entry) return;
  const stream = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  yield* stream;
}
