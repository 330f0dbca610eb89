import type { StoredReceiver } from '../subscription-store.ts';

/** Messages that come at once, and the time between the following ones. */
interface MessageRate {
  burst: number;
  intervalMs: number;
}

/** People want few messages, and chats refuse many; programs are only kept from being flooded. */
const RATES = {
  email: { burst: 5, intervalMs: 60_000 },
  chat: { burst: 5, intervalMs: 10_000 },
  program: { burst: 20, intervalMs: 500 },
} as const satisfies Record<string, MessageRate>;
/** Time between new messages to a receiver to which the last one did not get through. */
const FAILING: MessageRate = { burst: 1, intervalMs: 300_000 };

/**
 * Finds whether a message may be sent now, by the generic cell rate algorithm.
 * @param rateAt result for the message before; `undefined` for the first
 * @returns what is kept for the next message; `undefined` while the receiver has to wait, and what comes meanwhile is collected
 */
export function takeTurn(receiver: StoredReceiver, isFailing: boolean, rateAt: Date | undefined, now: Date): Date | undefined {
  const { burst, intervalMs } = isFailing ? FAILING : RATES[classOf(receiver)];
  const nowMs = now.getTime();
  const keptMs = rateAt?.getTime() ?? 0;
  // The kept time lies farther ahead only when the clock was set back, or the receiver was not reached before.
  const plannedMs = keptMs > nowMs + burst * intervalMs ? nowMs : keptMs;
  if (plannedMs - nowMs > (burst - 1) * intervalMs) return undefined;
  return new Date(Math.max(plannedMs, nowMs) + intervalMs);
}

function classOf(receiver: StoredReceiver): keyof typeof RATES {
  if (receiver.kind === 'email') return 'email';
  return receiver.shape === 'standard' ? 'program' : 'chat';
}
