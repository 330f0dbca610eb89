interface DrawnRow {
  index: number;
  /** Edges from the upper edge of the first row of all, px. */
  start: number;
  end: number;
}

interface RowsInView {
  /** Rows that touch the pane, also where its head covers them. */
  firstIndex: number;
  lastIndex: number;
  /** Lower edge of the pane, from the upper edge of the first row of all, px; 0 or less where nothing is laid out. */
  bottom: number;
}

/** Returns the last row of which at least half can be seen, so that the count below a table names what the reader sees. */
export function lastRowInView(rows: readonly DrawnRow[], { firstIndex, lastIndex, bottom }: RowsInView): number {
  if (bottom <= 0) return lastIndex;
  const seen = rows.findLast(({ index, start, end }) => index <= lastIndex && (start + end) / 2 <= bottom);
  return Math.max(firstIndex, seen?.index ?? firstIndex);
}
