/** Builds its text when the number of the first free placeholder is known. */
export type SqlFragment = (column: string, firstPlaceholder: number) => { sql: string; values: readonly unknown[] };

/** A statement with `$n` placeholders and the values they stand for. */
export interface Statement {
  text: string;
  values: unknown[];
}
