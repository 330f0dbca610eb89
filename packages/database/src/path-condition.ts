import type { PathScope } from '@sinebar/access-control';
import { joinSql, rawSql, sql, type Sql } from './sql.ts';

/**
 * Compiles a scope to a condition on a column that holds stored paths (`COLLATE "C"`), as index ranges instead of LIKE.
 * @param column the column as it stands in the statement, already quoted and qualified by the caller
 */
export function pathCondition(scope: PathScope, column: string): Sql {
  if (scope.isEverything) return sql`TRUE`;
  if (scope.isEmpty) return sql`FALSE`;
  const path = rawSql(column);
  const ranges = scope.ranges.map(({ first, end }) => sql`(${path} >= ${first} AND ${path} < ${end})`);
  return sql`(${joinSql(ranges, ' OR ')})`;
}
