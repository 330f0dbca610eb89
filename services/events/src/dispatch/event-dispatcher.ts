import { backoffMs, BackgroundLoop, Notifier } from '@sinebar/concurrency';
import type { Bus, StreamMessage, StreamPosition, StreamState, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';

/** Gets every message of the stream once, in order. */
export interface StreamReceiver {
  /** Takes one message for the live clients. It must be synchronous, because the position advances after it. */
  deliver(message: StreamMessage): void;
  /**
   * Sends what the last calls of `deliver` took; the position advances after this call.
   * @returns a promise if the writes need several turns of the event loop
   */
  flush?(): Promise<unknown> | undefined;
  /** Called when messages were lost for all live clients; events continue after the position. */
  announceGap?(position: StreamPosition): void;
}

export interface EventDispatcherOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  log: Logger;
  /** Delay before the first retry, milliseconds; it doubles up to 10 s. */
  retryDelayMs?: number;
  /** Clock that measures the deliveries; default `performance.now`. */
  nowMs?: () => number;
}

export type DispatcherState = 'stopped' | 'starting' | 'running' | 'retrying';

/** A position that follows; without an envelope its message is no change event. */
type Pending = Pick<StreamMessage, 'position'> & Partial<Pick<StreamMessage, 'envelope'>>;

const MAX_RETRY_DELAY_MS = 10_000;
/** Duration of a delivery from which on the event loop gets at least one turn before the next. Shorter ones leave enough time. */
const LONG_DELIVERY_MS = 3;
const MAX_REST_MS = 60;
/** Messages that may wait for the next delivery; further ones wait in the broker. */
const MAX_PENDING = 500;

/**
 * Returns for how long messages wait after a delivery, so that they are delivered together; `undefined`: not even for a turn.
 * A delivery to a thousand clients writes to a thousand sockets, whatever number of messages it has. As long as messages come one by one,
 * the sockets keep up and none waits. The more messages a delivery had, the longer is the rest, up to twice the time of the delivery:
 * without it the writes would take all processor time from the requests, the database and the clients.
 */
export function restAfterDelivery(count: number, tookMs: number): number | undefined {
  return tookMs < LONG_DELIVERY_MS ? undefined : Math.min(2 * tookMs * (1 - 1 / count), MAX_REST_MS);
}

/**
 * The one subscription of a process that feeds all live clients.
 * It starts at the end of the stream when the broker is first reached. After any failure it resumes after the last dispatched message, so a
 * live client misses nothing.
 */
export class EventDispatcher {
  private readonly options: EventDispatcherOptions & { nowMs: () => number };
  private readonly receivers: StreamReceiver[] = [];
  private reached: StreamPosition | undefined;
  private currentState: DispatcherState = 'stopped';
  private loop: BackgroundLoop | undefined;
  /** Settled by the first attempt to read the position since {@link start}. */
  private attempt = Promise.withResolvers<void>();
  /** Failures since the stream was last followed. */
  private failures = 0;
  private readonly waiting = new Set<{ sequence: number; wake: () => void }>();
  private delivered = 0;
  private pending: Pending[] = [];
  /** The delivery whose writes go on; the next one waits for their end. */
  private delivery: symbol | undefined;
  /** Set while deliveries rest. */
  private rest: NodeJS.Timeout | undefined;
  private readonly deliveries = new Notifier();

  constructor(options: EventDispatcherOptions) {
    this.options = { nowMs: () => performance.now(), ...options };
  }

  /** Last message that was sent to all live clients; `undefined` until the broker is first reached. */
  get position(): StreamPosition | undefined {
    return this.reached;
  }

  get state(): DispatcherState {
    return this.currentState;
  }

  get deliveredCount(): number {
    return this.delivered;
  }

  /** Adds a receiver behind those added before; call it before {@link start}. */
  add(receiver: StreamReceiver): void {
    this.receivers.push(receiver);
  }

  /** Resolves when the position is known, or after a first attempt that failed: the broker may be unreachable for long. */
  start(): Promise<void> {
    if (this.currentState !== 'stopped') return this.attempt.promise;
    this.currentState = 'starting';
    this.attempt = Promise.withResolvers();
    this.failures = 0;
    this.loop = new BackgroundLoop({
      step: async (signal) => {
        await this.follow(signal);
        return 'more';
      },
      intervalMs: 0,
      retryMs: () => this.retryMs,
      onFailure: (error) => this.failed(error),
    });
    this.loop.start();
    return this.attempt.promise;
  }

  async stop(): Promise<void> {
    await this.loop?.stop();
    this.attempt.resolve();
    this.currentState = 'stopped';
  }

  /**
   * Calls `wake` once, as soon as the message `sequence` (or a later one) is dispatched.
   * Also called when the stream was replaced or cut: the caller then checks {@link position}. @returns a function that cancels the wait
   */
  onceReached(sequence: number, wake: () => void): () => void {
    const waiter = { sequence, wake };
    this.waiting.add(waiter);
    return () => this.waiting.delete(waiter);
  }

