import { rangeEnd, type PathScope } from '@sinebar/access-control';
import type { Session } from '@sinebar/database';
import type { Bind } from '../../shared/search-sql.js';
import type { MeasuredParts } from '../sets/measured-parts.js';
import type { MeasurementSelection } from './measurement-selection.js';

type PartRestriction = Pick<MeasurementSelection, 'partUuids' | 'partPath' | 'deep'>;

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
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [namedParts(selection, bind), visibleParts(readable, bind)];
  if (values.length === 0) return undefined;
  const rows = await session.query<{ id: number }>(
    `SELECT p.id FROM plan_item p WHERE p.kind = 'part' AND ${conditions.join(' AND ')} LIMIT ${MAX_PARTS + 1}`,
    values,
  );
  return rows.length > MAX_PARTS ? undefined : rows.map(({ id }) => id);
}

/** Builds the condition that the selection names the part `p`. */
export function namedParts({ partUuids, partPath, deep }: PartRestriction, bind: Bind): string {
  const conditions: string[] = [];
  if (partUuids) {
    const uuids = `${bind(partUuids)}::uuid[]`;
    conditions.push(
      deep
        ? `p.id IN (SELECT below.id FROM plan_item top JOIN plan_item below ON below.path >= top.path
            AND below.path < (CASE WHEN top.path = '' THEN 'q' ELSE left(top.path, -1) || '0' END) COLLATE "C"
            WHERE top.uuid = ANY(${uuids}) AND top.kind = 'part' AND below.kind = 'part')`
        : `p.uuid = ANY(${uuids})`,
    );
  }
  if (partPath !== undefined && !deep) conditions.push(`p.path = ${bind(partPath)}`);
  if (partPath !== undefined && partPath !== '' && deep) {
    conditions.push(`p.path >= ${bind(partPath)} AND p.path < ${bind(rangeEnd(partPath))}`);
  }
  return conditions.length === 0 ? 'TRUE' : `(${conditions.join(' AND ')})`;
}

/** Builds the condition that the caller may read the part `p`. */
export function visibleParts(readable: PathScope, bind: Bind): string {
  // Renumbers the placeholders of the fragment for this statement.
  const { sql, values } = readable.condition('p.path', 1);
  return sql.replace(/\$(\d+)/g, (_, place: string) => bind(values[Number(place) - 1]));
}
