import { Notifier } from '@sinebar/concurrency';
import type { Bus, StreamMessage, StreamPosition } from '@sinebar/message-bus';

type Result<T> = T | undefined | Promise<T | undefined>;

/** Takes the messages of one reading; a result other than `undefined` ends it. */
export interface StreamReader<T> {
  onMessage(message: StreamMessage): Result<T>;
  /** Called for a message that is no change event. */
  onSkipped(position: StreamPosition): Result<T>;
  /** Called when the next message is no longer kept. */
  onGap(): T;
  /** Called when no message has come for {@link StreamReading.idleMs}. */
  onIdle?(): T;
}

export interface StreamReading {
  bus: Pick<Bus, 'subscribe'>;
  from: StreamPosition;
  /** Time without a message after which the reader is asked for its result, milliseconds; default: never. */
  idleMs?: number;
}

/**
 * Reads the stream until the reader has a result.
 * The reader is not called after its result or after the abort, not even in the same turn of the event loop.
 * @throws the error that ends the subscription; the signal's reason on abort
 */
export async function readStream<T>({ bus, from, idleMs }: StreamReading, reader: StreamReader<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const ending = new Ending<T>(signal);
  const idle = idleMs === undefined ? undefined : setTimeout(() => void ending.settle(reader.onIdle?.()), idleMs);
  try {
    const subscription = await bus.subscribe({
      from,
      // Synchronous wherever possible: thousands of messages pass here one by one.
      onMessage: (message) => {
        idle?.refresh();
        return ending.isOver ? undefined : ending.settle(reader.onMessage(message));
      },
      onSkipped: (position) => {
        idle?.refresh();
        return ending.isOver ? undefined : ending.settle(reader.onSkipped(position));
      },
      onGap: () => (ending.isOver ? undefined : ending.settle(reader.onGap())),
      onEnd: (error) => ending.fail(error),
    });
    try {
      return await ending.wait();
    } finally {
      await subscription.stop();
    }
  } finally {
    clearTimeout(idle);
  }
}

/** The first result or error of a reading. */
class Ending<T> {
  private readonly signal: AbortSignal;
  private readonly settled = new Notifier();
  private outcome: { result: T } | { error: Error } | undefined;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  get isOver(): boolean {
    return this.outcome !== undefined || this.signal.aborted;
  }

  settle(result: Result<T>): void | Promise<void> {
    if (result instanceof Promise) return result.then((late) => this.settle(late));
    if (result !== undefined) this.end({ result });
    return undefined;
  }

  fail(error: Error): void {
    this.end({ error });
  }

  async wait(): Promise<T> {
    while (!this.outcome) {
      this.signal.throwIfAborted();
      await this.settled.waitFor(this.settled.version, this.signal);
    }
    if ('error' in this.outcome) throw this.outcome.error;
    return this.outcome.result;
  }

  private end(outcome: { result: T } | { error: Error }): void {
    this.outcome ??= outcome;
    this.settled.notify();
  }
}
