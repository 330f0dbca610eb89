import type { TableColumn } from './table-column';

/** Width of a digit, and of the space at both sides of a cell, px. */
const DIGIT = 7.4;
const CELL_SPACE = 18;
/** Least width of the column that takes what others leave, px. */
const NAME_WIDTH = 160;
/** The same on a phone, which shows fewer columns. */
const SHORT_NAME_WIDTH = 112;
const PHONE = 480;

/** Width of a column of figures in px, as wide as its longest one, so that none is cut. */
export function figureWidth(figures: readonly string[], least: number): number {
  return Math.max(least, Math.ceil(Math.max(0, ...figures.map(({ length }) => length)) * DIGIT) + CELL_SPACE);
}

/** Least width of a column, px; one without a width has names. @param width of the table */
export function leastColumnWidth({ width: own }: Pick<TableColumn<never>, 'width'>, width = Infinity): number {
  return own ?? (width < PHONE ? SHORT_NAME_WIDTH : NAME_WIDTH);
}

/** Width that columns need so that names can be read, px. @param width of the table */
export function neededTableWidth<Row>(columns: readonly TableColumn<Row>[], width = Infinity): number {
  return columns.reduce((sum, column) => sum + leastColumnWidth(column, width), 0);
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
