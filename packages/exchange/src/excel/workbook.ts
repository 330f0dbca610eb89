import { SaxesParser } from 'saxes';
import { UnreadableFileError } from '../problems.js';
import type { TableRow } from '../table/table-reader.js';

/** Limits of what is kept in memory, so that a damaged file takes none. */
const MAX_STRINGS_LENGTH = 64 * 1024 * 1024;
const MAX_STRINGS = 2_000_000;
const MAX_CELL_LENGTH = 1024 * 1024;
const MAX_ROW_LENGTH = 8 * 1024 * 1024;
const MAX_COLUMNS = 16_384;
const DAY_MS = 86_400_000;
const DAYS_TO_1904 = 1462;

export interface SheetName {
  name: string;
  /** File within the workbook. */
  file: string;
}

interface SheetContext {
  strings: readonly string[];
  /** Places of the cell formats that show times. */
  timeStyles: ReadonlySet<number>;
  /** Whether days are counted from 1904. */
  is1904: boolean;
}

type Attributes = Readonly<Record<string, string>>;
interface Handlers {
  open?: (name: string, attributes: Attributes) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Parses XML piece by piece; `yield`s after each piece. @throws Error it is no XML */
async function* parsed(bytes: AsyncIterable<Uint8Array>, { open, text, close }: Handlers): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8');
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let failure: Error | undefined;
  parser.on('error', (error) => (failure ??= error));
  parser.on('opentag', ({ name, attributes }) => open?.(local(name), attributes as Attributes));
  parser.on('text', (content) => text?.(content));
  parser.on('closetag', ({ name }) => close?.(local(name)));
  let isEmpty = true;
  for await (const chunk of bytes) {
    isEmpty = false;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (failure) throw failure;
    yield;
  }
  if (isEmpty) return;
  parser.close();
  if (failure) throw failure;
}

