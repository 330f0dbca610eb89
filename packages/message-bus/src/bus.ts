import { ServiceError, type ChangeEnvelope } from '@sinebar/contracts';

/** A position between two messages of the event stream: after message `sequence` (0: before the first) of the stream `epoch`. */
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

/** Share of its space that the event stream uses: at its limit the oldest messages are removed before their time. */
export interface StreamUsage {
  bytes: number;
  maxBytes: number;
}

export interface StreamMessage {
  position: StreamPosition;
  envelope: ChangeEnvelope;
}

/** Start of a subscription. `new`: the next message; otherwise after the given position. */
export type StartPoint = 'new' | StreamPosition;

export interface SubscribeOptions {
  from: StartPoint;
  /**
   * Called once per message, in stream order, one at a time: the next call waits for the promise.
   * A rejection ends the subscription and is passed to `onEnd`.
   */
  onMessage: (message: StreamMessage) => void | Promise<void>;
  /** Called instead of `onMessage` for a message that is no change event, so that a stored position can advance. */
  onSkipped?: (position: StreamPosition) => void | Promise<void>;
  /**
   * Called when the next message is no longer in the stream: it was removed, or the stream was created again.
   * Delivery continues with the oldest kept message. A rejection ends the subscription like one of `onMessage`.
   */
  onGap: (state: StreamState) => void | Promise<void>;
  /** Called once when an error ends the subscription. */
  onEnd?: (error: Error) => void;
}

export interface ConsumeOptions {
  /** Names the consumer in logs and in the broker. */
  name: string;
  /** Last position of the consumer, which stores it with its own data in one transaction; `null`: it never ran. */
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
   * Called before any message when `position` is `null` or no longer in the stream, and again whenever that happens later.
   * The consumer reads the current state by other means; delivery continues after `state.lastSequence`. Retried like `handle`.
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
 * `subscribe`, `streamState` and `request` throw {@link BusUnavailableError} while the broker cannot be reached, `publish` a
 * {@link PublishError} with that cause. `consume`, `respond` and `onSignal` only register and succeed without the broker, so that a service
 * can start first. All of them fail after `close`.
 */
export interface Bus {
  /**
   * Appends messages to the event stream in the given order. The stream drops a repeated envelope id within the duplicate window.
   * @returns when all are stored. @throws PublishError with the number of leading messages that were stored; later ones may be stored too.
   * The caller then publishes everything after the leading ones again, in the same order.
   */
  publish(envelopes: readonly ChangeEnvelope[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  consume(options: ConsumeOptions): Promise<Subscription>;
  streamState(): Promise<StreamState>;
  /** @returns `undefined` for a stream without limit. @throws BusUnavailableError */
  streamUsage(): Promise<StreamUsage | undefined>;

  /**
   * Sends a JSON body to a responder of `subject` and returns the body of the reply.
   * @throws BusUnavailableError when there is no responder, RequestTimedOutError, RequestFailedError with the message of the responder; the
   * signal's reason on abort
   */
  request(subject: string, body: unknown, options: RequestOptions): Promise<unknown>;
  /** Several responders to one subject share the requests. The handler's rejection becomes the requester's RequestFailedError. */
  respond(subject: string, handle: (body: unknown) => Promise<unknown>): Promise<Subscription>;

  /** Sends an empty message to every listener of `subject`; it may be lost. Never throws. */
  signal(subject: string): void;
  onSignal(subject: string, listen: () => void): Promise<Subscription>;

  status(): BusStatus;
  /** Ends all subscriptions, waits for running handlers, then disconnects. */
  close(): Promise<void>;
}

/** The broker cannot be reached, or a subject has no responder. */
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

/** The responder refused or failed; the message is its own. */
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

/** The bus as the outbox of `service` publishes to it; the wake-up signal reaches all replicas of that service. */
export function outboxStream(bus: Bus, service: string) {
  const subject = `sinebar.signal.${service}.outbox`;
  return {
    publish: (envelopes: readonly ChangeEnvelope[]): Promise<void> => bus.publish(envelopes),
    storedCountOf: (error: unknown): number => (error instanceof PublishError ? error.storedCount : 0),
    wake: (): void => bus.signal(subject),
    onWake: (listen: () => void): Promise<Subscription> => bus.onSignal(subject, listen),
  };
}
