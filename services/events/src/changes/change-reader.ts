import type { Principal } from '@sinebar/access-control';
import { type ChangePage, formatSequence } from '@sinebar/contracts';
import type { Bus, StreamMessage, StreamPosition } from '@sinebar/message-bus';
import { payloadsFor } from '../audience/audience.ts';
import { readRightsOf, type ReadRights } from '../audience/visibility.ts';
import { readStream, type StreamReader } from '../dispatch/read-stream.ts';
import { behindMessage, firstIndexBehind, metaOf, readFrom, type ResumePoint } from '../dispatch/resume-point.ts';

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
  const end = formatSequence(behindMessage({ epoch: state.epoch, sequence: state.lastSequence }));
  const whole = (page: ChangePage): ReadPage => ({ page, more: false });
  if (!after) return whole({ changes: [], next: end });
  const start = readFrom(after, state);
  if (!start) return whole({ changes: [], next: end, gap: true });
  if (start.sequence >= state.lastSequence) return whole({ changes: [], next: formatSequence(after) });

  const reader = new PageReader(readRightsOf(principal), after, limit, state.lastSequence);
  const reached = await readStream({ bus, from: start, idleMs: IDLE_MS }, reader, signal);
  if (reached === 'gap') return whole({ changes: [], next: end, gap: true });
  return { page: { changes: reader.changes, next: formatSequence(reader.next) }, more: reached === 'page is full' };
}

class PageReader implements StreamReader<'page is full' | 'end of stream' | 'gap'> {
  readonly changes: ChangePage['changes'] = [];
  /** Point after the last change of the page, or after the last message without one. */
  next: ResumePoint;
  private readonly rights: ReadRights;
  private readonly after: ResumePoint;
  private readonly limit: number;
  private readonly lastSequence: number;
  private messages = 0;

  constructor(rights: ReadRights, after: ResumePoint, limit: number, lastSequence: number) {
    this.rights = rights;
    this.after = after;
    this.next = after;
    this.limit = limit;
    this.lastSequence = lastSequence;
  }

  onMessage({ envelope, position }: StreamMessage): 'page is full' | 'end of stream' | undefined {
    const payloads = payloadsFor(envelope, this.rights, []);
    for (let index = firstIndexBehind(this.after, position); index < payloads.length; index += 1) {
      if (this.changes.length >= this.limit) return 'page is full';
      this.changes.push({ event: envelope.type, data: payloads[index], meta: metaOf(envelope, position, index) });
      this.next = { ...position, index };
    }
    return this.onSkipped(position);
  }

  onSkipped(position: StreamPosition): 'page is full' | 'end of stream' | undefined {
    this.next = behindMessage(position);
    this.messages += 1;
    if (position.sequence >= this.lastSequence) return 'end of stream';
    return this.messages >= MAX_MESSAGES ? 'page is full' : undefined;
  }

  onGap(): 'gap' {
    return 'gap';
  }

  onIdle(): 'end of stream' {
    return 'end of stream';
  }
}
