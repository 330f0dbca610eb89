import type { StartPoint, StreamPosition, StreamState, Subscription } from './bus.ts';

/** The open subscriptions of a bus, which closing stops. */
export class SubscriptionSet {
  private readonly open = new Set<Subscription>();

  /** Returns a subscription that is removed from the set when it has stopped. */
  add(subscription: Subscription): Subscription {
    const listed: Subscription = {
      stop: async () => {
        try {
          await subscription.stop();
        } finally {
          this.open.delete(listed);
        }
      },
    };
    this.open.add(listed);
    return listed;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.open].map(async (subscription) => await subscription.stop()));
  }
}

/**
 * Returns the position of a start point. It always reads the state, so that a subscription fails at once when the broker cannot be reached.
 * @throws TypeError when the position is malformed
 */
export async function findStart(from: StartPoint, state: () => Promise<StreamState>): Promise<StreamPosition> {
  if (from !== 'new') checkPosition(from);
  const { epoch, lastSequence } = await state();
  return from === 'new' ? { epoch, sequence: lastSequence } : from;
}

/** @throws TypeError unless the sequence is a whole number, 0 or above. */
export function checkPosition({ sequence }: StreamPosition): void {
  if (!Number.isSafeInteger(sequence) || sequence < 0) throw new TypeError(`not a stream sequence: ${sequence}`);
}
