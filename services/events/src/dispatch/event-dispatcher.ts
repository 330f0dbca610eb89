import { backoffMs, BackgroundLoop } from '@sinebar/concurrency';
import type { Bus, StreamMessage, StreamPosition, StreamState, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';

export interface EventDispatcherOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  log: Logger;
  /** Hands one message to all live clients. Runs to its end before the position moves on, so it must not wait for anything. */
  deliver: (message: StreamMessage) => void;
  /** Messages were lost to all live clients; events go on behind the position. */
  announceGap: (position: StreamPosition) => void;
  /** Pause before the first attempt after a failure, milliseconds; it doubles up to 10 s. */
  retryDelayMs?: number;
}

export type DispatcherState = 'stopped' | 'starting' | 'running' | 'retrying';

const MAX_RETRY_DELAY_MS = 10_000;

/**
 * The one subscription of a process that feeds all live clients. It begins at the end of the stream as it is when the broker is first reached, and from
 * then on goes on behind the last message dispatched, through any number of failures: a client that is live misses nothing.
 */
export class EventDispatcher {
  private readonly options: EventDispatcherOptions;
  private reached: StreamPosition | undefined;
  private currentState: DispatcherState = 'stopped';
  private loop: BackgroundLoop | undefined;
  /** Failures since the stream was last followed. */
  private failures = 0;
  private readonly waiting = new Set<{ sequence: number; wake: () => void }>();
  private delivered = 0;

  constructor(options: EventDispatcherOptions) {
    this.options = options;
  }

  /** The last message that all live clients have been sent; `undefined` until the broker has been reached for the first time. */
  get position(): StreamPosition | undefined {
    return this.reached;
  }

  get state(): DispatcherState {
    return this.currentState;
  }

  get deliveredCount(): number {
    return this.delivered;
  }

  /** Returns at once; the broker may be away. */
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
   * Calls `wake` once, in the moment when the message `sequence` (or a later one) has been dispatched and nothing behind it has, or when the stream was
   * replaced or cut: the caller then looks at {@link position}. @returns a function that cancels the wait.
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
    // Not `from: 'new'`: the hand-over of clients that catch up needs the position also before the first message.
    if (!this.reached) {
      const { epoch, lastSequence } = await bus.streamState();
      this.reached = { epoch, sequence: lastSequence };
    }
    // Stopped meanwhile: a listener for the abort would wait for ever.
    if (signal.aborted) return;
    let subscription: Subscription | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        bus
          .subscribe({
            from: this.reached as StreamPosition,
            onMessage: (message) => this.dispatch(message),
            onSkipped: (position) => this.passTo(position),
            onGap: (state) => this.gap(state),
            onEnd: reject,
          })
          .then((made) => {
            subscription = made;
            this.currentState = 'running';
            this.failures = 0;
            // Stopped while the subscription was being made: the promise above is settled, so the clean-up below has already run.
            if (signal.aborted) return made.stop();
            return undefined;
          })
          .catch(reject);
      });
    } finally {
      await subscription?.stop();
    }
  }

  private dispatch(message: StreamMessage): void {
    try {
      this.options.deliver(message);
      this.delivered += message.envelope.data.events.length;
    } catch (error) {
      // One message that cannot be sent must not hold up all others.
      this.options.log.error(
        { err: error, sequence: message.position.sequence, type: message.envelope.type },
        'a message could not be delivered',
      );
    }
    this.passTo(message.position);
  }

  private passTo(position: StreamPosition): void {
    this.moveTo(position, (waiter) => waiter.sequence <= position.sequence);
  }

  private gap(state: StreamState): void {
    this.options.log.warn(
      { state, reached: this.reached },
      'the stream no longer holds what follows the last event; clients are told to read again',
    );
    const position = { epoch: state.epoch, sequence: state.firstSequence - 1 };
    this.options.announceGap(position);
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
