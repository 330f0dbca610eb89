import { ALARM_KINDS } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import type { Metrics } from '@sinebar/runtime';
import { IS_OPEN, type RaisedCounts } from '../alarms/raised-alarms.ts';

const TIMEOUT_MS = 2000;

/** Defines the metrics of alarms: those that this process has raised, those that are open, and what is still to be judged. */
export function alarmMetrics(metrics: Metrics, database: Database, raised: RaisedCounts): void {
  const labels = ['service', 'kind'];
  const service = 'inspection';
  metrics.count({ name: 'sinebar_alarms_raised_total', help: 'Alarms that were raised, by kind', labels }, (set) => {
    for (const kind of ALARM_KINDS) set(raised.get(kind) ?? 0, { service, kind });
  });
  metrics.gauge({ name: 'sinebar_alarms_open', help: 'Alarms that are neither closed nor withdrawn, by kind', labels }, async (set) => {
    const rows = await read<{ kind: string; count: number }>(
      database,
      `SELECT kind, count(*)::float8 AS count FROM alarm WHERE ${IS_OPEN} GROUP BY kind`,
    );
    for (const kind of ALARM_KINDS) set(rows.find((row) => row.kind === kind)?.count ?? 0, { service, kind });
  });
  metrics.gauge(
    { name: 'sinebar_alarm_changes', help: 'Transactions whose values are still to be judged', labels: ['service'] },
    async (set) => {
      const [row] = await read<{ count: number }>(database, 'SELECT count(*)::float8 AS count FROM alarm_change');
      set(row!.count, { service });
    },
  );
  metrics.gauge(
    { name: 'sinebar_alarm_changes_age_seconds', help: 'Age of the oldest values that are still to be judged', labels: ['service'] },
    async (set) => {
      const [row] = await read<{ age: number }>(
        database,
        'SELECT coalesce(extract(epoch FROM statement_timestamp() - min(changed_at)), 0)::float8 AS age FROM alarm_change',
      );
      set(Math.max(0, row!.age), { service });
    },
  );
}

function read<R extends object>(database: Database, statement: string): Promise<R[]> {
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS };
  return database.read(options, (session) => session.query<R>(statement));
}
