import { REGULAR, STRONG, type Face } from './fonts.ts';
import { BODY_SIZE, FAINT, INK, LINE, SOFT, type Paper } from './paper.ts';

/** Content of a cell. */
export interface Cell {
  readonly text: string;
  readonly color?: string;
  readonly isStrong?: boolean;
  /** Draws beside or instead of the text, between `x` and `x + width`, with the base line of the first line at `y`. */
  readonly draw?: (box: { x: number; y: number; width: number; height: number }) => void;
  /** Room before the text that `draw` uses, points. */
  readonly indent?: number;
}

export interface Column<Row> {
  readonly head: string;
  /** Part of the width that is left, or points. */
  readonly share?: number;
  readonly width?: number;
  readonly align?: 'start' | 'end' | 'middle';
  readonly cell: (row: Row) => Cell;
}

interface Placed<Row> {
  readonly column: Column<Row>;
  readonly x: number;
  readonly width: number;
}

const PADDING = 6;
/** Room that columns which share what is left get at least, points. */
const MIN_SHARED = 90;
const LEADING = 1.3;
/** Smallest part of its size in which a number still stands in one line. */
const MIN_FIT = 0.55;
const HEAD_SIZE = 7;
/** Rows up to which each cell is an element of the document; beyond it, the rows of a page are one: the tags would outgrow the table. */
const MAX_TAGGED_ROWS = 2000;
/** Rows between which the writer looks whether the reader follows. */
const BATCH = 50;

/** Draws a table whose head stands on each of its pages. Texts wrap; no row is divided. */
export async function drawTable<Row>(
  paper: Paper,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  { count, signal, size = BODY_SIZE }: { count: number; signal: AbortSignal; size?: number },
): Promise<void> {
  const placed = placeColumns(paper, columns);
  const heads = placed.map(({ column, width }) => paper.linesOf(column.head, width - PADDING, { size: HEAD_SIZE }));
  const headHeight = Math.max(...heads.map((lines) => lines.length)) * HEAD_SIZE * LEADING + 6;
  const isTagged = count <= MAX_TAGGED_ROWS;
  paper.ensure(headHeight + 2 * size * LEADING + 6);
  const table = paper.openTag('Table');
  const drawHead = (isFirst: boolean) => {
    const bottom = paper.y + headHeight;
    const draw = (i: number) => {
      const { x, width, column } = placed[i]!;
      const lines = heads[i]!;
      lines.forEach((line, at) =>
        drawLine(paper, line, {
          x,
          width,
          align: column.align,
          size: HEAD_SIZE,
          color: FAINT,
          y: bottom - 5 - (lines.length - 1 - at) * HEAD_SIZE * LEADING,
        }),
      );
    };
    if (isFirst) {
      const row = paper.openTag('TR', table);
      placed.forEach((_, i) => paper.tag('TH', () => draw(i), {}, row));
      row.end();
    } else {
      paper.artifact(() => placed.forEach((_, i) => draw(i)));
    }
    paper.artifact(() => paper.rule(bottom, { color: INK, width: 0.75 }));
    paper.y = bottom;
  };
  drawHead(true);
  let openBody: (() => void) | undefined;
  const closeBody = () => {
    openBody?.();
    openBody = undefined;
  };
  let done = 0;
  for await (const row of rows) {
    const cells = placed.map(({ column, width }) => {
      const cell = column.cell(row);
      const indent = cell.indent ?? 0;
      const room = width - PADDING - indent;
      const look: { size: number; face: Face } = { size, face: cell.isStrong === true ? STRONG : REGULAR };
      if (column.align === 'end') {
        // A number in two lines is read as two; it gets smaller instead.
        const fit = room / paper.widthOf(cell.text, look);
        if (fit < 1 && fit >= MIN_FIT) return { cell, indent, look: { ...look, size: size * fit }, lines: [cell.text] };
      }
      return { cell, indent, look, lines: cell.text === '' ? [''] : paper.linesOf(cell.text, room, look) };
    });
    const height = Math.max(...cells.map(({ lines }) => lines.length)) * size * LEADING + 4.5;
    if (height > paper.room) {
      closeBody();
      paper.addPage();
      drawHead(false);
    }
    const top = paper.y;
    const drawCell = (i: number) => {
      const { cell, indent, look, lines } = cells[i]!;
      const { x, width, column } = placed[i]!;
      const first = top + size + 2;
      cell.draw?.({ x, y: first, width: width - PADDING, height });
      lines.forEach((line, at) =>
        drawLine(paper, line, {
          x: x + indent,
          width: width - indent,
          align: column.align,
          color: cell.color ?? INK,
          y: first + at * size * LEADING,
          ...look,
        }),
      );
    };
    const drawRule = () => paper.rule(top + height, { color: LINE, width: 0.35 });
    if (isTagged) {
      const element = paper.openTag('TR', table);
      placed.forEach((_, i) => paper.tag('TD', () => drawCell(i), {}, element));
      element.end();
      paper.artifact(drawRule);
    } else {
      openBody ??= paper.openContent('TBody', table);
      placed.forEach((_, i) => drawCell(i));
      drawRule();
    }
    paper.y = top + height;
    done += 1;
    if (done % BATCH === 0) await paper.drained(signal);
  }
  closeBody();
  table.end();
}

