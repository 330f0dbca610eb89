import { ServiceError, type ChangeEnvelope } from '@sinebar/contracts';

/** A place between two messages: after message `sequence` (0 = before the first) of the stream `epoch`. */
export interface StreamPosition {
  /** Identity of the stream, fixed when it is created; letters, digits, `_` and `-`. */
  epoch: string;
  sequence: number;
}

export interface StreamState {
  epoch: string;
  /** Sequence of the oldest stored message; `lastSequence + 1` without any. */
  firstSequence: number;
  lastSequence: number;
}

export interface StreamMessage {
  position: StreamPosition;
  envelope: ChangeEnvelope;
}

/** Start of a subscription: `new` with the next message, otherwise after the given position. */
export type StartPoint = 'new' | StreamPosition;

export interface SubscribeOptions {
  from: StartPoint;
  /**
   * Called once per message, in stream order, one at a time: the next call waits for the promise.
   * A rejection ends the subscription and is passed to `onEnd`.
   */
  onMessage: (message: StreamMessage) => void | Promise<void>;
  /** Called instead of `onMessage` for a message that is no change event, so that the position advances. */
  onSkipped?: (position: StreamPosition) => void | Promise<void>;
  /**
   * Called when the start point (or a later position, after removed messages or a new stream) is no longer in the stream.
   * Delivery continues from the oldest stored message. A rejection ends the subscription.
   */
  onGap: (state: StreamState) => void | Promise<void>;
  /** Called once when an error ends the subscription. */
  onEnd?: (error: Error) => void;
}

export interface ConsumeOptions {
  /** Names the consumer in logs and in the broker. */
  name: string;
  /** Last position of the consumer, which it stores with its data in one transaction; `null` before the first run. */
  position: StreamPosition | null;
  /**
   * Called once per message, in order, one at a time.
   * A rejection is retried with growing delays (100 ms to 10 s) until it succeeds or the subscription is stopped: a message is never
   * skipped.
   */
  handle: (message: StreamMessage) => Promise<void>;
  /** Called instead of `handle`, and retried like it, for a message that is no change event. */
  onSkipped?: (position: StreamPosition) => Promise<void>;
  /**
   * Called before any message when `position` is `null` or no longer in the stream, and whenever that happens later.
   * The consumer updates itself by other means; messages continue after `state.lastSequence` as of before the call. Retried like `handle`.
   */
  onGap: (state: StreamState) => Promise<void>;
}

export interface Subscription {
  /** Stops delivery and waits for a running handler; a handler must therefore not wait for it. May be called again. */
  stop(): Promise<void>;
}

export interface RequestOptions {
  signal: AbortSignal;
  timeoutMs: number;
}

export interface BusStatus {
  connected: boolean;
  /** A sentence for health details. */
  description: string;
}

/**
 * The message bus between services: a durable, ordered stream of change events, requests with one reply, and wake-up signals.
 * While the broker is unreachable, `subscribe`, `streamState` and `request` throw {@link BusUnavailableError}, `publish` a {@link
 * PublishError} with that cause.
 * `consume`, `respond` and `onSignal` only register and begin when the broker is reachable, so a service can start first. All fail after
 * `close`.
 */
export interface Bus {
  /**
   * Appends messages to the event stream in the given order; the stream drops a repeated envelope id within the duplicate window.
   * @returns when all are stored. @throws PublishError with the number of leading messages that were stored; later ones may be stored too,
   * so the caller publishes everything after the leading ones again, in the same order.
   */
  publish(envelopes: readonly ChangeEnvelope[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  consume(options: ConsumeOptions): Promise<Subscription>;
  streamState(): Promise<StreamState>;

  /**
   * Sends a JSON body to a responder of `subject` and returns the body of the reply.
   * @throws BusUnavailableError without a responder, RequestTimedOutError, RequestFailedError with the responder's sentence; the signal's
   * reason.
   */
  request(subject: string, body: unknown, options: RequestOptions): Promise<unknown>;
  /** Several responders to one subject share the requests. The handler's rejection becomes the requester's RequestFailedError. */
  respond(subject: string, handle: (body: unknown) => Promise<unknown>): Promise<Subscription>;

  /** Sends an empty message to every listener of `subject`, without guarantee, as a hint that there is work. Never throws. */
  signal(subject: string): void;
  onSignal(subject: string, listen: () => void): Promise<Subscription>;

  status(): BusStatus;
  /** Ends all subscriptions, waits for running handlers, then disconnects. */
  close(): Promise<void>;
}

/** The broker cannot be reached, or there is no responder. */
export class BusUnavailableError extends ServiceError {
  override readonly name = 'BusUnavailableError';
  constructor(message: string, cause?: unknown) {
    super('Unavailable', message, { retryAfterSeconds: 5, cause });
  }
}

export class RequestTimedOutError extends ServiceError {
  override readonly name = 'RequestTimedOutError';
  constructor(message: string, cause?: unknown) {
    super('Unavailable', message, { retryAfterSeconds: 5, cause });
  }
}

/** The responder refused or failed; the message is its sentence. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError';
}

/** Some messages of a batch were not stored. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
  /** Number of leading messages that are known to be stored. */
  readonly storedCount: number;
  constructor(message: string, storedCount: number, options?: ErrorOptions) {
    super(message, options);
    this.storedCount = storedCount;
  }
}
