import type { HealthCheck, ServiceParts } from './service.js';

/** What waits in an outbox to be published. */
export interface OutboxStatus {
  /** Whether this process publishes it; the others stand by. */
  active: boolean;
  /** Rows that wait; of many an upper bound. */
  backlog: number;
  oldestAgeMs: number;
  lastError: string | undefined;
}

/**
 * The service with its outbox among its health checks. A backlog does not make the service unready: it answers and loses nothing, and taking it out of
 * service would only stop the relay.
 */
export function withOutboxHealth(service: ServiceParts, outbox: { status(): OutboxStatus }): ServiceParts {
  const health = async () => [...(await service.health()), outboxHealth(service.name, outbox.status())];
  return { ...service, health };
}

export function outboxHealth(service: string, { active, backlog, oldestAgeMs, lastError }: OutboxStatus): HealthCheck {
  const by = active ? 'published from here' : 'published by another process';
  const waiting = backlog === 0 ? 'nothing waits' : `${backlog} waiting, the oldest for ${Math.round(oldestAgeMs / 1000)} s`;
  const detail = [by, waiting, ...(lastError === undefined ? [] : [lastError])].join('; ');
  return { name: `${service} outbox`, healthy: true, detail };
}