function placeColumns<Row>(paper: Paper, columns: readonly Column<Row>[]): Placed<Row>[] {
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0);
  const shares = columns.reduce((sum, { share = 0 }) => sum + share, 0);
  const left = Math.max(paper.width - fixed, shares === 0 ? 0 : MIN_SHARED);
  // Too many columns become narrower together, and their texts wrap.
  const factor = Math.min(1, (paper.width - left) / fixed);
  let x = paper.left;
  return columns.map((column) => {
    const width = column.width === undefined ? (left * (column.share ?? 0)) / shares : column.width * factor;
    const at = x;
    x += width;
    return { column, x: at, width };
  });
}

interface Line {
  x: number;
  y: number;
  width: number;
  align: Column<unknown>['align'];
  size: number;
  color: string;
  face?: Face;
}

function drawLine(paper: Paper, text: string, { x, y, width, align = 'start', ...look }: Line): void {
  const at = align === 'start' ? x : align === 'end' ? x + width - PADDING : x + (width - PADDING) / 2;
  paper.text(text, at, y, { align, ...look });
}

/** Draws pairs of a name and a text in columns, such as the head of a report. */
export function drawFacts(paper: Paper, facts: readonly { name: string; text: string }[], columns = 3): void {
  const shown = facts.filter(({ text }) => text !== '');
  const width = paper.width / columns;
  for (let start = 0; start < shown.length; start += columns) {
    const row = shown.slice(start, start + columns).map((fact) => ({ ...fact, lines: paper.linesOf(fact.text, width - 10, {}) }));
    const height = 12 + Math.max(...row.map(({ lines }) => lines.length)) * BODY_SIZE * LEADING + 4;
    paper.ensure(height);
    const top = paper.y;
    row.forEach(({ name, lines }, i) => {
      const x = paper.left + i * width;
      paper.tag('P', () => {
        paper.text(name, x, top + 8, { size: HEAD_SIZE, color: FAINT });
        lines.forEach((line, at) => paper.text(line, x, top + 19 + at * BODY_SIZE * LEADING));
      });
    });
    paper.y = top + height;
  }
}

/** Draws a heading; it stays with what follows. */
export function drawHeading(paper: Paper, text: string, level: 1 | 2 | 3 = 2, follows = 60): void {
  const size = { 1: 17, 2: 11.5, 3: 9.5 }[level];
  const lines = paper.linesOf(text, paper.width, { size, face: STRONG });
  paper.ensure(lines.length * size * LEADING + follows);
  const top = paper.y;
  paper.tag(`H${level}`, () =>
    lines.forEach((line, i) => paper.text(line, paper.left, top + size + i * size * 1.2, { size, face: STRONG })),
  );
  paper.y = top + lines.length * size * 1.2 + 6;
}

/** Draws sentences below each other. */
export function drawText(paper: Paper, text: string, { color = SOFT, size = BODY_SIZE } = {}): void {
  const lines = paper.linesOf(text, paper.width, { size });
  for (const line of lines) {
    paper.ensure(size * LEADING);
    const y = paper.y + size;
    paper.tag('P', () => paper.text(line, paper.left, y, { size, color }));
    paper.y += size * LEADING;
  }
  paper.y += 3;
}
