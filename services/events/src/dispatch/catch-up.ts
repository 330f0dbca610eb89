import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, StreamMessage, StreamPosition, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import type { EventDispatcher } from './event-dispatcher.js';
import { behindMessage, firstIndexBehind, readFrom, type ResumePoint } from './resume-point.js';
import { limitedSignal, type Semaphore } from '@sinebar/concurrency';

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
  let point = from;
  while (!signal.aborted) {
    try {
      await client.drained(signal);
      const release = await options.readers.acquire(signal);
      try {
        const reached = await readOnce(client, point, options, signal, (behind) => (point = behind));
        if (reached === 'live') return;
      } finally {
        release();
      }
    } catch (error) {
      if (signal.aborted) return;
      options.log.warn({ err: error, point }, 'a client cannot catch up, trying again');
      await delay(options.retryDelayMs ?? 500, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function readOnce(
  client: BehindClient,
  from: ResumePoint,
  { bus, dispatcher }: CatchUpOptions,
  signal: AbortSignal,
  passed: (point: ResumePoint) => void,
): Promise<'live' | 'full'> {
  const start = readFrom(from, await bus.streamState());
  signal.throwIfAborted();
  const giveUp = () => {
    client.sendGap();
    client.goLive();
  };
  if (!start) {
    giveUp();
    return 'live';
  }
  // Messages up to `start` were sent before. Only a client that has all events of its last message can be live without reading.
  if (start.sequence === from.sequence && isLevel(dispatcher, start)) {
    client.goLive();
    return 'live';
  }

  let subscription: Promise<Subscription> | undefined;
  let stopWaiting = () => {};
  let forgetAbort = () => {};
  try {
    return await new Promise<'live' | 'full'>((resolve, reject) => {
      let over = false;
      const end = (how: () => void) => {
        over = true;
        how();
      };
      const abort = () => end(() => reject(signal.reason as Error));
      signal.addEventListener('abort', abort, { once: true });
      forgetAbort = () => signal.removeEventListener('abort', abort);

      // Synchronous wherever possible: thousands of messages pass here one by one.
      const onMessage = (message: StreamMessage): void | Promise<void> => {
        if (over) return undefined;
        client.send(message, firstIndexBehind(from, message.position));
        return reached(message.position);
      };
      const reached = (position: StreamPosition): void | Promise<void> => {
        if (over) return undefined;
        passed(behindMessage(position));
        return isBehind(dispatcher, position) && !client.isFull() ? undefined : lookAround(position);
      };
      const lookAround = async (position: StreamPosition): Promise<void> => {
        // The client is ahead of the live stream: this subscription waits until the dispatcher has caught up.
        while (!over && isAhead(dispatcher, position)) {
          await new Promise<void>((wake) => {
            const forget = dispatcher.onceReached(position.sequence, () => {
              // The client joins here, not after the `await`: the dispatcher may advance before an awaiting function runs.
              if (!over && isLevel(dispatcher, position)) end(() => (client.goLive(), resolve('live')));
              wake();
            });
            stopWaiting = () => {
              forget();
              wake();
            };
          });
        }
        if (over) return;
        if (isLevel(dispatcher, position)) end(() => (client.goLive(), resolve('live')));
        else if (isForeign(dispatcher, position)) end(() => (giveUp(), resolve('live')));
        if (!over && client.isFull() && !(await drainsSoon(client, signal))) end(() => resolve('full'));
      };
      subscription = bus.subscribe({
        from: start,
        onMessage,
        onSkipped: reached,
        onGap: () => {
          if (!over) end(() => (giveUp(), resolve('live')));
        },
        onEnd: (error) => {
          if (!over) end(() => reject(error));
        },
      });
      subscription.catch((error: Error) => end(() => reject(error)));
    });
  } finally {
    forgetAbort();
    stopWaiting();
    await subscription?.then(
      (made) => made.stop(),
      () => undefined,
    );
  }
}

async function drainsSoon(client: BehindClient, signal: AbortSignal): Promise<boolean> {
  try {
    await client.drained(limitedSignal(signal, DRAIN_PATIENCE_MS));
    return true;
  } catch {
    return false;
  }
}

type Place = { epoch: string; sequence: number };

function isLevel({ position }: Pick<EventDispatcher, 'position'>, place: Place): boolean {
  return position?.epoch === place.epoch && position.sequence === place.sequence;
}

function isAhead({ position }: Pick<EventDispatcher, 'position'>, place: Place): boolean {
  return position?.epoch === place.epoch && position.sequence < place.sequence;
}

function isBehind({ position }: Pick<EventDispatcher, 'position'>, place: Place): boolean {
  return position?.epoch === place.epoch && position.sequence > place.sequence;
}

/** True if the live stream was replaced while this client was reading. */
function isForeign({ position }: Pick<EventDispatcher, 'position'>, place: Place): boolean {
  return position?.epoch !== place.epoch;
}
