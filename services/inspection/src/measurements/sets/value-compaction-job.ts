import type { StepOutcome } from '@sinebar/concurrency';
import { advisoryKey, type Database, type WriteSession } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob, BUSY } from '../../shared/background-job.ts';
import { sharePlan } from '../../shared/plan-lock.ts';

/** Measurements of one transaction; the plan cannot change while it runs. */
const MEASUREMENTS_PER_BATCH = 500;
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Removes the values of deleted characteristics in the background. Measurements of a stale set get a set of the remaining characteristics;
 * a stale set without measurements is deleted. The transactions are short and run one at a time over all replicas. A measurement leaves the
 * stale set in the transaction that rewrites it, so no further progress has to be stored.
 *
 * No measurement is added to a stale set: the transaction that deletes a characteristic marks the set under the plan lock, and writers do
 * not choose stale sets.
 * spec: inspection-service.md, Characteristics DELETE
 */
export class ValueCompactionJob extends BackgroundJob {
  private readonly database: Database;

  constructor(database: Database, log: Logger) {
    super(log, 'values of deleted characteristics could not be removed; trying again');
    this.database = database;
  }

  /** Rewrites the next batch of measurements. */
  step(signal: AbortSignal): Promise<StepOutcome> {
    return this.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      const [lock] = await session.query<{ free: boolean }>(`SELECT pg_try_advisory_xact_lock(${advisoryKey('valueCompaction')}) AS free`);
      if (!lock?.free) return BUSY;
      await sharePlan(session);
      return (await compactNext(session)) ? 'more' : 'nothing';
    });
  }
}

interface StaleSet {
  id: number;
  part_id: number;
  characteristic_ids: number[];
  /** Ids of the characteristics that still exist, ascending. */
  existing: number[];
}

/** Consecutive positions of existing characteristics, counted from 1. */
interface Run {
  first: number;
  length: number;
}

/** Most slices for which slicing is faster than unnesting the array. */
const MAX_SLICES = 8;

async function compactNext(session: WriteSession): Promise<boolean> {
  const [stale] = await session.query<StaleSet>(
    `SELECT id, part_id, characteristic_ids,
       ARRAY(SELECT item.id FROM plan_item item WHERE item.id = ANY(characteristic_ids) ORDER BY item.id) AS existing
     FROM characteristic_set WHERE stale ORDER BY id LIMIT 1`,
  );
  if (!stale) return false;
  const kept = runsOf(stale);
  const rewritten = await session.query(
    `UPDATE measurement SET
       characteristic_set_id = $2,
       "values" = CASE WHEN $2::int IS NOT NULL AND "values" IS NOT NULL THEN ${keptValues(kept)} END,
       digits = CASE WHEN $2::int IS NOT NULL THEN (
         SELECT string_agg(substring(digits FROM run.first FOR run.length), ''::bytea ORDER BY run.first)
         FROM unnest($3::int[], $4::int[]) AS run (first, length)) END,
       extras = nullif(extras - $5::text[], '{}')
     WHERE characteristic_set_id = $1 AND id IN (SELECT id FROM measurement WHERE characteristic_set_id = $1 LIMIT $6) RETURNING 1`,
    [
      stale.id,
      await findTarget(session, stale),
      kept.map(({ first }) => first),
      kept.map(({ length }) => length),
      findDeletedPositions(stale).map(String),
      MEASUREMENTS_PER_BATCH,
    ],
  );
  if (rewritten.length < MEASUREMENTS_PER_BATCH) {
    await session.query(
      'DELETE FROM characteristic_set WHERE id = $1 AND NOT EXISTS (SELECT FROM measurement WHERE characteristic_set_id = $1)',
      [stale.id],
    );
  }
  return true;
}

/**
 * Expression for the remaining values. Slices copy faster than single elements, but each slice reads the whole array. Needs the runs as
 * `$3` and `$4`.
 */
function keptValues(kept: readonly Run[]): string {
  if (kept.length <= MAX_SLICES)
    return kept.map(({ first, length }) => `"values"[${first}:${first + length - 1}]`).join(' || ') || 'NULL::float8[]';
  return `ARRAY(SELECT element.value FROM unnest("values") WITH ORDINALITY AS element (value, position)
    WHERE element.position IN (
      SELECT generate_series(run.first, run.first + run.length - 1) FROM unnest($3::int[], $4::int[]) AS run (first, length))
    ORDER BY element.position)`;
}

function findDeletedPositions({ characteristic_ids: ids, existing }: StaleSet): number[] {
  const left = new Set(existing);
  return ids.filter((id) => !left.has(id));
}

function runsOf({ characteristic_ids: ids, existing }: StaleSet): Run[] {
  const left = new Set(existing);
  const runs: Run[] = [];
  ids.forEach((id, index) => {
    if (!left.has(id)) return;
    const last = runs.at(-1);
    if (last && last.first + last.length === index + 1) last.length += 1;
    else runs.push({ first: index + 1, length: 1 });
  });
  return runs;
}

/** Finds or creates the set of the remaining characteristics; `null` when none remain. The hash is that of `createCharacteristicSet`. */
async function findTarget(session: WriteSession, { part_id: partId, existing }: StaleSet): Promise<number | null> {
  if (existing.length === 0) return null;
  const hash = `sha256(convert_to(array_to_string($2::int[], ','), 'UTF8'))`;
  await session.query(
    `INSERT INTO characteristic_set (part_id, characteristic_ids, hash) VALUES ($1, $2::int[], ${hash})
     ON CONFLICT (part_id, hash) DO NOTHING`,
    [partId, existing],
  );
  const [row] = await session.query<{ id: number }>(`SELECT id FROM characteristic_set WHERE part_id = $1 AND hash = ${hash}`, [
    partId,
    existing,
  ]);
  if (!row) throw new Error(`the characteristic set of part ${partId} is missing`);
  return row.id;
}
