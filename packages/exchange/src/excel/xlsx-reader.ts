// read-excel-file keeps the whole sheet in memory and fills gaps before it checks them: a row numbered 1,000,000,000 ends the process.
// This reader takes the rows one after the other, with limits for everything that it keeps.
import type { ByteSource, FileReader } from '../content.ts';
import { refuseForeign } from '../foreign-files.ts';
import { shown, UnreadableFileError } from '../problems.ts';
import { readTable, type TableOptions, type TableRow, type TableSource } from '../table/table-reader.ts';
import { MergedCells, readMerges } from './merged-cells.ts';
import { PackageParts, unreadable } from './package-parts.ts';
import { sheetRows } from './sheet-rows.ts';
import { readSharedStrings, readTimeStyles, readWorkbook } from './workbook.ts';

/** Most bytes of a workbook: it is in memory while it is read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a sheet of an Excel workbook (`.xlsx`, `.xlsm`) like a CSV file; see {@link readTable}. */
export function readXlsx(source: ByteSource, options: TableOptions = {}): FileReader {
  return readTable((table) => xlsxRows(source, options.mapping?.sheet, table), options);
}

async function* xlsxRows(source: ByteSource, sheet: string | undefined, table: TableSource): AsyncGenerator<TableRow[]> {
  let parts: PackageParts | undefined;
  try {
    parts = await PackageParts.open(await wholeFile(refuseForeign(source, 'xlsx')));
    const { sheets, is1904, strings, styles } = await readWorkbook(parts);
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
    if (sheet === undefined) table.sheets = sheets.map(({ name }) => name);
    const { part } = chosen;
    const read = parts;
    const context = {
      strings: await readSharedStrings(parts.bytes(strings ?? 'xl/sharedStrings.xml')),
      timeStyles: await readTimeStyles(parts.bytes(styles ?? 'xl/styles.xml')),
      is1904,
      merged: new MergedCells(await readMerges(() => read.bytes(part))),
    };
    yield* sheetRows(parts.bytes(part), context);
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw unreadable((error as Error).message);
  } finally {
    parts?.close();
  }
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
