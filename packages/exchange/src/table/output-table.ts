/** A column of a table that is written. */
export interface OutputColumn {
  name: string;
  /** Numbers have a decimal point; times are ISO 8601 in UTC. */
  type: 'text' | 'number' | 'time';
}

/** Texts by the index of their column; empty where there is none. */
export type OutputRow = readonly (string | undefined)[];

/** A table that is written while it is read. */
export interface OutputTable {
  columns: readonly OutputColumn[];
  /** A second row of the header, in files that have rows. */
  keyRow?: readonly string[] | undefined;
  rows: AsyncIterable<readonly OutputRow[]>;
}
