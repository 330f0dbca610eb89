import { backoffMs, BackgroundLoop, Notifier } from '@sinebar/concurrency';
import type { Bus, StreamMessage, StreamPosition, StreamState, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';

/** Gets every message of the stream once, in order. */
export interface StreamReceiver {
  /** Takes one message for the live clients. It must be synchronous, because the position advances after it. */
  deliver(message: StreamMessage): void;
  /** Sends what the last calls of `deliver` took. The same holds for it. */
  flush?(): void;
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
/** Duration of a delivery from which on a rest follows. Shorter ones leave enough time for everything else. */
const LONG_DELIVERY_MS = 3;
const MAX_REST_MS = 60;
/** Messages that may wait for the next delivery; further ones wait in the broker. */
const MAX_PENDING = 500;

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
  /** Failures since the stream was last followed. */
  private failures = 0;
  private readonly waiting = new Set<{ sequence: number; wake: () => void }>();
  private delivered = 0;
  private pending: Pending[] = [];
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

  /** Returns at once, even when the broker is unreachable. */
  start(): void {
    if (this.currentState !== 'stopped') return;
    this.currentState = 'starting';
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
  }

  async stop(): Promise<void> {
    await this.loop?.stop();
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
  }

  /** Follows the stream until stopped. @throws when the subscription cannot be made or ends by itself. */
  private async follow(signal: AbortSignal): Promise<void> {
    const { bus } = this.options;
    // `from: 'new'` is not enough: clients that catch up need the position before the first message.
    if (!this.reached) {
      const { epoch, lastSequence } = await bus.streamState();
      this.reached = { epoch, sequence: lastSequence };
    }
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

  /** Delivers the message at once, or after a rest together with those that come meanwhile. @returns when the next one may come */
  private receive(next: Pending, signal: AbortSignal): void | Promise<void> {
    this.pending.push(next);
    if (this.rest === undefined) this.deliverPending();
    else if (this.pending.length >= MAX_PENDING) return this.deliveries.waitFor(this.deliveries.version, signal);
  }

  /**
   * Delivers everything that waits, then rests for as long as that took.
   * The rest is twice as long when several messages came in the last one. A delivery to a thousand clients writes to a thousand sockets,
   * whatever number of messages it has. Without a rest the process would do nothing else, and every request would wait for it.
   */
  private deliverPending(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    const count = this.pending.length;
    const last = this.pending.at(-1);
    if (!last) return;
    const begunMs = this.options.nowMs();
    for (const { position, envelope } of this.pending) if (envelope) this.dispatch({ position, envelope });
    this.pending = [];
    this.flush();
    this.moveTo(last.position, (waiter) => waiter.sequence <= last.position.sequence);
    this.deliveries.notify();
    const tookMs = this.options.nowMs() - begunMs;
    if (tookMs < LONG_DELIVERY_MS) return;
    this.rest = setTimeout(() => this.deliverPending(), Math.min(count > 1 ? 2 * tookMs : tookMs, MAX_REST_MS));
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

  private flush(): void {
    for (const receiver of this.receivers) {
      try {
        receiver.flush?.();
      } catch (error) {
        this.options.log.error({ err: error }, 'messages could not be delivered');
      }
    }
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
