import type { PartChanges } from '@sinebar/contracts';
import { NO_SQL, sql, type Session } from '@sinebar/database';
import type { AnalysedPart, AnalysisRights } from '../figures/analysed-part.ts';
import { isBelow } from '../figures/planned-characteristics.ts';
import type { ChangesQuery } from './part-analysis-parameters.ts';

type Change = PartChanges['changes'][number];

/** Reads changes of the statuses of characteristics below a part, the newest first. */
export async function readChanges(
  session: Session,
  part: AnalysedPart,
  rights: AnalysisRights,
  { from, to, offset, limit }: ChangesQuery,
): Promise<PartChanges> {
  const selected = sql`FROM status_change c JOIN plan_item item ON item.id = c.characteristic_id
    WHERE ${isBelow(part, rights)} ${from ? sql`AND c.changed_at >= to_timestamp(${from.ms / 1000}::float8)` : NO_SQL}
      ${to ? sql`AND c.changed_at < to_timestamp(${to.ms / 1000}::float8)` : NO_SQL}`;
  const [counted] = await session.query<{ total: number }>(sql`SELECT count(*)::int AS total ${selected}`);
  const rows = await session.query<Omit<Change, 'time' | 'measurementUuid'> & { time: Date; measurementUuid: string | null }>(sql`
    SELECT page.time, page."characteristicUuid", page.path, page.name, m.uuid AS "measurementUuid", page.status, page."from", page."to"
    FROM (SELECT c.id, c.changed_at AS time, item.uuid AS "characteristicUuid", item.marked_path AS path, item.name, c.measurement_id,
        c.kind AS status, c.before AS "from", c.after AS "to" ${selected}
      ORDER BY c.changed_at DESC, c.id DESC OFFSET ${offset}::int LIMIT ${limit}::int) AS page
      LEFT JOIN measurement m ON m.id = page.measurement_id
    ORDER BY page.time DESC, page.id DESC`);
  const changes = rows.map(({ time, measurementUuid, ...change }) => ({
    time: time.toISOString(),
    ...change,
    ...(measurementUuid !== null && { measurementUuid }),
  }));
  return { total: counted!.total, offset, changes };
}
