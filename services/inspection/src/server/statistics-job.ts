import type { StepOutcome } from '@sinebar/concurrency';
import { tryAdvisoryLock, type Database, type Session } from '@sinebar/database';
import type { Logger } from '@sinebar/runtime';
import { BackgroundJob } from '../shared/background-job.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
/** Most measurements that are counted exactly; above it, the values of about as many measurements are a sample. */
const MAX_COUNTED_MEASUREMENTS = 10_000;
/** Number of measured values of a row; values that have other attributes only are rare and not counted. */
const VALUES_OF_MEASUREMENT = `coalesce(cardinality(array_remove("values", NULL)), 0)`;

/** Keeps the counts of the service information up to date in the background, so that no request counts rows. */
export class StatisticsJob extends BackgroundJob {
  private readonly database: Database;

  constructor(database: Database, log: Logger) {
    super(log, 'the statistics could not be computed');
    this.database = database;
  }

  /** Counts once, unless another replica is counting. */
  async step(signal: AbortSignal): Promise<StepOutcome> {
    await this.database.write({ signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (session) => {
      if (!(await tryAdvisoryLock(session, 'statistics'))) return;
      const { measurements, values } = await measuredCounts(session);
      await session.query(
        `INSERT INTO statistics (id, part_count, characteristic_count, measurement_count, value_count)
         SELECT 1, count(*) FILTER (WHERE kind = 'part'), count(*) FILTER (WHERE kind = 'characteristic'), $1, $2 FROM plan_item
         ON CONFLICT (id) DO UPDATE SET part_count = EXCLUDED.part_count, characteristic_count = EXCLUDED.characteristic_count,
           measurement_count = EXCLUDED.measurement_count, value_count = EXCLUDED.value_count`,
        [measurements, values],
      );
    });
    return 'nothing';
  }
}

/**
 * Counts measurements and values; large numbers are estimated, because reading all arrays takes minutes and counters make writers wait.
 * Measurements: rows per page at the last ANALYZE times the current pages. Values: a sample of pages, the same ones while the table is
 * unchanged.
 * spec: inspection-service.md, ServiceInformation (estimated numbers)
 */
async function measuredCounts(session: Session): Promise<{ measurements: number; values: number }> {
  const [few] = await session.query<{ measurements: number; values: number }>(
    `SELECT count(*)::int AS measurements, coalesce(sum(${VALUES_OF_MEASUREMENT}), 0)::float8 AS values
     FROM (SELECT * FROM measurement LIMIT $1) AS measurement`,
    [MAX_COUNTED_MEASUREMENTS + 1],
  );
  if (!few) throw new Error('a count has no row');
  if (few.measurements <= MAX_COUNTED_MEASUREMENTS) return few;
  const measurements = Math.round((await estimateHere(session)) ?? (await estimateOnNode(session)) ?? (await countAll(session)));
  // Citus takes no parameter here.
  const percent = Math.min(100, (100 * MAX_COUNTED_MEASUREMENTS) / Math.max(measurements, 1));
  const [sample] = await session.query<{ mean: number | null }>(
    `SELECT avg(${VALUES_OF_MEASUREMENT})::float8 AS mean FROM measurement TABLESAMPLE system (${percent.toFixed(9)}) REPEATABLE (1)`,
  );
  return { measurements, values: Math.round(measurements * (sample?.mean ?? few.values / few.measurements)) };
}

const ESTIMATE = `(reltuples / nullif(relpages, 0) * (pg_relation_size(oid) / current_setting('block_size')::int))::float8`;

async function estimateHere(session: Session): Promise<number | undefined> {
  const [estimate] = await session.query<{ measurements: number | null }>(
    `SELECT ${ESTIMATE} AS measurements FROM pg_class WHERE oid = 'measurement'::regclass AND reltuples > 0`,
  );
  return estimate?.measurements ?? undefined;
}

/** The coordinator of a Citus cluster knows no statistics of a distributed table; the node that holds it does. */
async function estimateOnNode(session: Session): Promise<number | undefined> {
  const [cluster] = await session.query<{ known: boolean }>(
    `SELECT to_regproc('run_command_on_shards') IS NOT NULL AND to_regclass('pg_dist_partition') IS NOT NULL AS known`,
  );
  if (cluster?.known !== true) return undefined;
  const [estimate] = await session.query<{ measurements: number | null }>(
    `SELECT result::float8 AS measurements FROM run_command_on_shards('measurement'::regclass,
       $$SELECT ${ESTIMATE} FROM pg_class WHERE oid = '%s'::regclass AND reltuples > 0$$) WHERE success AND result <> ''`,
  );
  return estimate?.measurements ?? undefined;
}

/** Counts every row, for a table that was never analysed. */
async function countAll(session: Session): Promise<number> {
  const [row] = await session.query<{ count: number }>('SELECT count(*)::float8 AS count FROM measurement');
  return row?.count ?? 0;
}
