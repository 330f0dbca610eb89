import type { Metrics } from './metrics.ts';

export interface OutboxStatus {
  /** True if this process runs the relay; the others stand by. */
  active: boolean;
  /** Unpublished rows; an upper bound for large numbers. */
  backlog: number;
  oldestAgeMs: number;
  lastError: string | undefined;
  /** Age of the oldest row of the last batch when it was published, milliseconds. */
  lagMs: number;
  published: number;
  failureCount: number;
}

interface PoolUsage {
  used: number;
  free: number;
  waiting: number;
}

const BY_SERVICE = ['service'] as const;

export function outboxMetrics(metrics: Metrics, service: string, status: () => OutboxStatus): void {
  const labels = BY_SERVICE;
  metrics.gauge({ name: 'sinebar_outbox_backlog', help: 'Messages that wait to be published; of many an upper bound', labels }, (set) =>
    set(status().backlog, { service }),
  );
  metrics.gauge(
    { name: 'sinebar_outbox_oldest_age_seconds', help: 'Age of the oldest message that waits, 0 when none does, seconds', labels },
    (set) => set(status().oldestAgeMs / 1000, { service }),
  );
  metrics.gauge({ name: 'sinebar_relay_active', help: '1 where this process publishes the outbox, 0 where it stands by', labels }, (set) =>
    set(status().active ? 1 : 0, { service }),
  );
  metrics.gauge(
    { name: 'sinebar_relay_lag_seconds', help: 'Age of the oldest message of the last batch when it was published, seconds', labels },
    (set) => set(status().lagMs / 1000, { service }),
  );
  metrics.count({ name: 'sinebar_relay_published_total', help: 'Messages published by this process', labels }, (set) =>
    set(status().published, { service }),
  );
  metrics.count({ name: 'sinebar_relay_failures_total', help: 'Failed attempts to read the outbox or to publish', labels }, (set) =>
    set(status().failureCount, { service }),
  );
}

export function databaseMetrics(metrics: Metrics, service: string, database: { poolUsage(): Readonly<Record<string, PoolUsage>> }): void {
  metrics.gauge(
    {
      name: 'sinebar_database_connections',
      help: 'Connections of a pool by state: used or free',
      labels: ['service', 'pool', 'state'],
    },
    (set) => {
      for (const [pool, { used, free }] of Object.entries(database.poolUsage())) {
        set(used, { service, pool, state: 'used' });
        set(free, { service, pool, state: 'free' });
      }
    },
  );
  metrics.gauge(
    { name: 'sinebar_database_waiting', help: 'Requests that wait for a connection of a pool', labels: ['service', 'pool'] },
    (set) => {
      for (const [pool, { waiting }] of Object.entries(database.poolUsage())) set(waiting, { service, pool });
    },
  );
}

export function streamMetrics(
  metrics: Metrics,
  service: string,
  bus: {
    streamState(): Promise<{ firstSequence: number; lastSequence: number }>;
    streamUsage(): Promise<{ bytes: number; maxBytes: number } | undefined>;
    status(): { connected: boolean };
  },
): void {
  const labels = BY_SERVICE;
  metrics.gauge({ name: 'sinebar_bus_connected', help: '1 while the message broker is connected', labels }, (set) =>
    set(bus.status().connected ? 1 : 0, { service }),
  );
  metrics.gauge(
    { name: 'sinebar_stream_first_sequence', help: 'Sequence of the oldest message that the event stream keeps', labels },
    async (set) => set((await bus.streamState()).firstSequence, { service }),
  );
  metrics.gauge({ name: 'sinebar_stream_last_sequence', help: 'Sequence of the newest message of the event stream', labels }, async (set) =>
    set((await bus.streamState()).lastSequence, { service }),
  );
  metrics.gauge({ name: 'sinebar_stream_bytes', help: 'Bytes that the event stream takes', labels }, async (set) => {
    const usage = await bus.streamUsage();
    if (usage) set(usage.bytes, { service });
  });
  metrics.gauge(
    { name: 'sinebar_stream_limit_bytes', help: 'Bytes that the event stream may take before it removes its oldest messages', labels },
    async (set) => {
      const usage = await bus.streamUsage();
      if (usage) set(usage.maxBytes, { service });
    },
  );
}
