import type { SignIn } from '@sinebar/authentication';
import { formatSequence, parseSequence, type ChangePage, type EventPosition } from '@sinebar/contracts';
import type { Bus, StreamPosition } from '@sinebar/message-bus';
import { behindMessage, WHOLE_MESSAGE, type ResumePoint } from '../dispatch/resume-point.ts';
import type { Semaphore } from '@sinebar/concurrency';
import { readChanges, type ReadPage } from './change-reader.ts';
import type { ChangeWaiters } from './change-waiters.ts';

export interface ChangeFeedOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState'>;
  waiters: ChangeWaiters;
  /** Limits the concurrent readers of the stream. */
  readers: Semaphore;
  /** Last message that the waiters have seen. */
  position: () => StreamPosition | undefined;
}

export interface PageRequest {
  signIn: SignIn;
  /** Start of the page; `undefined` asks only for the end of the stream. */
  after: ResumePoint | undefined;
  limit: number;
  /** Maximum wait for the first change, milliseconds. */
  waitMs: number;
  signal: AbortSignal;
}

/** Feed of changes over REST. spec: decisions.md 7.2 */
export class ChangeFeed {
  private readonly options: ChangeFeedOptions;
  private policies = 0;
  private isClosed = false;

  constructor(options: ChangeFeedOptions) {
    this.options = options;
  }

  /** Discards pages that are being read or awaited: they are read again with the new rights. */
  policyChanged(): void {
    this.policies += 1;
    this.options.waiters.releaseAll();
  }

  /** Ends all waits because the live stream lost messages or was replaced. */
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
    // Clock skew extends expired credentials for a request, but not for one that waits.
    const hasEnded = endMs <= Date.now();
    const page = after && waitMs > 0 && !hasEnded ? await this.pageOrWait(request, after) : (await this.read(request, after)).page;
    const isOutdated = policies !== this.policies || (!hasEnded && endMs <= Date.now());
    return after && isOutdated ? { changes: [], next: formatSequence(after) } : page;
  }

  private async pageOrWait(request: PageRequest, after: ResumePoint): Promise<ChangePage> {
    const { signIn, signal } = request;
    const untilMs = Math.min(Date.now() + request.waitMs, signIn.expiresAt?.getTime() ?? Infinity);
    const policies = this.policies;
    // Watching starts before the first read, so no change is missed between read and wait.
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
        // Released early, for example because the stream was replaced: one more read without waiting.
        if (Date.now() < untilMs) return (await this.read(request, point)).page;
        return { changes: [], next: formatSequence(this.whatWasShown(point)) };
      }
    } finally {
      watch.stop();
    }
  }

  /** No message dispatched since the point was visible to this reader, so these need not be read again. */
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
