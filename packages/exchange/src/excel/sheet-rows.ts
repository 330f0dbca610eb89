import { UnreadableFileError } from '../problems.ts';
import { MAX_COLUMNS } from '../table/table-columns.ts';
import type { TableRow } from '../table/table-reader.ts';
import { columnNumber, type MergedCells } from './merged-cells.ts';
import { tooLarge, unescaped } from './workbook.ts';
import { parsedPieces } from './xml-pieces.ts';

const MAX_CELL_LENGTH = 1024 * 1024;
const MAX_ROW_LENGTH = 8 * 1024 * 1024;
/** Most empty cells of a sheet before filled ones: a row of 30 bytes may have thousands. */
const MAX_GAPS = 50_000_000;
const DAY_MS = 86_400_000;
const DAYS_TO_1904 = 1462;
/** Digits of a double that are always exact; a text with more is written again with the fewest digits that mean the same number. */
const MAX_DIGITS = 15;

export interface SheetContext {
  strings: readonly string[];
  /** Indexes of the cell formats that show times. */
  timeStyles: ReadonlySet<number>;
  /** Whether days are counted from 1904. */
  is1904: boolean;
  merged: MergedCells;
}

interface Cell {
  /** Such as `B2`. */
  reference: string;
  type: string;
  style: number;
  text: string;
  isFormula: boolean;
}

/** Reads the rows of a sheet, some at a time. */
export async function* sheetRows(bytes: AsyncIterable<Uint8Array>, context: SheetContext): AsyncGenerator<TableRow[]> {
  const rows: TableRow[] = [];
  let line = 0;
  let row: { cells: (string | undefined)[]; isNumber: boolean[]; problems: Map<number, string> } | undefined;
  let rowLength = 0;
  let gaps = 0;
  let column = 0;
  let filled = 0;
  let cell: Cell | undefined;
  let isText = false;
  const pieces = parsedPieces(bytes, {
    open: (name, { r: reference, t: type = 'n', s: style = '' }) => {
      if (name === 'row') {
        line = reference === undefined ? line + 1 : Number(reference);
        row = { cells: [], isNumber: [], problems: new Map() };
        rowLength = 0;
        column = 0;
        filled = 0;
      } else if (name === 'c' && row) {
        column = reference === undefined ? column + 1 : columnNumber(/^[A-Z]{1,4}/.exec(reference)?.[0] ?? '');
        if (!(column >= 1 && column <= MAX_COLUMNS))
          throw new UnreadableFileError({ line, message: `The sheet has more than ${MAX_COLUMNS} columns. Divide it.` });
        cell = { reference: reference ?? `in column ${column} of row ${line}`, type, style: Number(style), text: '', isFormula: false };
      } else if (name === 'f' && cell) cell.isFormula = true;
      isText = cell !== undefined && (name === 'v' || name === 't');
    },
    text: (text) => {
      if (!cell || !isText) return;
      rowLength += text.length;
      if (cell.text.length + text.length > MAX_CELL_LENGTH || rowLength > MAX_ROW_LENGTH) throw tooLarge('cells', line);
      cell.text += text;
    },
    close: (name) => {
      isText = false;
      if (name === 'c' && cell && row) {
        if (cell.isFormula && cell.text.length === 0 && cell.type !== 'str') {
          row.problems.set(
            column - 1,
            `The cell ${cell.reference} holds a formula without a stored result; open the workbook and save it.`,
          );
        }
        filled += 1;
        row.cells[column - 1] = cellText(cell, context);
        if (cell.type === 'n' && cell.text.length > 0 && !context.timeStyles.has(cell.style)) row.isNumber[column - 1] = true;
        cell = undefined;
      } else if (name === 'row' && row) {
        const { cells, isNumber, problems } = row;
        context.merged.fill(line, cells, isNumber);
        gaps += cells.length - filled;
        if (gaps > MAX_GAPS) throw tooLarge('rows', line);
        rows.push({ line, cells, isNumber, ...(problems.size > 0 && { problems }) });
        row = undefined;
      }
    },
  });
  for await (const _ of pieces) {
    if (rows.length > 0) yield rows.splice(0);
  }
  if (rows.length > 0) yield rows;
}

function cellText({ type, style, text }: Cell, { strings, timeStyles, is1904 }: SheetContext): string {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'inlineStr':
    case 'str':
      return unescaped(text);
    case 'b':
      return text === '1' ? 'true' : 'false';
    case 'n':
      if (text.length === 0) return '';
      return timeStyles.has(style) ? timeText(Number(text), is1904) : numberText(text);
    default:
      // Dates in ISO 8601, and errors such as #DIV/0!, which are no values.
      return text;
  }
}

/** Writes a day number as a local time; the day 0 is 1899-12-30. A number below 1 is a time of day, and a whole one a date. */
function timeText(days: number, is1904: boolean): string {
  const time = new Date(Date.UTC(1899, 11, 30) + Math.round((days + (is1904 ? DAYS_TO_1904 : 0)) * DAY_MS));
  if (Number.isNaN(time.getTime())) return '';
  const [date = '', clock = ''] = time.toISOString().split('T');
  const written = clock.replace(/(\.000)?Z$/, '');
  if (days < 1) return written;
  return written === '00:00:00' ? date : `${date} ${written}`;
}

/** Writes a number of a double with its fewest digits: 0.03 for 2.9999999999999999E-2. */
function numberText(text: string): string {
  if (text.length <= MAX_DIGITS && !/e/i.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : text;
}
