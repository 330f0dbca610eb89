import { outboxMetrics } from './metrics/backing-metrics.js';
import type { Metrics } from './metrics/metrics.js';
import type { HealthCheck, ComposedService } from './service.js';

/** What waits in an outbox to be published. */
export interface OutboxStatus {
  /** Whether this process publishes it; the others stand by. */
  active: boolean;
  /** Rows that wait; of many an upper bound. */
  backlog: number;
  oldestAgeMs: number;
  lastError: string | undefined;
  /** Of the last batch: age of its oldest row when it was published. */
  lagMs: number;
  /** Messages published by this process. */
  published: number;
  /** Failed attempts of this process. */
  failureCount: number;
}

/**
 * The service with its outbox among its health checks and metrics. A backlog does not make the service unready: it answers and loses nothing, and taking it out of
 * service would only stop the relay.
 */
export function withOutbox(service: ComposedService, outbox: { status(): OutboxStatus }): ComposedService {
  const health = async () => [...(await service.health()), outboxHealth(service.name, outbox.status())];
  const observe = (metrics: Metrics) => {
    service.observe?.(metrics);
    outboxMetrics(metrics, service.name, () => outbox.status());
  };
  return { ...service, health, observe };
}

export function outboxHealth(service: string, { active, backlog, oldestAgeMs, lastError }: OutboxStatus): HealthCheck {
  const by = active ? 'published from here' : 'published by another process';
  const waiting = backlog === 0 ? 'nothing waits' : `${backlog} waiting, the oldest for ${Math.round(oldestAgeMs / 1000)} s`;
  const detail = [by, waiting, ...(lastError === undefined ? [] : [lastError])].join('; ');
  return { name: `${service} outbox`, healthy: true, detail };
}