  private get retryMs(): number {
    return backoffMs(this.failures, this.options.retryDelayMs ?? 250, MAX_RETRY_DELAY_MS);
  }

  private failed(error: unknown): void {
    this.failures += 1;
    this.currentState = this.reached ? 'retrying' : 'starting';
    this.options.log.warn(
      { reason: error instanceof Error ? error.message : String(error), pauseMs: this.retryMs },
      'the event stream cannot be followed, trying again',
    );
    this.attempt.resolve();
  }

  /** Follows the stream until stopped. @throws when the subscription cannot be made or ends by itself. */
  private async follow(signal: AbortSignal): Promise<void> {
    const { bus } = this.options;
    // `from: 'new'` is not enough: clients that catch up need the position before the first message.
    if (!this.reached) {
      const { epoch, lastSequence } = await bus.streamState();
      this.reached = { epoch, sequence: lastSequence };
    }
    this.attempt.resolve();
    // Stopped meanwhile: a listener for a past abort would never run.
    if (signal.aborted) return;
    let subscription: Subscription | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        bus
          .subscribe({
            from: this.reached as StreamPosition,
            onMessage: (message) => this.receive(message, signal),
            onSkipped: (position) => this.receive({ position }, signal),
            onGap: (state) => this.gap(state),
            onEnd: reject,
          })
          .then((made) => {
            subscription = made;
            this.currentState = 'running';
            this.failures = 0;
            // Stopped while subscribing: the promise above is settled, so the clean-up below has already run.
            if (signal.aborted) return made.stop();
            return undefined;
          })
          .catch(reject);
      });
    } finally {
      await subscription?.stop();
      // Only now, because a message that came after what is discarded would move the position past it.
      this.discardPending();
    }
  }

  /** Delivers the message at once, or later together with those that come meanwhile. @returns when the next one may come */
  private receive(next: Pending, signal: AbortSignal): void | Promise<void> {
    this.pending.push(next);
    if (this.rest === undefined && this.delivery === undefined) this.deliverPending();
    else if (this.pending.length >= MAX_PENDING) return this.deliveries.waitFor(this.deliveries.version, signal);
  }

  /** Delivers everything that waits. */
  private deliverPending(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    const count = this.pending.length;
    const last = this.pending.at(-1);
    if (!last) return;
    const begunMs = this.options.nowMs();
    for (const { position, envelope } of this.pending) if (envelope) this.dispatch({ position, envelope });
    this.pending = [];
    const writes = this.flush();
    this.moveTo(last.position, (waiter) => waiter.sequence <= last.position.sequence);
    this.deliveries.notify();
    const ended = () => this.restAfter(count, this.options.nowMs() - begunMs);
    if (writes.length === 0) {
      ended();
      return;
    }
    const delivery = (this.delivery = Symbol('delivery'));
    void Promise.all(writes).then(() => {
      if (this.delivery !== delivery) return;
      this.delivery = undefined;
      ended();
    });
  }

  private restAfter(count: number, tookMs: number): void {
    const restMs = restAfterDelivery(count, tookMs);
    if (restMs === undefined) this.deliverPending();
    else this.rest = setTimeout(() => this.deliverPending(), restMs);
  }

  /** Discards what waits when the subscription has ended: the next one begins after the last delivered message. */
  private discardPending(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.pending = [];
    this.deliveries.notify();
  }

  private dispatch(message: StreamMessage): void {
    try {
      for (const receiver of this.receivers) receiver.deliver(message);
      this.delivered += message.envelope.data.events.length;
    } catch (error) {
      // A message that cannot be sent must not block all others.
      this.options.log.error(
        { err: error, sequence: message.position.sequence, type: message.envelope.type },
        'a message could not be delivered',
      );
    }
  }

  /** @returns the writes that need several turns of the event loop; they do not fail */
  private flush(): Promise<unknown>[] {
    const failed = (error: unknown) => this.options.log.error({ err: error }, 'messages could not be delivered');
    return this.receivers.flatMap((receiver) => {
      try {
        return receiver.flush?.()?.catch(failed) ?? [];
      } catch (error) {
        failed(error);
        return [];
      }
    });
  }

  private gap(state: StreamState): void {
    this.deliverPending();
    this.options.log.warn({ state, reached: this.reached }, 'the stream no longer holds the events after the last one; clients get a gap');
    const position = { epoch: state.epoch, sequence: state.firstSequence - 1 };
    for (const receiver of this.receivers) receiver.announceGap?.(position);
    this.moveTo(position, () => true);
  }

  private moveTo(position: StreamPosition, concerns: (waiter: { sequence: number }) => boolean): void {
    this.reached = position;
    for (const waiter of [...this.waiting].filter(concerns)) {
      this.waiting.delete(waiter);
      waiter.wake();
    }
  }
}
