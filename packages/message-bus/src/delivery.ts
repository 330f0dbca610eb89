import { backoffMs, pause } from '@sinebar/concurrency';
import type { ChangeEnvelope } from '@sinebar/contracts';
import type { ConsumeOptions, StreamMessage, StreamPosition, StreamState, SubscribeOptions, Subscription } from './bus.ts';
import { asError, errorText, type BusLog } from './bus-log.ts';

/** `envelope` is missing when the message is no change event. */
type DeliveredMessage = Pick<StreamMessage, 'position'> & { envelope: ChangeEnvelope | undefined };

type Waitable<T> = T | Promise<T>;

/** Reads the messages after a position of one epoch. */
export interface MessageReader {
  /**
   * Returns the next message, synchronously if it has arrived: a promise for each message would cost more than its delivery.
   * @returns `undefined` once the signal given to `openReader` has aborted
   * @throws ReaderEnded when the state of the stream must be read again, anything else when the source failed
   */
  next(): Waitable<DeliveredMessage | undefined>;
  close(): void;
}

/** Source of messages for the delivery loop: a broker or a log. */
export interface StreamSource {
  /** Resolves when the source can be read, or when the signal aborts. */
  whenReady(signal: AbortSignal): Promise<void>;
  state(): Promise<StreamState>;
  openReader(position: StreamPosition, name: string, signal: AbortSignal): Promise<MessageReader>;
}

/** A reader cannot continue although nothing failed: its consumer was removed, the connection changed, messages were trimmed. */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded';
}

/** A failure of the receiver, as distinct from failures of the source. */
class ReceiverFailed extends Error {}

interface Receiver {
  name: string;
  position: StreamPosition | null;
  deliver(message: DeliveredMessage, signal: AbortSignal): Waitable<void>;
  /** Returns the position to continue from, or `null` to read the state of the stream again and repeat. */
  gap(state: StreamState, signal: AbortSignal): Promise<StreamPosition | null>;
  end(error: Error): void;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;
const FIRST_SOURCE_RETRY_MS = 50;
const MAX_SOURCE_RETRY_MS = 1_000;
/** Lifetime after which the end of a reader counts as a first failure, not as the next one. */
const CALM_MS = 10_000;

/** Delivers messages for `Bus.subscribe`, from a resolved position. */
export function subscribeFrom(source: StreamSource, start: StreamPosition, options: SubscribeOptions, log: BusLog): Subscription {
  return run(source, log, {
    name: 'subscription',
    position: start,
    deliver: (message) => (isChange(message) ? options.onMessage(message) : options.onSkipped?.(message.position)),
    gap: async (state) => {
      await options.onGap(state);
      return { epoch: state.epoch, sequence: state.firstSequence - 1 };
    },
    end: (error) => {
      if (options.onEnd === undefined) log.error({ error: errorText(error) }, 'a subscription ended with an error');
      options.onEnd?.(error);
    },
  });
}

/** Delivery for `Bus.consume`; only `stop` ends it. */
export function consumeFrom(source: StreamSource, options: ConsumeOptions, log: BusLog): Subscription {
  let gapFailures = 0;
  return run(source, log, {
    name: options.name,
    position: options.position,
    deliver: async ({ position, envelope }, signal) => {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          if (envelope === undefined) await options.onSkipped?.(position);
          else await options.handle({ position, envelope });
          return;
        } catch (error) {
          const delayMs = backoffMs(failures, FIRST_RETRY_MS, MAX_RETRY_MS);
          log.warn(
            {
              sequence: position.sequence,
              failures,
              delayMs,
              error: errorText(error),
            },
            `consumer ${options.name} failed on a message and retries`,
          );
          await pause(delayMs, signal);
        }
      }
    },
    gap: async (state, signal) => {
      try {
        await options.onGap(state);
        gapFailures = 0;
        return { epoch: state.epoch, sequence: state.lastSequence };
      } catch (error) {
        gapFailures += 1;
        const delayMs = backoffMs(gapFailures, FIRST_RETRY_MS, MAX_RETRY_MS);
        log.warn(
          {
            failures: gapFailures,
            delayMs,
            error: errorText(error),
          },
          `consumer ${options.name} failed to handle a gap and retries`,
        );
        await pause(delayMs, signal);
        return null;
      }
    },
    end: (error) => log.error({ error: errorText(error) }, `consumer ${options.name} ended`),
  });
}

