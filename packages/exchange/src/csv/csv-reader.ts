import type { ByteSource, FileReader } from '../content.ts';
import { refuseForeign } from '../foreign-files.ts';
import type { Problems } from '../problems.ts';
import { readTable, type TableOptions, type TableRow, type TableSource } from '../table/table-reader.ts';
import { textBlocks } from '../text-lines.ts';
import { CsvSplitter } from './csv-splitter.ts';
import { separatorOf } from './separator.ts';

/** First line with which Excel names the separator. */
const EXCEL_SEPARATOR = /^sep=(.)\r?\n/i;

/** Reads a CSV file in long layout (one value in each row) or wide layout (one measurement in each row). */
export function readCsv(source: ByteSource, options: TableOptions = {}): FileReader {
  return readTable((table, problems) => csvRows(source, options, table, problems), options);
}

async function* csvRows(
  source: ByteSource,
  { encoding, mapping = {} }: TableOptions,
  table: TableSource,
  problems: Problems,
): AsyncGenerator<TableRow[]> {
  let splitter: CsvSplitter | undefined;
  for await (const { text } of textBlocks(refuseForeign(source, 'csv'), mapping.encoding ?? encoding, problems)) {
    if (splitter) {
      yield* rowsOf(splitter, text);
      continue;
    }
    const start = text.replace(/^\ufeff/, '');
    const excel = EXCEL_SEPARATOR.exec(start);
    const skipped = excel ? 1 : 0;
    const rows = start.slice(excel?.[0].length ?? 0);
    table.separator = mapping.separator ?? excel?.[1] ?? separatorOf(rows, (mapping.headerRow ?? 1) - skipped);
    splitter = new CsvSplitter(table.separator, 1 + skipped);
    yield* rowsOf(splitter, rows);
  }
  if (splitter) yield* rowsOf(splitter, '', true);
}

/** Splits a text; its rows before one that cannot be read are read, too. */
function* rowsOf(splitter: CsvSplitter, text: string, isLast = false): Generator<TableRow[]> {
  try {
    splitter.split(text, isLast);
  } finally {
    yield splitter.take();
  }
}
