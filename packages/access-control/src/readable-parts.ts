/**
 * A subtree of the inspection plan as the stored path of its root, for example `passembly/pdoor/`; the empty text is the whole plan.
 * Stored paths end in `/`, so that `pa/` does not contain `pab/`.
 */
export interface PathRange {
  prefix: string;
}

/** What a caller may see: everything, or what lies in any of the subtrees. An empty list is nothing. */
export type ReadableParts = 'all' | readonly PathRange[];

/** Whether the item with this stored path may be seen. */
export function isReadable(readable: ReadableParts, storedPath: string): boolean {
  return readable === 'all' || readable.some(({ prefix }) => storedPath.startsWith(prefix));
}

/** A condition in SQL with `$n` placeholders and the values they stand for. */
export interface SqlCondition {
  sql: string;
  values: string[];
}

/**
 * Compiles the ranges to a condition on a column that holds stored paths (`COLLATE "C"`), as index ranges instead of LIKE.
 * @param column the column as it stands in the statement, already quoted and qualified by the caller
 * @param firstPlaceholder number of the first `$n` that is still free
 */
export function readableCondition(readable: ReadableParts, column: string, firstPlaceholder: number): SqlCondition {
  if (readable === 'all' || readable.some(({ prefix }) => prefix === '')) return { sql: 'TRUE', values: [] };
  const values: string[] = [];
  const ranges = withoutNested(readable).map(({ prefix }) => {
    const lower = firstPlaceholder + values.length;
    values.push(prefix, rangeEnd(prefix));
    return `(${column} >= $${lower} AND ${column} < $${lower + 1})`;
  });
  return { sql: ranges.length === 0 ? 'FALSE' : `(${ranges.join(' OR ')})`, values };
}

/** The first text, in code point order, that is behind every text with this prefix: `/`, the last character of a prefix, becomes `0`. */
export function rangeEnd(prefix: string): string {
  if (!prefix.endsWith('/')) throw new Error(`a stored path must end in "/": ${prefix}`);
  return `${prefix.slice(0, -1)}0`;
}

/** Without the ranges that lie inside another one, in the order of their prefixes. */
export function withoutNested(ranges: readonly PathRange[]): PathRange[] {
  const kept: PathRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.prefix < b.prefix ? -1 : 1))) {
    const previous = kept.at(-1);
    if (!previous || !range.prefix.startsWith(previous.prefix)) kept.push(range);
  }
  return kept;
}
