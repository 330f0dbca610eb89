import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, StreamMessage, StreamPosition, Subscription } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import type { EventDispatcher } from './event-dispatcher.js';
import { behindMessage, firstIndexBehind, readFrom, type ResumePoint } from './resume-point.js';
import type { Semaphore } from '@sinebar/concurrency';

/** A client that is behind the live stream. None of the methods but `drained` may wait. */
export interface BehindClient {
  /** Sends the events of the message from `firstIndex` on. */
  send(message: StreamMessage, firstIndex: number): void;
  /** Tells the client to read the current state again. */
  sendGap(): void;
  /** Puts the client among the live ones; the next event it gets is the next one dispatched. */
  goLive(): void;
  /** So much is waiting to be sent that reading on would only fill memory. */
  isFull(): boolean;
  /** Resolves when most of what was waiting has been sent; rejects on abort. */
  drained(signal: AbortSignal): Promise<void>;
}

export interface CatchUpOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  dispatcher: Pick<EventDispatcher, 'position' | 'onceReached'>;
  /** How many clients read the stream at the same time. */
  readers: Semaphore;
  log: Logger;
  /** Pause after a failure, milliseconds. */
  retryDelayMs?: number;
}

/** A client that has drained so soon is read on for without a new subscription, which would cost more than the wait. */
const DRAIN_PATIENCE_MS = 100;
/** Events after which it is looked at whether the client can take more: to look costs more than to send one. */
const EVENTS_BETWEEN_LOOKS = 100;

/**
 * Reads the stream for one client from a point on, at the client's own pace, until the client has everything that the live clients have; in that very
 * moment, without a wait in between, the client becomes live: it gets every event once and in order. When what follows the point is no longer kept, it gets
 * a `Gap` and is live at once: whatever it reads after the `Gap` contains all that was dispatched before.
 *
 * A client that cannot take more is left alone, without a subscription, until it has drained.
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
  // Messages up to `start` were sent before; only when the client holds all of its last one can it be level without reading anything.
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

      let unlooked = 0;
      // Without a wait wherever there is nothing to wait for: thousands of messages come here one by one.
      const onMessage = (message: StreamMessage): void | Promise<void> => {
        if (over) return undefined;
        client.send(message, firstIndexBehind(from, message.position));
        unlooked += message.envelope.data.events.length;
        return reached(message.position);
      };
      const reached = (position: StreamPosition): void | Promise<void> => {
        if (over) return undefined;
        passed(behindMessage(position));
        return isBehind(dispatcher, position) && unlooked < EVENTS_BETWEEN_LOOKS ? undefined : lookAround(position);
      };
      const lookAround = async (position: StreamPosition): Promise<void> => {
        // Ahead of the live stream: hold this subscription until the dispatcher has come as far.
        while (!over && isAhead(dispatcher, position)) {
          await new Promise<void>((wake) => {
            const forget = dispatcher.onceReached(position.sequence, () => {
              // Joined here and not behind the await: the dispatcher may go on before an awaiting function runs.
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
        if (over || unlooked < EVENTS_BETWEEN_LOOKS) return;
        unlooked = 0;
        if (client.isFull() && !(await drainsSoon(client, signal))) end(() => resolve('full'));
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
    await client.drained(AbortSignal.any([signal, AbortSignal.timeout(DRAIN_PATIENCE_MS)]));
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

/** The live stream is another one: it was replaced while this client was reading. */
function isForeign({ position }: Pick<EventDispatcher, 'position'>, place: Place): boolean {
  return position?.epoch !== place.epoch;
}
