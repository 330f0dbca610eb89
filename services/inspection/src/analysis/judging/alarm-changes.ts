import { NO_SQL, sql, type Session, type Sql, type WriteSession } from '@sinebar/database';

/** Sort key of a measurement among those of its part, by time, those without a time first, and by id. */
export interface SortKey {
  /** Text of PostgreSQL, exact to the microsecond; `null` without a time. */
  at: string | null;
  id: string;
}

/** Values of one part that were written and have not been judged. */
export interface PartChanges {
  partId: number;
  /** Sort key of the oldest changed measurement; absent where points only went away. */
  from?: SortKey;
  /** Times that transactions gave to what they wrote, milliseconds since 1970. */
  times: ReadonlySet<number>;
  /** Whether measurements may have been deleted or left out. */
  hasLeft: boolean;
}

export async function hasChanges(session: Session): Promise<boolean> {
  const [row] = await session.query<{ found: boolean }>('SELECT EXISTS (SELECT 1 FROM alarm_change) AS found', [], {
    name: 'alarm-changes',
  });
  return row?.found === true;
}

/** Takes the changes of the part that has waited longest. @param except parts that are passed over */
export async function takeChanges(session: WriteSession, except: readonly number[]): Promise<PartChanges | undefined> {
  const rows = await session.query<{ partId: number; at: string | null; id: string; changed: number | null; order: number }>(
    `WITH taken AS (
       DELETE FROM alarm_change WHERE part_id = (SELECT part_id FROM alarm_change WHERE part_id <> ALL($1::int[]) ORDER BY id LIMIT 1)
       RETURNING part_id, measured_at, measurement_id, changed_at)
     SELECT part_id AS "partId", measured_at::text AS at, measurement_id::text AS id, extract(epoch FROM changed_at)::float8 * 1000 AS changed
     FROM taken ORDER BY changed_at IS NULL, measured_at NULLS FIRST, measurement_id`,
    [except],
    { name: 'alarm-changes-take' },
  );
  const [first] = rows;
  if (!first) return undefined;
  const written = rows.flatMap(({ changed }) => (changed === null ? [] : [Math.round(changed)]));
  return {
    partId: first.partId,
    ...(first.changed !== null && { from: { at: first.at, id: first.id } }),
    times: new Set(written),
    hasLeft: written.length < rows.length,
  };
}

/** Puts back what is left of changes that are too many for one step. */
export async function putBack(session: WriteSession, { partId, times }: PartChanges, from: SortKey): Promise<void> {
  await session.query(
    `INSERT INTO alarm_change (part_id, measured_at, measurement_id, changed_at)
     SELECT $1, $2::timestamptz, $3::bigint, changed.at FROM unnest($4::timestamptz[]) AS changed (at)`,
    [partId, from.at, from.id, timesOf(times)],
  );
}

/** Condition on a measurement `m` that was written by one of the transactions. */
export function isChanged(times: ReadonlySet<number>): Sql {
  return sql`m.last_modified = ANY(${timesOf(times)}::timestamptz[])`;
}

/** Condition on a measurement `m` at a sort key or behind it. */
export function isFrom(key: SortKey | undefined): Sql {
  if (!key) return NO_SQL;
  if (key.at === null) return sql`AND (m.measured_at IS NOT NULL OR m.id >= ${key.id}::bigint)`;
  return sql`AND (m.measured_at, m.id) >= (${key.at}::timestamptz, ${key.id}::bigint)`;
}

/** Condition on a measurement `m` behind a sort key. */
export function isBehind(key: SortKey): Sql {
  if (key.at === null) return sql`AND (m.measured_at IS NOT NULL OR m.id > ${key.id}::bigint)`;
  return sql`AND (m.measured_at, m.id) > (${key.at}::timestamptz, ${key.id}::bigint)`;
}

/** Condition on a measurement `m` at a sort key or before it. */
export function isUpTo(key: SortKey | undefined): Sql {
  if (!key) return NO_SQL;
  if (key.at === null) return sql`AND m.measured_at IS NULL AND m.id <= ${key.id}::bigint`;
  return sql`AND (m.measured_at IS NULL OR (m.measured_at, m.id) <= (${key.at}::timestamptz, ${key.id}::bigint))`;
}

/** Finds the measurement of a part that lies some measurements before a sort key. @returns `undefined` where there are not so many */
export async function sortKeyBefore(session: Session, partId: number, key: SortKey, distance: number): Promise<SortKey | undefined> {
  const rows = (condition: Sql) => sql`(SELECT m.measured_at, m.id FROM measurement m
    WHERE m.part_id = ${partId}::int AND NOT m.aggregation AND ${condition} ORDER BY m.measured_at DESC NULLS LAST, m.id DESC
    LIMIT ${distance}::int)`;
  // Two branches, each of which begins where its rows begin in the index.
  const before =
    key.at === null
      ? sql`SELECT * FROM ${rows(sql`m.measured_at IS NULL AND m.id < ${key.id}::bigint`)} AS earlier`
      : sql`${rows(sql`(m.measured_at, m.id) < (${key.at}::timestamptz, ${key.id}::bigint)`)}
          UNION ALL ${rows(sql`m.measured_at IS NULL`)}`;
  return findSortKey(
    session,
    sql`SELECT * FROM (${before}) AS earlier ORDER BY 1 DESC NULLS LAST, 2 DESC OFFSET ${distance - 1}::int LIMIT 1`,
  );
}

/** Finds the measurement that lies some measurements behind a sort key. @returns `undefined` where there are not so many */
export async function sortKeyBehind(session: Session, partId: number, key: SortKey, distance: number): Promise<SortKey | undefined> {
  return findSortKey(
    session,
    sql`SELECT m.measured_at, m.id FROM measurement m WHERE m.part_id = ${partId}::int AND NOT m.aggregation ${isFrom(key)}
      ORDER BY m.measured_at ASC NULLS FIRST, m.id ASC OFFSET ${distance}::int LIMIT 1`,
  );
}

/** Finds the sort key of a measurement that still exists. @param latest the sort key behind which it is not looked for */
export async function sortKeyOf(session: Session, measurementId: number, latest?: SortKey): Promise<SortKey | undefined> {
  return findSortKey(session, sql`SELECT m.measured_at, m.id FROM measurement m WHERE m.id = ${measurementId}::bigint ${isUpTo(latest)}`);
}

/** @param statement of measurements, with the columns `measured_at` and `id` */
export async function findSortKey(session: Session, statement: Sql): Promise<SortKey | undefined> {
  const [row] = await session.queryTexts(sql`SELECT measured_at::text, id FROM (${statement}) AS found`);
  return row && { at: row[0] ?? null, id: row[1]! };
}

function timesOf(times: ReadonlySet<number>): string[] {
  return Array.from(times, (ms) => new Date(ms).toISOString());
}
