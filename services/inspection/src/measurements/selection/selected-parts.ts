import { rangeEnd, type PathScope } from '@sinebar/access-control';
import { joinSql, pathCondition, sql, type Session, type Sql } from '@sinebar/database';
import type { MeasuredParts } from '../sets/measured-parts.ts';

/** Parts of a selection; all where nothing is given. */
export interface PartRestriction {
  partUuids?: readonly string[] | undefined;
  /** Stored path. */
  partPath?: string | undefined;
  /** Includes the parts below the named ones. */
  deep: boolean;
}

/** Most parts that are resolved to ids beforehand; the measurements of more parts are found fast through the index on time. */
const MAX_PARTS = 1000;

/**
 * Finds the ids of the parts to which a selection is limited, because PostgreSQL cannot estimate conditions on paths.
 * @param known parts at the state of the plan that the session sees
 * @returns `undefined` for all parts or for more than {@link MAX_PARTS}
 */
export async function findSelectedParts(
  session: Session,
  selection: PartRestriction,
  readable: PathScope,
  known: MeasuredParts,
): Promise<number[] | undefined> {
  const { partUuids, partPath, deep } = selection;
  if (partUuids && !deep && partPath === undefined && partUuids.length <= MAX_PARTS) {
    const named = await known.find(session, new Set(partUuids));
    return [...named.values()].filter(({ path }) => readable.includes(path)).map(({ id }) => id);
  }
  const condition = partsOf(selection, readable);
  if (condition.bindings.length === 0) return undefined;
  const rows = await session.query<{ id: number }>(
    sql`SELECT p.id FROM plan_item p WHERE p.kind = 'part' AND ${condition} LIMIT ${MAX_PARTS + 1}::bigint`,
  );
  return rows.length > MAX_PARTS ? undefined : rows.map(({ id }) => id);
}

/** Condition on the part `p`: the selection names it, and the caller may read it. */
export function partsOf(selection: PartRestriction, readable: PathScope): Sql {
  return sql`${namedParts(selection)} AND ${pathCondition(readable, 'p.path')}`;
}

/** Condition on the part `p`: the selection names it. */
export function namedParts({ partUuids, partPath, deep }: PartRestriction): Sql {
  const conditions: Sql[] = [];
  if (partUuids) {
    conditions.push(
      deep
        ? sql`p.id IN (SELECT below.id FROM plan_item top JOIN plan_item below ON below.path >= top.path
            AND below.path < (CASE WHEN top.path = '' THEN 'q' ELSE left(top.path, -1) || '0' END) COLLATE "C"
            WHERE top.uuid = ANY(${partUuids}::uuid[]) AND top.kind = 'part' AND below.kind = 'part')`
        : sql`p.uuid = ANY(${partUuids}::uuid[])`,
    );
  }
  if (partPath !== undefined && !deep) conditions.push(sql`p.path = ${partPath}`);
  if (partPath !== undefined && partPath !== '' && deep) conditions.push(sql`p.path >= ${partPath} AND p.path < ${rangeEnd(partPath)}`);
  return conditions.length === 0 ? sql`TRUE` : sql`(${joinSql(conditions, ' AND ')})`;
}
