import type { Database } from '@sinebar/database';
import type { Metrics } from '@sinebar/runtime';
import type { BackgroundJob } from '../shared/background-job.ts';

const TIMEOUT_MS = 2000;

interface Waiting {
  operations: number;
  measurements: number;
  attributes: number;
  sets: number;
  parts: number;
  /** Parts whose characteristics are to be assessed. */
  assessed: number;
}

/** Defines the metrics of the jobs: steps of this process, and the backlog of all processes. */
export function jobMetrics(metrics: Metrics, database: Database, jobs: Readonly<Record<string, BackgroundJob>>): void {
  const each = (read: (job: BackgroundJob) => number) => (set: (value: number, labels: Record<string, string>) => void) => {
    for (const [task, counted] of Object.entries(jobs)) set(read(counted), { service: 'inspection', task });
  };
  const labels = ['service', 'task'];
  metrics.count(
    { name: 'sinebar_background_steps_total', help: 'Transactions of background jobs that found something to do', labels },
    each(({ stepCount }) => stepCount),
  );
  metrics.count(
    { name: 'sinebar_background_failures_total', help: 'Failures of background jobs', labels },
    each(({ failureCount }) => failureCount),
  );
  metrics.gauge(
    {
      name: 'sinebar_background_backlog',
      help: 'What background jobs have still to do: operations, measurements, attributes, sets, parts',
      labels,
    },
    async (set) => {
      const { operations, measurements, attributes, sets, parts, assessed } = await waiting(database);
      set(operations, { service: 'inspection', task: 'pending operations' });
      set(measurements, { service: 'inspection', task: 'measurements to delete' });
      set(attributes, { service: 'inspection', task: 'attribute purge' });
      set(sets, { service: 'inspection', task: 'value compaction' });
      set(parts, { service: 'inspection', task: 'kept figures' });
      set(assessed, { service: 'inspection', task: 'kept assessments' });
    },
  );
}

async function waiting(database: Database): Promise<Waiting> {
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
  const [row] = await database.read(options, (session) =>
    session.query<Waiting>(
      `SELECT count(*)::float8 AS operations, coalesce(sum(greatest(total - done, 0)), 0)::float8 AS measurements,
         (SELECT count(*)::float8 FROM attribute_purge) AS attributes,
         (SELECT count(*)::float8 FROM characteristic_set WHERE stale) AS sets,
         (SELECT count(DISTINCT part_id)::float8 FROM figure_change) AS parts,
         (SELECT count(DISTINCT part_id)::float8 FROM assessment_change) AS assessed
       FROM pending_operation WHERE finished_at IS NULL`,
    ),
  );
  if (!row) throw new Error('a count has no row');
  return row;
}
