import { outboxMetrics, type OutboxStatus } from './metrics/backing-metrics.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { HealthCheck, ComposedService } from './service.ts';

/**
 * Adds the outbox to the health checks and metrics of a service.
 * A backlog does not make the service unready: no event is lost, and removing the service from the load balancer would not help.
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
