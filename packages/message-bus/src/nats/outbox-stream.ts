import type { ChangeEnvelope } from '@sinebar/contracts';
import { PublishError, type Bus, type Subscription } from '../bus.js';

/** Adapts the bus to the outbox of `service`; the wake-up signal reaches all replicas of that service. */
export function outboxStream(bus: Bus, service: string) {
  const subject = `sinebar.signal.${service}.outbox`;
  return {
    publish: (envelopes: readonly ChangeEnvelope[]): Promise<void> => bus.publish(envelopes),
    storedCountOf: (error: unknown): number => (error instanceof PublishError ? error.storedCount : 0),
    wake: (): void => bus.signal(subject),
    onWake: (listen: () => void): Promise<Subscription> => bus.onSignal(subject, listen),
  };
}
