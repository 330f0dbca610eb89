// csv-parse counts the fields of a row only after it has made them, so that 8 MB of separators become millions of fields.
// This splitter counts first. It also tells whether fields are quoted without need, which marks rows with guarded texts.
import { UnreadableFileError } from '../problems.ts';
import { MAX_COLUMNS } from '../table/table-columns.ts';
import type { TableRow } from '../table/table-reader.ts';
import { MAX_LINE_BYTES } from '../text-lines.ts';
import { needsQuotes, unguarded, unguardedInside } from './csv-row.ts';

const QUOTE = '"';
const APOSTROPHE = 0x27;

/** Splits the text of a CSV file into rows. Quotes within a field that does not begin with them are characters of it. */
export class CsvSplitter {
  private readonly separator: string;
  private rows: TableRow[] = [];
  /** A row whose quoted field has no end yet. */
  private rest = '';
  private line: number;

  /** @param line number of the first line */
  constructor(separator: string, line = 1) {
    this.separator = separator;
    this.line = line;
  }

  /** Removes the rows that are complete, and returns them. */
  take(): TableRow[] {
    const taken = this.rows;
    this.rows = [];
    return taken;
  }

  /**
   * Splits whole lines.
   * @throws UnreadableFileError a row has too many fields, or a quoted field without an end; {@link take} has the rows before it
   */
  split(block: string, isLast = false): void {
    const text = this.rest.length > 0 ? this.rest + block : block;
    this.rest = '';
    const find = { quote: new Search(text, QUOTE), end: new Search(text, '\n'), separator: new Search(text, this.separator) };
    for (let at = 0; at < text.length;) {
      const end = find.end.from(at);
      if (find.quote.from(at) > end) {
        const cells = text.slice(at, withoutReturn(text, at, end)).split(this.separator, MAX_COLUMNS + 1);
        this.add(cells, false);
        this.line += 1;
        at = end + 1;
        continue;
      }
      const row = this.quotedRow(text, at, find, isLast);
      if (row === undefined) {
        this.rest = text.slice(at);
        if (!isLast && this.rest.length <= MAX_LINE_BYTES) return;
        throw this.refused(
          `The row has a quoted field without an end within ${MAX_LINE_BYTES / 1024 / 1024} MiB. ` +
            'Close the quotes, or write "" for a quote within a field.',
        );
      }
      this.add(row.cells, row.isMarked);
      this.line += row.lines;
      at = row.end;
    }
  }

  private add(cells: string[], isMarked: boolean): void {
    if (cells.length > MAX_COLUMNS) throw this.refused(`The row has more than ${MAX_COLUMNS} fields. Divide the table into several files.`);
    for (let i = 0; i < cells.length; i += 1) {
      const cell = cells[i] as string;
      if (cell.charCodeAt(0) === APOSTROPHE) cells[i] = unguarded(cell);
    }
    this.rows.push({ line: this.line, cells: isMarked ? cells.map(unguardedInside) : cells });
  }

  private refused(message: string): UnreadableFileError {
    return new UnreadableFileError({ line: this.line, message });
  }

  /** Reads a row that holds quotes. @returns `undefined` when the text ends within quotes */
  private quotedRow(
    text: string,
    start: number,
    find: Readonly<Record<'quote' | 'end' | 'separator', Search>>,
    isLast: boolean,
  ): { cells: string[]; isMarked: boolean; lines: number; end: number } | undefined {
    const cells: string[] = [];
    let isMarked = false;
    let lines = 1;
    for (let at = start; cells.length <= MAX_COLUMNS;) {
      const isQuoted = text.startsWith(QUOTE, at);
      let close = at;
      if (isQuoted) {
        do {
          close = find.quote.from(close + 1);
          // The second of two quotes may stand in the next block.
          if (close === Infinity || (close + 1 === text.length && !isLast)) return undefined;
        } while (text.startsWith(QUOTE, close + 1) && (close += 1) > 0);
        for (let end = find.end.from(at); end < close; end = find.end.from(end + 1)) lines += 1;
      }
      const rowEnd = find.end.from(close);
      const end = Math.min(find.separator.from(isQuoted ? close + 1 : at), rowEnd, text.length);
      const fieldEnd = end < rowEnd && end < text.length ? end : withoutReturn(text, at, end);
      if (isQuoted && close + 1 === fieldEnd) {
        const cell = text.slice(at + 1, close).replaceAll('""', QUOTE);
        isMarked ||= !needsQuotes(cell);
        cells.push(cell);
      } else cells.push(text.slice(at, fieldEnd));
      if (end >= rowEnd || end === text.length) return { cells, isMarked, lines, end: end + 1 };
      at = end + 1;
    }
    return { cells, isMarked, lines, end: text.length };
  }
}

function withoutReturn(text: string, start: number, end: number): number {
  const last = Math.min(end, text.length);
  return last > start && text[last - 1] === '\r' ? last - 1 : last;
}

/** The next position of a character, kept until it is passed, so that all searches together read a text once. */
class Search {
  private readonly text: string;
  private readonly character: string;
  private found = -1;

  constructor(text: string, character: string) {
    this.text = text;
    this.character = character;
  }

  /** @param at not before that of the call before @returns `Infinity` when there is none */
  from(at: number): number {
    if (this.found < at) {
      const next = this.text.indexOf(this.character, at);
      this.found = next < 0 ? Infinity : next;
    }
    return this.found;
  }
}
