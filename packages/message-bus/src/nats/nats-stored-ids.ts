import { abortable } from '@sinebar/concurrency';
import { nanos } from '@nats-io/transport-node';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { Session } from './nats-link.ts';

/** Messages of one request to the broker. */
const BATCH = 2000;
const EXPIRES_MS = 2_000;
const INACTIVE_MS = 30_000;
/** Largest difference between the clocks of publishers and broker. */
const CLOCK_SKEW_MS = 300_000;
/**
 * Messages after a pause that are searched in the stream.
 * A relay publishes one batch at a time, so that only the first one after a pause may have been stored before; late commits can move its
 * border.
 */
const LOOKED_FOR_AFTER_PAUSE = 2000;

/**
 * Decides which messages are searched in the stream before they are published.
 * An earlier attempt, here or by another process, may have stored them so long ago that the broker no longer knows their ids.
 */
export class DuplicateWatch {
  private readonly longMs: number;
  private storedAt = -Infinity;
  private left = 0;

  /** @param windowMs time for which the broker remembers ids */
  constructor(windowMs: number) {
    this.longMs = windowMs / 2;
  }

  needsLook(envelopes: readonly ChangeEnvelope[]): boolean {
    if (performance.now() - this.storedAt > this.longMs) this.left = LOOKED_FOR_AFTER_PAUSE;
    const before = Date.now() - this.longMs;
    return this.left > 0 && envelopes.some(({ time }) => Date.parse(time) < before);
  }

  noteStored(count: number): void {
    if (count === 0) return;
    this.storedAt = performance.now();
    this.left = Math.max(this.left - count, 0);
  }
}

/** Reads the headers of the stream from the time of the oldest envelope on. @returns the ids of the stored envelopes */
export async function storedAmong(session: Session, stream: string, envelopes: readonly ChangeEnvelope[]): Promise<Set<string>> {
  const wanted = new Set(envelopes.map(({ id }) => id));
  const oldestMs = Math.min(...envelopes.map(({ time }) => Date.parse(time)));
  return await abortable(read(session, stream, wanted, new Date(oldestMs - CLOCK_SKEW_MS)), session.lost);
}

async function read({ js, jsm }: Session, stream: string, wanted: ReadonlySet<string>, since: Date): Promise<Set<string>> {
  const stored = new Set<string>();
  const { name, num_pending } = await jsm.consumers.add(stream, {
    deliver_policy: 'by_start_time',
    opt_start_time: since.toISOString(),
    ack_policy: 'none',
    headers_only: true,
    inactive_threshold: nanos(INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  try {
    const consumer = await js.consumers.get(stream, name);
    let pending = num_pending;
    while (pending > 0) {
      const messages = await consumer.fetch({ max_messages: Math.min(BATCH, pending), expires: EXPIRES_MS });
      let count = 0;
      for await (const { headers, info } of messages) {
        const id = headers?.get('Nats-Msg-Id') ?? '';
        if (wanted.has(id)) stored.add(id);
        pending = info.pending;
        count += 1;
      }
      if (count === 0) throw new Error('the event stream could not be read to its end');
    }
    return stored;
  } finally {
    await jsm.consumers.delete(stream, name).catch(() => undefined);
  }
}
