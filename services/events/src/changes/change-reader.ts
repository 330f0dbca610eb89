import type { Principal } from '@sinebar/access-control';
import { type ChangePage, formatSequence } from '@sinebar/contracts';
import type { Bus, StreamMessage, StreamPosition, Subscription } from '@sinebar/message-bus';
import { payloadsFor } from '../audience/audience.js';
import { readRightsOf } from '../audience/visibility.js';
import { behindMessage, firstIndexBehind, metaOf, readFrom, type ResumePoint } from '../dispatch/resume-point.js';

export interface ReadPage {
  page: ChangePage;
  /** True if the stream continues after the page. */
  more: boolean;
}

export interface ReadChanges {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  principal: Principal;
  /** Start of the page; `undefined` asks only for the end of the stream. */
  after: ResumePoint | undefined;
  /** Maximum changes in one page. */
  limit: number;
  signal: AbortSignal;
}

/** Maximum messages read for one page, so that a reader with few rights gets an answer in time. */
const MAX_MESSAGES = 20_000;
/**
 * The last sequence of the stream may have no message (it was removed): after this time without one the page is complete, milliseconds.
 */
const IDLE_MS = 2_000;

/**
 * Reads one page of changes after a point, as far as the caller may see them.
 * @throws BusUnavailableError; the signal's reason on abort. spec: decisions.md 7.2
 */
export async function readChanges({ bus, principal, after, limit, signal }: ReadChanges): Promise<ReadPage> {
  const state = await bus.streamState();
  const end = behindMessage({ epoch: state.epoch, sequence: state.lastSequence });
  const whole = (page: ChangePage): ReadPage => ({ page, more: false });
  if (!after) return whole({ changes: [], next: formatSequence(end) });
  const start = readFrom(after, state);
  if (!start) return whole({ changes: [], next: formatSequence(end), gap: true });
  if (start.sequence >= state.lastSequence) return whole({ changes: [], next: formatSequence(after) });

  const rights = readRightsOf(principal);
  const changes: ChangePage['changes'] = [];
  let next: ResumePoint = after;
  let gap = false;
  let messages = 0;
  let more = false;
  const take = ({ envelope, position }: StreamMessage): 'more' | 'end' => {
    const payloads = payloadsFor(envelope, rights, []);
    for (let index = firstIndexBehind(after, position); index < payloads.length; index += 1) {
      if (changes.length >= limit) {
        more = true;
        return 'end';
      }
      changes.push({ event: envelope.type, data: payloads[index], meta: metaOf(envelope, position, index) });
      next = { ...position, index };
    }
    return pass(position);
  };
  const pass = (position: StreamPosition): 'more' | 'end' => {
    next = behindMessage(position);
    messages += 1;
    if (position.sequence >= state.lastSequence) return 'end';
    more = messages >= MAX_MESSAGES;
    return more ? 'end' : 'more';
  };

  let subscription: Promise<Subscription> | undefined;
  let forgetAbort = () => {};
  let stopIdle = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      let over = false;
      const idle = setTimeout(() => ((over = true), resolve()), IDLE_MS);
      stopIdle = () => clearTimeout(idle);
      const abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      forgetAbort = () => signal.removeEventListener('abort', abort);
      const read = (step: () => 'more' | 'end') => {
        if (over) return;
        idle.refresh();
        if (step() === 'more') return;
        over = true;
        resolve();
      };
      subscription = bus.subscribe({
        from: start,
        onMessage: (message) => read(() => take(message)),
        onSkipped: (position) => read(() => pass(position)),
        onGap: () => {
          over = true;
          gap = true;
          resolve();
        },
        onEnd: reject,
      });
      subscription.catch(reject);
    });
  } finally {
    forgetAbort();
    stopIdle();
    await subscription?.then(
      (made) => made.stop(),
      () => undefined,
    );
  }
  return gap ? whole({ changes: [], next: formatSequence(end), gap: true }) : { page: { changes, next: formatSequence(next) }, more };
}
