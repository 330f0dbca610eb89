import type { SignIn } from '@sinebar/authentication';
import { formatSequence, parseSequence, type ChangePage, type EventPosition } from '@sinebar/contracts';
import type { Bus, StreamPosition } from '@sinebar/message-bus';
import { behindMessage, WHOLE_MESSAGE, type ResumePoint } from '../dispatch/resume-point.js';
import type { Semaphore } from '@sinebar/concurrency';
import { readChanges, type ReadPage } from './change-reader.js';
import type { ChangeWaiters } from './change-waiters.js';

export interface ChangeFeedOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  waiters: ChangeWaiters;
  /** How many readers read the stream at the same time; the others wait for their turn. */
  readers: Semaphore;
  /** Last message that the waiters have been shown. */
  position: () => StreamPosition | undefined;
}

export interface PageRequest {
  signIn: SignIn;
  /** `undefined` asks only for the end of the stream. */
  after: ResumePoint | undefined;
  limit: number;
  /** How long to wait for something when there is nothing, milliseconds. */
  waitMs: number;
  signal: AbortSignal;
}

/** The feed of changes for programs that ask. spec: decisions.md 7.2 */
export class ChangeFeed {
  private readonly options: ChangeFeedOptions;
  private policies = 0;
  private isClosed = false;

  constructor(options: ChangeFeedOptions) {
    this.options = options;
  }

  /** Pages that are being read or waited for are not given out: their readers ask again and get what their new rights allow. */
  policyChanged(): void {
    this.policies += 1;
    this.options.waiters.releaseAll();
  }

  /** The live stream lost messages or was replaced. */
  gap(): void {
    this.options.waiters.releaseAll();
  }

  close(): void {
    this.isClosed = true;
    this.options.waiters.releaseAll();
  }

  /** @throws BusUnavailableError; the signal's reason on abort */
  async page(request: PageRequest): Promise<ChangePage> {
    const { signIn, after, waitMs } = request;
    const policies = this.policies;
    const endMs = signIn.expiresAt?.getTime() ?? Infinity;
    // Credentials that ended a moment ago may still count for a request, since clocks differ, but not for one that waits.
    const hasEnded = endMs <= Date.now();
    const page = after && waitMs > 0 && !hasEnded ? await this.pageOrWait(request, after) : (await this.read(request, after)).page;
    const isOutdated = policies !== this.policies || (!hasEnded && endMs <= Date.now());
    return after && isOutdated ? { changes: [], next: formatSequence(after) } : page;
  }

  private async pageOrWait(request: PageRequest, after: ResumePoint): Promise<ChangePage> {
    const { signIn, signal } = request;
    const untilMs = Math.min(Date.now() + request.waitMs, signIn.expiresAt?.getTime() ?? Infinity);
    const policies = this.policies;
    // Before the first look at the stream, so that nothing can come unseen between that and the wait.
    const watch = this.options.waiters.watch(signIn.principal);
    try {
      let point: EventPosition = after;
      for (;;) {
        const { page, more } = await this.read(request, point);
        const leftMs = untilMs - Date.now();
        if (page.changes.length > 0 || page.gap || leftMs <= 0 || this.isClosed || policies !== this.policies) return page;
        point = parseSequence(page.next) ?? point;
        if (more) continue;
        if (await watch.behind(point.sequence, leftMs, signal)) continue;
        // Released before its time, for instance since the stream is another one: one more look, without a wait.
        if (Date.now() < untilMs) return (await this.read(request, point)).page;
        return { changes: [], next: formatSequence(this.whatWasShown(point)) };
      }
    } finally {
      watch.stop();
    }
  }

  /** Nothing that was dispatched since the point was for this reader: it need not be looked at again. */
  private whatWasShown(point: EventPosition): EventPosition {
    const position = this.options.position();
    const isWhole = point.index === WHOLE_MESSAGE;
    return isWhole && position?.epoch === point.epoch && position.sequence > point.sequence ? behindMessage(position) : point;
  }

  private async read({ signIn, limit, signal }: PageRequest, after: ResumePoint | undefined): Promise<ReadPage> {
    const { bus, readers } = this.options;
    const release = await readers.acquire(signal);
    try {
      return await readChanges({ bus, principal: signIn.principal, after, limit, signal });
    } finally {
      release();
    }
  }
}