/**
 * True if messages after `position` are missing from the stream: it is another stream, its start was removed, or its end was lost (a broker
 * that was restored from an older disk gives the same sequences to other messages).
 */
export function isExpired(position: StreamPosition, state: StreamState): boolean {
  return position.epoch !== state.epoch || state.firstSequence > position.sequence + 1 || position.sequence > state.lastSequence;
}

function run(source: StreamSource, log: BusLog, receiver: Receiver): Subscription {
  const stopping = new AbortController();
  const done = deliverAll(source, log, receiver, stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    try {
      receiver.end(asError(error));
    } catch (failure) {
      log.error({ error: errorText(failure) }, 'an onEnd handler failed');
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** After any failure of the source, the loop reads the state of the stream again, so that gaps are found in one place. */
async function deliverAll(source: StreamSource, log: BusLog, receiver: Receiver, signal: AbortSignal): Promise<void> {
  let position = receiver.position;
  let failures = 0;
  while (!signal.aborted) {
    let openedAt = Number.POSITIVE_INFINITY;
    try {
      await source.whenReady(signal);
      if (signal.aborted) return;
      const state = await source.state();
      // `stop` may have been called meanwhile; no handler may start after it.
      if (isStopped(signal)) return;
      if (position === null || isExpired(position, state)) {
        position = await receiver.gap(state, signal).catch(receiverFailed);
        continue;
      }
      const reader = await source.openReader(position, receiver.name, signal);
      openedAt = Date.now();
      try {
        for (;;) {
          const next = reader.next();
          const message = next instanceof Promise ? await next : next;
          if (message === undefined || isStopped(signal)) return;
          failures = 0;
          if (message.position.epoch !== position.epoch) break;
          if (message.position.sequence <= position.sequence) continue;
          // A single deleted message is no gap; a removed start of the stream is one.
          if (message.position.sequence > position.sequence + 1 && isExpired(position, await source.state())) break;
          if (message.envelope === undefined)
            log.error({ ...message.position }, 'a message in the event stream is not a change event and is skipped');
          const delivered = deliverTo(receiver, message, signal);
          if (delivered instanceof Promise) await delivered;
          if (isStopped(signal)) return;
          position = message.position;
        }
      } finally {
        reader.close();
      }
    } catch (error) {
      if (error instanceof ReceiverFailed) throw error.cause;
      if (isStopped(signal)) return;
      failures = Date.now() - openedAt > CALM_MS ? 1 : failures + 1;
      const fields = { failures, reason: errorText(error) };
      log[failures === 1 ? 'info' : 'warn'](fields, `delivery to ${receiver.name} was interrupted and starts again`);
      await pause(backoffMs(failures, FIRST_SOURCE_RETRY_MS, MAX_SOURCE_RETRY_MS), signal);
    }
  }
}

/** A function, because the compiler assumes that `aborted` stays false once it was read. */
function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function deliverTo(receiver: Receiver, message: DeliveredMessage, signal: AbortSignal): Waitable<void> {
  try {
    const delivered = receiver.deliver(message, signal);
    return delivered instanceof Promise ? delivered.catch(receiverFailed) : delivered;
  } catch (error) {
    return receiverFailed(error);
  }
}

function receiverFailed(error: unknown): never {
  throw new ReceiverFailed('', { cause: error });
}

function isChange(message: DeliveredMessage): message is StreamMessage {
  return message.envelope !== undefined;
}
