/** Builds its text for a given number of the first free placeholder. */
export type SqlFragment = (column: string, firstPlaceholder: number) => { sql: string; values: readonly unknown[] };

/** A statement with `$n` placeholders and their values. */
export interface Statement {
  text: string;
  values: unknown[];
}
