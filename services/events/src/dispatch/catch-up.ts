import { Notifier, pause, type Semaphore } from '@sinebar/concurrency';
import type { Bus, StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import type { EventDispatcher } from './event-dispatcher.ts';
import { readStream, type StreamReader } from './read-stream.ts';
import { behindMessage, firstIndexBehind, readFrom, type ResumePoint } from './resume-point.ts';

/** A client that is behind the live stream. Only `drained` may be asynchronous. */
export interface BehindClient {
  /** Sends the events of the message from `firstIndex` on. */
  send(message: StreamMessage, firstIndex: number): void;
  /** Tells the client to read the current state again. */
  sendGap(): void;
  /** Makes the client live; its next event is the next dispatched one. */
  goLive(): void;
  /** True if so many bytes wait that further reading would only fill memory. */
  isFull(): boolean;
  /** Resolves when most waiting bytes are sent; rejects on abort. */
  drained(signal: AbortSignal): Promise<void>;
}

export interface CatchUpOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  dispatcher: Pick<EventDispatcher, 'position' | 'onceReached'>;
  /** Limits the concurrent readers of the stream. */
  readers: Semaphore;
  log: Logger;
  /** Pause after a failure, milliseconds. */
  retryDelayMs?: number;
}

/** Time to wait for a client to drain before its subscription is closed, milliseconds: a new subscription costs more. */
const DRAIN_PATIENCE_MS = 100;

/**
 * Reads the stream for one client, at its own pace, until it reaches the live clients.
 * At that moment, synchronously, the client becomes live, so it gets every event once and in order. If the messages after the point are no
 * longer kept, it gets a `Gap` and becomes live at once: the state it reads after the `Gap` contains everything dispatched before. A full
 * client has no subscription until it has drained.
 * @returns when the client is live or the signal is aborted
 */
export async function catchUp(client: BehindClient, from: ResumePoint, options: CatchUpOptions, signal: AbortSignal): Promise<void> {
  const { bus, dispatcher, readers, log, retryDelayMs = 500 } = options;
  const reader = new CatchUpReader(client, from, dispatcher, signal);
  while (!signal.aborted) {
    try {
      await client.drained(signal);
      const release = await readers.acquire(signal);
      try {
        if ((await reader.read(bus)) === 'live') return;
      } finally {
        release();
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, point: reader.point }, 'a client cannot catch up, trying again');
      await pause(retryDelayMs, signal);
    }
  }
}

/** State of the client after a reading. */
type Reached = 'live' | 'full';

class CatchUpReader implements StreamReader<Reached> {
  /** Event that the client received last. */
  point: ResumePoint;
  private readonly client: BehindClient;
  private readonly dispatcher: CatchUpOptions['dispatcher'];
  private readonly signal: AbortSignal;
  private isLive = false;

  constructor(client: BehindClient, from: ResumePoint, dispatcher: CatchUpOptions['dispatcher'], signal: AbortSignal) {
    this.client = client;
    this.point = from;
    this.dispatcher = dispatcher;
    this.signal = signal;
  }

  async read(bus: CatchUpOptions['bus']): Promise<Reached> {
    const start = readFrom(this.point, await bus.streamState());
    this.signal.throwIfAborted();
    if (!start) return this.giveUp();
    // Messages up to `start` were sent before. Only a client that has all events of its last message can be live without reading.
    if (start.sequence === this.point.sequence && isLevel(this.dispatcher, start)) return this.goLive();
    return readStream({ bus, from: start }, this, this.signal);
  }

  onMessage(message: StreamMessage): Reached | undefined | Promise<Reached | undefined> {
    this.client.send(message, firstIndexBehind(this.point, message.position));
    return this.onSkipped(message.position);
  }

  onSkipped(position: StreamPosition): Reached | undefined | Promise<Reached | undefined> {
    // Sending may have ended the client.
    if (this.signal.aborted) return undefined;
    this.point = behindMessage(position);
    return isBehind(this.dispatcher, position) && !this.client.isFull() ? undefined : this.stateAt(position);
  }

  onGap(): Reached {
    return this.giveUp();
  }

  /** @returns `undefined` if the client is to read on */
  private async stateAt(position: StreamPosition): Promise<Reached | undefined> {
    while (isAhead(this.dispatcher, position)) {
      await this.dispatched(position);
      if (this.isLive) return 'live';
      if (this.signal.aborted) return undefined;
    }
    if (isLevel(this.dispatcher, position)) return this.goLive();
    if (isForeign(this.dispatcher, position)) return this.giveUp();
    return this.client.isFull() && !(await drainsSoon(this.client, this.signal)) ? 'full' : undefined;
  }

  /** Waits until the dispatcher has reached the position. The client joins inside its call, because the dispatcher may advance after it. */
  private async dispatched(position: StreamPosition): Promise<void> {
    const woken = new Notifier();
    const { version } = woken;
    const forget = this.dispatcher.onceReached(position.sequence, () => {
      if (!this.signal.aborted && isLevel(this.dispatcher, position)) this.goLive();
      woken.notify();
    });
    await woken.waitFor(version, this.signal);
    forget();
  }

  private giveUp(): 'live' {
    this.client.sendGap();
    return this.goLive();
  }

  private goLive(): 'live' {
    this.client.goLive();
    this.isLive = true;
    return 'live';
  }
}

async function drainsSoon(client: BehindClient, signal: AbortSignal): Promise<boolean> {
  try {
    await client.drained(AbortSignal.any([signal, AbortSignal.timeout(DRAIN_PATIENCE_MS)]));
    return true;
  } catch {
    return false;
  }
}

function isLevel({ position }: Pick<EventDispatcher, 'position'>, other: StreamPosition): boolean {
  return position?.epoch === other.epoch && position.sequence === other.sequence;
}

function isAhead({ position }: Pick<EventDispatcher, 'position'>, other: StreamPosition): boolean {
  return position?.epoch === other.epoch && position.sequence < other.sequence;
}

function isBehind({ position }: Pick<EventDispatcher, 'position'>, other: StreamPosition): boolean {
  return position?.epoch === other.epoch && position.sequence > other.sequence;
}

/** True if the live stream was replaced while this client was reading. */
function isForeign({ position }: Pick<EventDispatcher, 'position'>, other: StreamPosition): boolean {
  return position?.epoch !== other.epoch;
}
