import { rangeEnd, type PathScope } from '@sinebar/access-control';
import type { SqlFragment, Statement } from '@sinebar/database';
import type { PlanItemKind } from '@sinebar/query-language';

export interface PlanSelection {
  kinds: readonly PlanItemKind[];
  /** Without `depth` exactly these items; with `depth` also that many levels below each. */
  uuids?: readonly string[] | undefined;
  /** Stored paths of the topmost items, used without `uuids`. */
  paths?: readonly string[] | undefined;
  depth?: number | undefined;
  /** Uuids of items that are left out themselves; items below them are not. */
  without?: readonly string[] | undefined;
  /** Restricts characteristics to those of the topmost parts, without those of parts below. */
  ownCharacteristicsOnly?: boolean | undefined;
  /** Condition on the attributes of items of one kind; items of the other kind are left out. */
  search?: { kind: PlanItemKind; condition: SqlFragment } | undefined;
  /** Leaves out parts without a selected characteristic below them. */
  onlyPartsWithCharacteristics?: boolean | undefined;
}

/** More levels than a path can have. */
const ALL_LEVELS = 65_535;

/** Collects the values of a statement while its text is built. */
class Values {
  readonly list: unknown[] = [];

  add(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  addAll(fragment: (firstPlaceholder: number) => { sql: string; values: readonly unknown[] }): string {
    const { sql, values } = fragment(this.list.length + 1);
    this.list.push(...values);
    return sql;
  }
}

/** Builds the statement that yields the selected items as `item`, parents before children. @param columns the select list */
export function planStatement(selection: PlanSelection, readable: PathScope, columns: string): Statement {
  const values = new Values();
  const { from, ordered } = source(selection, values);
  const text = `SELECT ${columns} FROM ${from} WHERE ${conditions(selection, readable, values)} ${ordered ? 'ORDER BY item.path' : ''}`;
  return { text, values: values.list };
}

/** Builds the statement that counts the selected items, as `count`. */
export function planCountStatement(selection: PlanSelection, readable: PathScope): Statement {
  const values = new Values();
  const { from } = source(selection, values);
  return { text: `SELECT count(*) AS count FROM ${from} WHERE ${conditions(selection, readable, values)}`, values: values.list };
}

function conditions(selection: PlanSelection, readable: PathScope, values: Values): string {
  const visible = (row: string) => values.addAll((first) => readable.condition(`${row}.path`, first));
  const found = (row: string) => {
    const { search } = selection;
    return search ? `${row}.kind = '${search.kind}' AND ${values.addAll((first) => search.condition(`${row}.attributes`, first))}` : 'TRUE';
  };
  const included = (row: string) => (selection.without ? `${row}.uuid <> ALL(${values.add(selection.without)})` : 'TRUE');
  const kinds = `item.kind IN (${selection.kinds.map((kind) => `'${kind}'`).join(', ')}) AND ${included('item')}`;
  if (!selection.onlyPartsWithCharacteristics) return `${kinds} AND ${visible('item')} AND ${found('item')}`;
  return `${kinds} AND ${visible('item')} AND CASE item.kind WHEN 'characteristic' THEN ${found('item')} ELSE EXISTS (
    SELECT FROM plan_item below WHERE below.kind = 'characteristic' AND below.path > item.path AND below.path < ${upperBound('item.path')}
      AND ${selected('below', selection, values)} AND ${included('below')} AND ${visible('below')} AND ${found('below')}) END`;
}

/** Builds the condition that a row is among those of {@link source}, without the conditions on single items. */
function selected(row: string, { uuids, paths = [''], depth }: PlanSelection, values: Values): string {
  if (uuids !== undefined && depth === undefined) return `${row}.uuid = ANY(${values.add(uuids)})`;
  if (uuids === undefined && paths.length === 1 && (depth ?? ALL_LEVELS) === ALL_LEVELS) return 'TRUE';
  const roots = uuids === undefined ? `top.path = ANY(${values.add(paths)})` : `top.uuid = ANY(${values.add(uuids)})`;
  return `EXISTS (SELECT FROM plan_item top WHERE ${roots} AND ${row}.path >= top.path AND ${row}.path < ${upperBound('top.path')}
    AND ${row}.depth <= top.depth + ${values.add(depth ?? ALL_LEVELS)})`;
}

/** Builds the end of the path range below a column: the closing slash becomes `0`, as every path begins with `c` or `p`. */
function upperBound(column: string): string {
  return `(CASE WHEN ${column} = '' THEN 'q' ELSE left(${column}, -1) || '0' END) COLLATE "C"`;
}

function source(selection: PlanSelection, values: Values): { from: string; ordered: boolean } {
  const { uuids, paths = [''], depth } = selection;
  if (uuids !== undefined && depth === undefined) {
    return { from: `(SELECT * FROM plan_item WHERE uuid = ANY(${values.add(uuids)})) AS item`, ordered: true };
  }
  const levels = depth ?? ALL_LEVELS;
  if (uuids === undefined && paths.length === 1) return { from: belowOne(paths[0] ?? '', levels, selection, values), ordered: true };
  const place = uuids === undefined ? `path = ANY(${values.add(paths)})` : `uuid = ANY(${values.add(uuids)})`;
  const isRoot = (row: string) =>
    `(${row}.${place} ${uuids !== undefined && selection.ownCharacteristicsOnly ? `AND ${row}.kind = 'characteristic'` : ''})`;
  if (levels <= 1) {
    const children = `UNION ALL SELECT child.* FROM plan_item parent JOIN plan_item child ON child.parent_id = parent.id
      WHERE ${isRoot('parent')} AND NOT ${isRoot('child')}`;
    return { from: `(SELECT * FROM plan_item root WHERE ${isRoot('root')} ${levels === 1 ? children : ''}) AS item`, ordered: true };
  }
  // DISTINCT, because roots may be nested and an item may be below several of them.
  return {
    // OFFSET 0 keeps the planner from flattening the subquery and scanning the whole table.
    from: `(SELECT DISTINCT ON (below.path) below.* FROM plan_item root CROSS JOIN LATERAL (
        SELECT * FROM plan_item WHERE path >= root.path AND path < ${upperBound('root.path')}
          AND depth <= root.depth + ${values.add(levels)} ${selection.ownCharacteristicsOnly ? 'AND part_id = root.part_id' : ''}
          ${isPartsOnly(selection) ? `AND kind = 'part'` : ''} OFFSET 0) below
      WHERE ${isRoot('root')} ORDER BY below.path) AS item`,
    ordered: false,
  };
}

/**
 * Selects everything below one path as one range of one index, in the order of that index.
 * Columns of the item at the path come from scalar subqueries: with a join PostgreSQL would sort, not knowing that there is one such item.
 */
function belowOne(path: string, levels: number, selection: PlanSelection, values: Values): string {
  const place = values.add(path);
  const root = (column: string) => `(SELECT ${column} FROM plan_item WHERE path = ${place})`;
  // Functions, because each use binds a value, and PostgreSQL refuses values without a placeholder.
  const within = () => (levels === ALL_LEVELS ? '' : `AND depth <= ${root('depth')} + ${values.add(levels)}`);
  const range = () => `path >= ${place} ${path === '' ? '' : `AND path < ${values.add(rangeEnd(path))}`}`;
  const where = () => {
    if (selection.ownCharacteristicsOnly) return `part_id = ${root('part_id')} AND kind = 'characteristic' AND path > ${place} ${within()}`;
    if (levels === 0) return `path = ${place}`;
    if (levels === 1) return `(path = ${place} OR parent_id = ${root('id')})`;
    return `${range()} ${isPartsOnly(selection) ? `AND kind = 'part'` : ''} ${within()}`;
  };
  return `(SELECT * FROM plan_item WHERE ${where()}) AS item`;
}

/** Whether the partial index on parts can be used, which has no characteristics. */
function isPartsOnly({ kinds }: PlanSelection): boolean {
  return kinds.length === 1 && kinds[0] === 'part';
}
