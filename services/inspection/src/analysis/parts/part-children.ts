import type { PartChildren, StatusCounts } from '@sinebar/contracts';
import { sql, type Session } from '@sinebar/database';
import { touches, type AnalysedPart, type AnalysisRights } from '../figures/analysed-part.ts';
import { noStatuses, type JudgedCharacteristic } from './judged-characteristic.ts';

interface Child {
  kind: 'part' | 'characteristic';
  uuid: string;
  name: string;
  path: string;
  hasChildren: boolean;
}

/**
 * Reads the direct children, in plan order, that the caller may read or below which there is something they may read.
 * @param limit number of children, the first ones
 */
export async function readChildren(
  session: Session,
  part: AnalysedPart,
  { plan }: AnalysisRights,
  limit: number | undefined,
): Promise<Child[]> {
  const rows = await session.query<Child & Record<string, unknown>>(sql`
    SELECT child.kind, child.uuid, child.name, child.path,
      EXISTS (SELECT FROM plan_item below WHERE below.parent_id = child.id) AS "hasChildren"
    FROM plan_item child WHERE child.parent_id = ${part.id} ORDER BY child.path
    LIMIT ${plan.isEverything ? (limit ?? null) : null}::bigint`);
  return rows.filter(({ path }) => touches(plan, path)).slice(0, limit);
}

/** Counts the statuses at and below each child. @param judged in plan order, with their paths */
export function countChildren(children: readonly Child[], judged: readonly JudgedCharacteristic[]): PartChildren {
  const counts = new Map(children.map(({ path }): [string, StatusCounts] => [path, noStatuses()]));
  let next = 0;
  for (const { characteristic, now, process } of judged) {
    // Both lists are in plan order, so the characteristics of a child follow each other.
    while (next < children.length && !characteristic.label.startsWith(children[next]!.path)) next += 1;
    const child = children[next];
    if (!child) break;
    const statuses = counts.get(child.path)!;
    statuses.now[now] += 1;
    statuses.process[process] += 1;
  }
  return {
    children: children.map(({ kind, uuid, name, path, hasChildren }) => {
      const statuses = counts.get(path)!;
      const characteristics = Object.values(statuses.now).reduce((sum, count) => sum + count, 0);
      return { kind, uuid, name, hasChildren, characteristics, statuses };
    }),
  };
}
