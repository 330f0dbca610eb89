import { readNumberText } from '../number-text.ts';
import { isEmpty, type TableRow } from '../table/table-reader.ts';
import { CsvSplitter } from './csv-splitter.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Characters at the beginning of a file that are split with each separator. */
const SAMPLE_LENGTH = 32 * 1024;
const SAMPLE_ROWS = 200;

/**
 * Finds the separator with which the rows at the beginning of a file are consistent: they have the fields of the header row, and in their
 * fields stands no other separator but a decimal comma.
 * @param headerRow number of the header row; the first row with content when left out
 */
export function separatorOf(text: string, headerRow = 1): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const end = text.length > SAMPLE_LENGTH ? sample.lastIndexOf('\n') + 1 : 0;
  const rated = SEPARATORS.map((separator) => ({ separator, ...rate(end > 0 ? sample.slice(0, end) : sample, separator, headerRow) }));
  const isBetter = (one: (typeof rated)[number], other: (typeof rated)[number]) => {
    if (one.columns > 1 !== other.columns > 1) return one.columns > 1;
    return one.share === other.share ? one.columns > other.columns : one.share > other.share;
  };
  return rated.reduce((best, one) => (isBetter(one, best) ? one : best)).separator;
}

/** @returns the columns of the header row, and the share of what is consistent below it, from 0 to 1 */
function rate(sample: string, separator: string, headerRow: number): { columns: number; share: number } {
  const splitter = new CsvSplitter(separator);
  let rows: TableRow[];
  try {
    splitter.split(sample, true);
  } catch {
    // The sample ends within a row.
  } finally {
    rows = splitter.take();
  }
  const [header, ...others] = rows.filter(({ line, cells }) => line >= headerRow && !isEmpty(cells));
  if (!header) return { columns: 0, share: 0 };
  const columns = header.cells.length;
  let consistent = 0;
  const below = others.slice(0, SAMPLE_ROWS);
  for (const { cells } of below) {
    const length = cells.findLastIndex((cell) => !isEmpty([cell])) + 1;
    if (length > columns || (length === 1 && columns > 1)) continue;
    consistent += cells.filter(isPlain).length / cells.length;
  }
  return { columns, share: below.length === 0 ? 0 : consistent / below.length };
}

function isPlain(cell = ''): boolean {
  return !SEPARATORS.some((separator) => cell.includes(separator)) || readNumberText(cell) !== undefined;
}
