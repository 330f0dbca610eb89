import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ByteSource, FileReader } from '../content.js';
import { refuseForeign } from '../foreign-files.js';
import { Problems, shown, UnreadableFileError } from '../problems.js';
import { readTable, type TableOptions, type TableRow } from '../table/table-reader.js';
import { MAX_LINE_BYTES, textBlocks, type TextBlock } from '../text-lines.js';

/** Rows of one batch. */
const ROWS_PER_BATCH = 500;
const SEPARATORS = [',', ';', '\t', '|'] as const;
/** First line with which Excel names the separator. */
const EXCEL_SEPARATOR = /^sep=(.)\r?\n/i;
/** Apostrophe before a text that a spreadsheet would take for a formula; see `writeCsvRow`. */
const GUARDED = /^'+[=+\-@\t\r]/;

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

/** Reads a CSV file in long layout (one value in each row) or wide layout (one measurement in each row). */
export function readCsv(source: ByteSource, options: TableOptions = {}): FileReader {
  const problems = new Problems();
  return readTable(csvRows(source, options, problems), options, problems);
}

async function* csvRows(source: ByteSource, { encoding, mapping = {} }: TableOptions, problems: Problems): AsyncGenerator<TableRow[]> {
  const blocks = textBlocks(refuseForeign(source, 'csv'), mapping.encoding ?? encoding, problems);
  const first = await blocks.next();
  if (first.done === true) return;
  const excel = EXCEL_SEPARATOR.exec(first.value.text);
  const start = excel ? first.value.text.slice(excel[0].length) : first.value.text;
  const skipped = excel ? 1 : 0;
  let parsedLine = skipped;
  const parser = parse({
    // An error discards the records that were parsed with it, so the line of the next one is kept here.
    on_record: (record: string[], { lines }) => {
      parsedLine = lines + skipped;
      return record;
    },
    delimiter: mapping.separator ?? excel?.[1] ?? separatorOf(start, (mapping.headerRow ?? 1) - skipped),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_LINE_BYTES,
  });
  const text = Readable.from(withoutByteOrderMark(start, blocks), { objectMode: true, highWaterMark: 1 });
  // Errors travel through the parser, which the loop below reads.
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let rows: TableRow[] = [];
  let lastLine = skipped;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      // `lines` is the last line of a record that holds line ends.
      rows.push({ line: lastLine + 1, cells: record.map(unguarded) });
      lastLine = info.lines + skipped;
      if (rows.length < ROWS_PER_BATCH) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (rows.length > 0) yield rows;
    throw error instanceof CsvError ? problemOf(error, parsedLine + 1) : error;
  } finally {
    text.destroy();
    parser.destroy();
  }
  if (rows.length > 0) yield rows;
}

async function* withoutByteOrderMark(start: string, blocks: AsyncIterable<TextBlock>): AsyncGenerator<string> {
  yield start.replace(/^\ufeff/, '');
  for await (const { text } of blocks) yield text;
}

function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

/** Finds the separator that occurs most often in the header row, outside quotes. */
function separatorOf(text: string, headerRow: number): string {
  const header = (text.split('\n', headerRow).at(-1) ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const counts = SEPARATORS.map((separator) => [separator, header.split(separator).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

function problemOf(error: CsvError, line: number): UnreadableFileError {
  const message =
    error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
      ? `The row has a quoted field without an end within ${MAX_LINE_BYTES / 1024 / 1024} MiB. ` +
        'Close the quotes, or write "" for a quote within a field.'
      : `The row cannot be read (${shown(error.message)}). Quote fields that hold the separator, quotes or line ends.`;
  return new UnreadableFileError({ line, message });
}