async function readToEnd(pieces: AsyncGenerator<void>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

/** Reads the names of the sheets in their order, and from which day on dates are counted. */
export async function readSheetNames(
  workbook: AsyncIterable<Uint8Array>,
  relations: AsyncIterable<Uint8Array>,
): Promise<{ sheets: SheetName[]; is1904: boolean }> {
  const files = new Map<string, string>();
  await readToEnd(
    parsed(relations, {
      open: (name, { Id: id = '', Target: target = '' }) => {
        if (name === 'Relationship') files.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`);
      },
    }),
  );
  const sheets: SheetName[] = [];
  let is1904 = false;
  await readToEnd(
    parsed(workbook, {
      open: (name, attributes) => {
        if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
        if (name !== 'sheet') return;
        const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
        sheets.push({ name: attributes['name'] ?? '', file: files.get(relation) ?? '' });
      },
    }),
  );
  return { sheets, is1904 };
}

/** Reads the texts to which cells refer. */
export async function readSharedStrings(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const strings: string[] = [];
  let length = 0;
  let current: string | undefined;
  let isText = false;
  let isPhonetic = false;
  await readToEnd(
    parsed(bytes, {
      open: (name) => {
        if (name === 'si') current = '';
        else if (name === 'rPh') isPhonetic = true;
        isText = name === 't' && !isPhonetic;
      },
      text: (text) => {
        if (!isText || current === undefined) return;
        length += text.length;
        if (length > MAX_STRINGS_LENGTH) throw tooLarge('texts');
        current += text;
      },
      close: (name) => {
        isText = false;
        if (name === 'rPh') isPhonetic = false;
        if (name !== 'si') return;
        if (strings.length >= MAX_STRINGS) throw tooLarge('texts');
        strings.push(unescaped(current ?? ''));
        current = undefined;
      },
    }),
  );
  return strings;
}

/** Reads which cell formats show a date or a time. */
export async function readTimeStyles(bytes: AsyncIterable<Uint8Array>): Promise<Set<number>> {
  const timeFormats = new Set<number>();
  for (const [first, last] of [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ] as const)
    for (let id = first; id <= last; id += 1) timeFormats.add(id);
  const styles = new Set<number>();
  let inCellFormats = false;
  let place = 0;
  await readToEnd(
    parsed(bytes, {
      open: (name, attributes) => {
        if (name === 'numFmt' && isTimeFormat(attributes['formatCode'] ?? '')) timeFormats.add(Number(attributes['numFmtId']));
        else if (name === 'cellXfs') inCellFormats = true;
        else if (name === 'xf' && inCellFormats) {
          if (timeFormats.has(Number(attributes['numFmtId']))) styles.add(place);
          place += 1;
        }
      },
      close: (name) => {
        if (name === 'cellXfs') inCellFormats = false;
      },
    }),
  );
  return styles;
}

/** Whether a format has a part of a date outside of quotes, brackets and escapes; `[h]` counts hours and is none. */
function isTimeFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').replace(/general|e[+-]/gi, ''));
}

/** Reads the rows of a sheet, some at a time. */
export async function* sheetRows(bytes: AsyncIterable<Uint8Array>, context: SheetContext): AsyncGenerator<TableRow[]> {
  const rows: TableRow[] = [];
  let line = 0;
  let cells: string[] | undefined;
  let rowLength = 0;
  let column = 0;
  let cell: { type: string; style: number; text: string } | undefined;
  let isText = false;
  const pieces = parsed(bytes, {
    open: (name, { r: place, t: type = 'n', s: style = '' }) => {
      if (name === 'row') {
        line = place === undefined ? line + 1 : Number(place);
        cells = [];
        rowLength = 0;
        column = 0;
      } else if (name === 'c' && cells) {
        column = place === undefined ? column + 1 : columnNumber(place);
        if (!(column >= 1 && column <= MAX_COLUMNS))
          throw new UnreadableFileError({ line, message: `The sheet has more than ${MAX_COLUMNS} columns. Divide it.` });
        cell = { type, style: Number(style), text: '' };
      }
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
      if (name === 'c' && cell && cells) {
        while (cells.length < column - 1) cells.push('');
        cells[column - 1] = cellText(cell, context);
        cell = undefined;
      } else if (name === 'row' && cells) {
        rows.push({ line, cells });
        cells = undefined;
      }
    },
  });
  for await (const _ of pieces) {
    if (rows.length > 0) yield rows.splice(0);
  }
  if (rows.length > 0) yield rows;
}

function cellText(
  { type, style, text }: { type: string; style: number; text: string },
  { strings, timeStyles, is1904 }: SheetContext,
): string {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'inlineStr':
    case 'str':
      return unescaped(text);
    case 'b':
      return text === '1' ? 'true' : 'false';
    case 'n':
      return timeStyles.has(style) && text.length > 0 ? timeText(Number(text) + (is1904 ? DAYS_TO_1904 : 0)) : text;
    default:
      // Dates in ISO 8601, and errors such as #DIV/0!, which are no values.
      return text;
  }
}

/** Writes a day number as a local time; the day 0 is 1899-12-30. */
function timeText(days: number): string {
  const time = new Date(Date.UTC(1899, 11, 30) + Math.round(days * DAY_MS));
  return Number.isNaN(time.getTime())
    ? ''
    : time
        .toISOString()
        .replace('T', ' ')
        .replace(/(\.000)?Z$/, '');
}

/** The number of a column from a place such as `AB12`. */
function columnNumber(place: string): number {
  let number = 0;
  for (const letter of /^[A-Z]{1,4}/.exec(place)?.[0] ?? '') number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Reads `_x000D_` and the like, with which Excel writes characters that XML does not have. */
function unescaped(text: string): string {
  return text.includes('_x') ? text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text;
}

function tooLarge(what: string, line?: number): UnreadableFileError {
  return new UnreadableFileError({
    ...(line !== undefined && { line }),
    message: `The ${what} of the sheet are too large. Save it as CSV, or divide it.`,
  });
}
