import { rangeEnd, type PathScope } from '@sinebar/access-control';
import { NO_SQL, pathCondition, rawSql, sql, type Sql } from '@sinebar/database';
import type { PlanItemKind } from '@sinebar/query-language';

export interface PlanSelection {
  kinds: readonly PlanItemKind[];
  /** Selects exactly these items; with `depth` also that many levels below each. */
  uuids?: readonly string[] | undefined;
  /** Stored paths of the topmost items, used without `uuids`. */
  paths?: readonly string[] | undefined;
  depth?: number | undefined;
  /** Uuids of items that are left out themselves; items below them are not. */
  without?: readonly string[] | undefined;
  /** Restricts characteristics to those of the topmost parts, without those of parts below. */
  ownCharacteristicsOnly?: boolean | undefined;
  /** Condition on a column with the attributes of items of one kind; items of the other kind are left out. */
  search?: { kind: PlanItemKind; condition: (column: string) => Sql } | undefined;
  /** Leaves out parts without a selected characteristic below them. */
  onlyPartsWithCharacteristics?: boolean | undefined;
}

/** More levels than a path can have. */
const ALL_LEVELS = 65_535;

/**
 * Builds the statement that yields the selected items as `item`, parents before children.
 * @param columns the select list
 */
export function planStatement(selection: PlanSelection, readable: PathScope, columns: string): Sql {
  const { from, ordered } = source(selection);
  const order = ordered ? sql`ORDER BY item.path` : NO_SQL;
  return sql`SELECT ${rawSql(columns)} FROM ${from} WHERE ${conditions(selection, readable)} ${order}`;
}

/** Builds the statement that counts the selected items, as `count`. */
export function planCountStatement(selection: PlanSelection, readable: PathScope): Sql {
  return sql`SELECT count(*) AS count FROM ${source(selection).from} WHERE ${conditions(selection, readable)}`;
}

function conditions(selection: PlanSelection, readable: PathScope): Sql {
  const { search, without } = selection;
  const visible = (row: string) => pathCondition(readable, `${row}.path`);
  const found = (row: string) =>
    search ? sql`${rawSql(`${row}.kind = '${search.kind}'`)} AND ${search.condition(`${row}.attributes`)}` : sql`TRUE`;
  const included = (row: string) => (without ? sql`${rawSql(row)}.uuid <> ALL(${without})` : sql`TRUE`);
  const kinds = rawSql(selection.kinds.map((kind) => `'${kind}'`).join(', '));
  const shown = sql`item.kind IN (${kinds}) AND ${included('item')} AND ${visible('item')}`;
  if (!selection.onlyPartsWithCharacteristics) return sql`${shown} AND ${found('item')}`;
  return sql`${shown} AND CASE item.kind WHEN 'characteristic' THEN ${found('item')} ELSE EXISTS (
    SELECT FROM plan_item below WHERE below.kind = 'characteristic' AND below.path > item.path AND below.path < ${upperBound('item.path')}
      AND ${selectedBelow(selection)} AND ${included('below')} AND ${visible('below')} AND ${found('below')}) END`;
}

/** Condition that `below` is among the rows of {@link source}, without the conditions on single items. */
function selectedBelow({ uuids, paths = [''], depth }: PlanSelection): Sql {
  if (uuids !== undefined && depth === undefined) return sql`below.uuid = ANY(${uuids})`;
  const levels = depth ?? ALL_LEVELS;
  if (uuids === undefined && paths.length === 1 && levels === ALL_LEVELS) return sql`TRUE`;
  const roots = uuids === undefined ? sql`top.path = ANY(${paths})` : sql`top.uuid = ANY(${uuids})`;
  return sql`EXISTS (SELECT FROM plan_item top WHERE ${roots} AND below.path >= top.path AND below.path < ${upperBound('top.path')}
    AND below.depth <= top.depth + ${levels})`;
}

/**
 * Expression for the end of the range of paths below the path in a column: its closing slash becomes `0`. Every path begins with `c` or
 * `p`.
 */
function upperBound(column: string): Sql {
  return rawSql(`(CASE WHEN ${column} = '' THEN 'q' ELSE left(${column}, -1) || '0' END) COLLATE "C"`);
}

function source(selection: PlanSelection): { from: Sql; ordered: boolean } {
  const { uuids, paths = [''], depth, ownCharacteristicsOnly } = selection;
  if (uuids !== undefined && depth === undefined) {
    return { from: sql`(SELECT * FROM plan_item WHERE uuid = ANY(${uuids})) AS item`, ordered: true };
  }
  const levels = depth ?? ALL_LEVELS;
  if (uuids === undefined && paths.length === 1) return { from: belowOne(paths[0] ?? '', levels, selection), ordered: true };
  const identity = uuids === undefined ? sql`path = ANY(${paths})` : sql`uuid = ANY(${uuids})`;
  const isRoot = (row: string) =>
    sql`(${rawSql(row)}.${identity} ${rawSql(uuids !== undefined && ownCharacteristicsOnly ? `AND ${row}.kind = 'characteristic'` : '')})`;
  if (levels <= 1) {
    const children = sql`UNION ALL SELECT child.* FROM plan_item parent JOIN plan_item child ON child.parent_id = parent.id
      WHERE ${isRoot('parent')} AND NOT ${isRoot('child')}`;
    return { from: sql`(SELECT * FROM plan_item root WHERE ${isRoot('root')} ${levels === 1 ? children : NO_SQL}) AS item`, ordered: true };
  }
  // DISTINCT, because roots may be nested and an item may be below several of them.
  return {
    // OFFSET 0 keeps the planner from flattening the subquery and scanning the whole table.
    from: sql`(SELECT DISTINCT ON (below.path) below.* FROM plan_item root CROSS JOIN LATERAL (
        SELECT * FROM plan_item WHERE path >= root.path AND path < ${upperBound('root.path')}
          AND depth <= root.depth + ${levels} ${ownCharacteristicsOnly ? sql`AND part_id = root.part_id` : NO_SQL}
          ${isPartsOnly(selection) ? sql`AND kind = 'part'` : NO_SQL} OFFSET 0) below
      WHERE ${isRoot('root')} ORDER BY below.path) AS item`,
    ordered: false,
  };
}

/**
 * Selects everything below one path as one range of one index, in the order of that index.
 * Columns of the item at the path come from scalar subqueries: with a join PostgreSQL would sort, not knowing that there is one such item.
 */
function belowOne(path: string, levels: number, selection: PlanSelection): Sql {
  const root = (column: string) => sql`(SELECT ${rawSql(column)} FROM plan_item WHERE path = ${path})`;
  const within = levels === ALL_LEVELS ? NO_SQL : sql`AND depth <= ${root('depth')} + ${levels}`;
  const range = sql`path >= ${path} ${path === '' ? NO_SQL : sql`AND path < ${rangeEnd(path)}`}`;
  const where = () => {
    if (selection.ownCharacteristicsOnly) return sql`part_id = ${root('part_id')} AND kind = 'characteristic' AND path > ${path} ${within}`;
    if (levels === 0) return sql`path = ${path}`;
    if (levels === 1) return sql`(path = ${path} OR parent_id = ${root('id')})`;
    return sql`${range} ${isPartsOnly(selection) ? sql`AND kind = 'part'` : NO_SQL} ${within}`;
  };
  return sql`(SELECT * FROM plan_item WHERE ${where()}) AS item`;
}

/** Whether the partial index on parts can be used, which has no characteristics. */
function isPartsOnly({ kinds }: PlanSelection): boolean {
  return kinds.length === 1 && kinds[0] === 'part';
}
