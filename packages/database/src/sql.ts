import { empty, join, type Sql } from 'sql-template-tag';

/** A statement with `$n` placeholders and their values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/**
 * `` sql`… ${value} … ${fragment} …` `` composes a {@link Statement}. It inserts fragments of its own kind and makes every other value a
 * parameter. `rawSql` inserts text as it is: never give it anything that a client wrote.
 */
export { default as sql, empty as NO_SQL, raw as rawSql, type Sql } from 'sql-template-tag';

/** The fragments with the separator between them, also of none. */
export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  return fragments.length === 0 ? empty : join(fragments, separator);
}

/** The members of the rows as arrays, for `unnest`. */
export function columnsOf<T>(rows: readonly T[], ...members: readonly (keyof T)[]): unknown[][] {
  return members.map((member) => rows.map((row) => row[member]));
}
