import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  id: string;
  head: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  /** Width in px; the column without one takes the rest. */
  width?: number;
  align?: 'end' | 'middle';
  /** The column that names the row. */
  isRowHeader?: boolean;
  /** Form in the table of a phone: width in px, or the least one of a column that takes the rest, and content. */
  narrow?: { width?: number; least?: number; cell?: (row: Row, index: number) => ReactNode };
  /** Whether the text takes as many lines as it needs in the table of a phone. */
  wraps?: boolean;
  /** Direction in which the rows are sorted by this column. */
  sorted?: 'ascending' | 'descending' | undefined;
  /** Place in the order in which columns are left out of a narrow table; the others always stay. */
  givesWay?: number;
  /** Content that needs less room at its sides than a text. */
  content?: 'glyph' | 'check';
}
