import { DELIVERY_STATES } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import type { Metrics } from '@sinebar/runtime';

const TIMEOUT_MS = 2000;

/** Defines the metrics of messages about alarms, of all processes. */
export function tellingMetrics(metrics: Metrics, database: Database): void {
  const read = <R extends object>(statement: string, values: readonly unknown[] = []) =>
    database.read({ signal: AbortSignal.timeout(TIMEOUT_MS), statementTimeoutMs: TIMEOUT_MS }, (session) =>
      session.query<R & Record<string, unknown>>(statement, values),
    );
  metrics.gauge({ name: 'sinebar_alarm_messages', help: 'Messages about alarms of the last 30 days', labels: ['state'] }, async (set) => {
    const rows = await read<{ state: string; count: number }>('SELECT state, count(*)::float8 AS count FROM alarm_delivery GROUP BY state');
    for (const state of DELIVERY_STATES) set(rows.find((row) => row.state === state)?.count ?? 0, { state });
  });
  metrics.gauge(
    { name: 'sinebar_alarm_messages_oldest_seconds', help: 'Age of the oldest message about alarms that has not arrived, seconds' },
    async (set) => {
      const [row] = await read<{ age: number }>(
        `SELECT coalesce(greatest(extract(epoch FROM statement_timestamp() - min(created_at)), 0), 0)::float8 AS age
         FROM alarm_delivery WHERE state IN ('waiting', 'sending')`,
      );
      set(row?.age ?? 0);
    },
  );
}
