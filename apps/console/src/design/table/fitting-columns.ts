import type { TableColumn } from './table-column';

/** Width of a digit, and of the space at both sides of a cell, px. */
const DIGIT = 7.4;
const CELL_SPACE = 18;
/** Least width of the column that takes what others leave, px. */
const NAME_WIDTH = 160;
/** The same on a phone, which shows fewer columns. */
const SHORT_NAME_WIDTH = 100;
/** Tables below this width are those of a phone, px. */
export const PHONE = 480;
/** What cells of a phone have less at their sides, px; the style sheet says the same. */
const PHONE_SAVES = 8;

/** Width of a column of figures in px, as wide as its longest one, so that none is cut. */
export function figureWidth(figures: readonly string[], least: number): number {
  return Math.max(least, Math.ceil(Math.max(0, ...figures.map(({ length }) => length)) * DIGIT) + CELL_SPACE);
}

/** Width of a column in px whose head wraps between its words, so that none of them is cut. */
export function headWidth(head: string, least: number): number {
  return figureWidth(head.split(/[\s-]+/), least);
}

/** Least width of a column, px; one without a width has names. @param width of the table */
export function leastColumnWidth({ width: own, narrow }: Pick<TableColumn<never>, 'width' | 'narrow'>, width = Infinity): number {
  return own ?? (width < PHONE ? (narrow?.least ?? SHORT_NAME_WIDTH) : NAME_WIDTH);
}

/** Width that columns need so that names can be read, px. @param width of the table */
export function neededTableWidth<Row>(columns: readonly TableColumn<Row>[], width = Infinity): number {
  return columns.reduce((sum, column) => sum + leastColumnWidth(column, width), 0);
}

/** Columns in the form that they have in a table of a width: that of a phone is tighter. */
export function columnsAtWidth<Row>(columns: readonly TableColumn<Row>[], width: number): readonly TableColumn<Row>[] {
  if (width >= PHONE) return columns;
  return columns.map((column) => {
    const { narrow } = column;
    const own = narrow?.width ?? column.width;
    const tight = own === undefined ? undefined : { width: own - (column.content === undefined ? PHONE_SAVES : 0) };
    return { ...column, ...tight, ...(narrow?.cell && { cell: narrow.cell }) };
  });
}

/** Leaves out columns that give way, in their order, until the rest fits into a width. */
export function fittingTableColumns<Row>(columns: readonly TableColumn<Row>[], width: number): readonly TableColumn<Row>[] {
  const givingWay = columns.filter(({ givesWay }) => givesWay !== undefined).sort((a, b) => a.givesWay! - b.givesWay!);
  let fitting = columns;
  for (const column of givingWay) {
    if (neededTableWidth(fitting, width) <= width) break;
    fitting = fitting.filter((other) => other !== column);
  }
  return fitting;
}
