import { NO_SQL, rawSql, sql, type Session, type Sql } from '@sinebar/database';
import { RunningFigures } from '@sinebar/statistics';
import { readExcludedOfParts } from '../../evaluation/evaluation-reader.ts';
import { MEASURED_COLUMNS, readMeasuredRows } from '../figures/measured-rows.ts';
import { PartColumns, RowAdder, type PartSet } from '../figures/part-figures.ts';
import { readSets } from '../figures/part-sets.ts';
import { readSettled, type ChangedPart, type SettledFigures } from './kept-figures-store.ts';

/** Figures of a part as of now. */
export interface RefreshedFigures {
  ids: Int32Array;
  total: RunningFigures;
  /** New settled figures with their newest measurement; `undefined` when the stored ones still hold. */
  settled?: { figures: RunningFigures | undefined; end: { at: Buffer | null; id: number } | undefined };
}

/**
 * Measurements of a part that are read again after each change, at most twice this number.
 * Measurements that arrive in another order than they were measured thereby seldom touch the settled ones.
 */
const RECENT_MEASUREMENTS = 100;
/** The same in values, so that parts with many characteristics are read quickly. */
const RECENT_VALUES = 200_000;

/**
 * Computes the figures of a part from its settled figures and its recent measurements, or from all of them.
 * @returns `undefined` when it has no values
 */
export async function refreshedFigures(
  session: Session,
  { id: partId, isSettledChanged }: ChangedPart,
): Promise<RefreshedFigures | undefined> {
  const sets = await readSets(session, [partId]);
  const stored = isSettledChanged ? undefined : await readSettled(session, partId);
  const known = stored && hasColumns(stored, sets) ? stored : undefined;
  const ids = known?.ids ?? distinctIds(sets);
  const adder = new RowAdder(ids, sets, await readExcludedOfParts(session, [partId]));
  if (!adder.isNeeded) return undefined;

  const recentCount = Math.min(Math.max(Math.floor(RECENT_VALUES / ids.length), 1), RECENT_MEASUREMENTS);
  const recent = new RunningFigures(ids.length);
  const older = new RunningFigures(ids.length);
  let count = 0;
  let end: { at: Buffer | null; id: number } | undefined;
  const statement = sql`
    SELECT ${rawSql(MEASURED_COLUMNS)} FROM measurement m WHERE m.part_id = ${partId}::int AND NOT m.aggregation ${newerThan(known?.end)}
    ORDER BY m.measured_at DESC NULLS LAST, m.id DESC`;
  await readMeasuredRows(session, statement, (row) => {
    count += 1;
    if (count === recentCount + 1) end = { at: row.storedTime, id: row.id };
    adder.add(count <= recentCount ? recent : older, row);
  });
  if (known?.figures) older.addOlder(known.figures);
  const total = recent;
  total.addOlder(older);
  if (count > 2 * recentCount) return { ids, total, settled: { figures: older, end } };
  return known ? { ids, total } : { ids, total, settled: { figures: undefined, end: undefined } };
}

/** Lists the characteristics of sets, ascending. */
function distinctIds(sets: readonly PartSet[]): Int32Array {
  const [first, ...others] = sets;
  if (first && others.length === 0) return first.characteristicIds.toSorted();
  return Int32Array.from(new Set(sets.flatMap(({ characteristicIds }) => [...characteristicIds]))).sort();
}

/** Whether the stored figures have a column for each characteristic that can have values. */
function hasColumns({ ids }: SettledFigures, sets: readonly PartSet[]): boolean {
  const known = new PartColumns(ids);
  return sets.every(({ characteristicIds }) => characteristicIds.every((id) => known.columnOf(id) !== undefined));
}

/** Condition on the measurements that are newer in the order of their part. */
function newerThan(end: SettledFigures['end']): Sql {
  if (!end) return NO_SQL;
  if (end.at === null) return sql`AND (m.measured_at IS NOT NULL OR m.id > ${end.id}::bigint)`;
  return sql`AND (m.measured_at, m.id) > (${end.at}::timestamptz, ${end.id}::bigint)`;
}
