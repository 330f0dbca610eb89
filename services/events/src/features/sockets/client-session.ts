import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@sinebar/access-control';
import { GAP_EVENT } from '@sinebar/contracts';
import type { StreamMessage } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/service-kit';
import type { Socket } from 'socket.io';
import { payloadsFor, type Audience } from '../audience/audience.js';
import { FilterError, isEverything, parseFilter, sameFilter, type EventFilter } from '../audience/event-filter.js';
import { readRightsOf, type ReadRights } from '../audience/visibility.js';
import type { BehindClient } from '../dispatch/catch-up.js';
import { metaOf, type ResumePoint } from '../dispatch/resume-point.js';
import { RequestRate } from './request-rate.js';
import { waitingBytes } from './send-buffer.js';

/** Filters of one client, at most. */
export const MAX_FILTERS = 20;
const REQUESTS_PER_SECOND = 20;
const REFUSALS_BEFORE_END = 200;
const DRAIN_CHECK_MS = 50;

/** spec: decisions.md 7.2 */
export type Acknowledgement = { ok: true } | { error: string };

export interface SessionOptions {
  socket: Socket;
  principal: Principal;
  audience: Audience;
  log: Logger;
  /** A live client that has more than this waiting leaves the rooms and catches up at its own pace. */
  maxWaitingBytes: number;
  nowMs: () => number;
  catchUp: (client: BehindClient, from: ResumePoint, signal: AbortSignal) => Promise<void>;
}

/** One connected client: what it wants, and whether it is among the live ones or behind. */
export class ClientSession implements BehindClient {
  private readonly options: SessionOptions;
  private readonly rights: ReadRights;
  private readonly rate: RequestRate;
  private readonly closed = new AbortController();
  private filters: readonly EventFilter[] = [];
  private room: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.rights = readRightsOf(options.principal);
    this.rate = new RequestRate(REQUESTS_PER_SECOND, REFUSALS_BEFORE_END, options.nowMs);
  }

  get isLive(): boolean {
    return this.room !== undefined;
  }

  /** Begins to answer the client's requests, and to send it events: behind `from`, or from now on. */
  open(from: ResumePoint | undefined): void {
    const { socket } = this.options;
    socket.use((packet, next) => this.admit(packet as unknown[], next));
    socket.on('subscribe', (...args: unknown[]) => this.answer(args, (filter) => this.subscribe(filter)));
    socket.on('unsubscribe', (...args: unknown[]) => this.answer(args, (filter) => this.unsubscribe(filter)));
    socket.on('error', () => undefined);
    if (from) this.fallBehind(from);
    else this.goLive();
  }

  close(): void {
    this.closed.abort();
    this.leaveRoom();
  }

  /** Takes the client out of the live ones; it gets what lies behind the point at its own pace. */
  fallBehind(from: ResumePoint): void {
    this.leaveRoom();
    void this.options.catchUp(this, from, this.closed.signal);
  }

  goLive(): void {
    if (this.closed.signal.aborted) return;
    const { socket, audience, principal } = this.options;
    this.room = audience.enter(principal, this.filters);
    void socket.join(this.room);
  }

  send({ envelope, position }: StreamMessage, firstIndex: number): void {
    const { socket, log } = this.options;
    try {
      const payloads = payloadsFor(envelope, this.rights, this.filters);
      for (let index = firstIndex; index < payloads.length; index += 1) {
        socket.emit(envelope.type, payloads[index], metaOf(envelope, position, index));
      }
    } catch (error) {
      log.error({ err: error, sequence: position.sequence, type: envelope.type }, 'a message could not be delivered');
    }
  }

  sendGap(): void {
    this.options.socket.emit(GAP_EVENT, {});
  }

  isFull(): boolean {
    const { socket, maxWaitingBytes } = this.options;
    return waitingBytes(socket, maxWaitingBytes) > maxWaitingBytes;
  }

  async drained(signal: AbortSignal): Promise<void> {
    const { socket, maxWaitingBytes } = this.options;
    const lowBytes = maxWaitingBytes / 4;
    while (waitingBytes(socket, lowBytes) > lowBytes) await delay(DRAIN_CHECK_MS, undefined, { signal });
    signal.throwIfAborted();
  }

  private subscribe(filter: EventFilter): void {
    if (this.filters.some((known) => sameFilter(known, filter))) return;
    if (this.filters.length >= MAX_FILTERS) throw new FilterError(`a client may have at most ${MAX_FILTERS} subscriptions`);
    this.setFilters([...this.filters, filter]);
  }

  private unsubscribe(filter: EventFilter): void {
    if (isEverything(filter)) {
      this.setFilters([]);
      return;
    }
    const rest = this.filters.filter((known) => !sameFilter(known, filter));
    if (rest.length === this.filters.length) throw new FilterError('there is no subscription with these events and this part path');
    this.setFilters(rest);
  }

  private setFilters(filters: readonly EventFilter[]): void {
    const live = this.isLive;
    this.leaveRoom();
    this.filters = filters;
    if (live) this.goLive();
  }

  private leaveRoom(): void {
    if (this.room === undefined) return;
    const { socket, audience, principal } = this.options;
    void socket.leave(this.room);
    audience.leave(principal, this.filters);
    this.room = undefined;
  }

  /** Runs before every event that a client sends. */
  private admit(packet: unknown[], next: (error?: Error) => void): void {
    switch (this.rate.next()) {
      case 'answer':
        next();
        return;
      case 'refuse':
        acknowledge(packet, { error: `too many requests: at most ${REQUESTS_PER_SECOND} are answered in a second` });
        return;
      case 'end':
        this.options.socket.disconnect(true);
    }
  }

  private answer(args: unknown[], act: (filter: EventFilter) => void): void {
    const input = typeof args[0] === 'function' ? undefined : args[0];
    try {
      act(parseFilter(input));
      acknowledge(args, { ok: true });
    } catch (error) {
      if (!(error instanceof FilterError)) this.options.log.error({ err: error }, 'a subscription failed');
      acknowledge(args, { error: error instanceof FilterError ? error.message : 'something went wrong inside the server' });
    }
  }
}

/** Socket.IO puts the acknowledgement, where the client wants one, behind the arguments. */
function acknowledge(args: unknown[], answer: Acknowledgement): void {
  const ack = args.at(-1);
  if (typeof ack === 'function') (ack as (answer: Acknowledgement) => void)(answer);
}
