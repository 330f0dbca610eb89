import { randomUUID } from 'node:crypto';
import { userKeyOf } from '@sinebar/access-control';
import type { Authenticator, SignIn } from '@sinebar/authentication';
import {
  formatSequence,
  GAP_EVENT,
  ServiceError,
  type EventMeta,
  type EventName,
  type EventPayloads,
  type GatewayEventName,
  type GatewayEventPayloads,
} from '@sinebar/contracts';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/service-kit';
import type { Socket } from 'socket.io';
import { payloadsFor, type Audience } from '../audience/audience.js';
import { FilterError, isEverything, parseFilter, sameFilter, type EventFilter } from '../audience/event-filter.js';
import { readRightsOf, sameRights, type ReadRights } from '../audience/visibility.js';
import type { BehindClient } from '../dispatch/catch-up.js';
import { behindMessage, justBefore, type ResumePoint } from '../dispatch/resume-point.js';
import { authorizationOf, refuseEnded } from './credentials.js';
import { sendEvent } from './event-packet.js';
import { RequestRate } from './request-rate.js';
import { nextFlush, waitingBytes, withdrawEvents } from './send-buffer.js';

/** Filters of one client, at most. */
const MAX_FILTERS = 20;
const REQUESTS_PER_SECOND = 20;
const REFUSALS_BEFORE_END = 200;
const DRAIN_CHECK_MS = 50;

/** spec: decisions.md 7.2 */
export type Acknowledgement = { ok: true; sequence?: string } | { error: string };

/** What all sessions of a gateway share: one object, since there may be thousands of them. */
export interface SessionSurroundings {
  authenticator: Pick<Authenticator, 'authenticate' | 'renew'>;
  audience: Audience;
  log: Logger;
  /** A live client that has more than this waiting leaves the rooms and catches up at its own pace. */
  maxWaitingBytes: number;
  /** How long before the end of its credentials a client is warned, milliseconds. */
  warningMs: number;
  nowMs: () => number;
  catchUp: (client: BehindClient, from: ResumePoint, signal: AbortSignal) => Promise<void>;
  /** Where the live clients stand. */
  position: () => StreamPosition | undefined;
  /** A client has other credentials than before. */
  onSignIn: (session: ClientSession) => void;
  /** Whether the connection of a socket carries other sessions as well, in other namespaces. */
  isShared: (socket: Socket) => boolean;
}

export interface NewClient {
  socket: Socket;
  signIn: SignIn;
  /** Address of the client. */
  address: string;
  /** Behind which event the client goes on; `undefined`: with what happens from now on. */
  from: ResumePoint | undefined;
}

/** One connected client: who it is, what it wants, and whether it is among the live ones or behind. */
export class ClientSession implements BehindClient {
  private readonly options: SessionSurroundings;
  private readonly socket: Socket;
  private readonly address: string;
  private readonly rate: RequestRate;
  private signIn: SignIn;
  private rights: ReadRights;
  private catchingUp: AbortController | undefined;
  private filters: readonly EventFilter[] = [];
  private room: string | undefined;
  /** Behind which event a client stands that is not live. */
  private reached: ResumePoint | undefined;
  private readonly startsBehind: boolean;
  private isClosed = false;
  private isWarned = false;
  private isSigningIn = false;

  constructor({ socket, signIn, address, from }: NewClient, options: SessionSurroundings) {
    this.options = options;
    this.socket = socket;
    this.address = address;
    this.signIn = signIn;
    this.rights = readRightsOf(signIn.principal);
    this.rate = new RequestRate(REQUESTS_PER_SECOND, REFUSALS_BEFORE_END, options.nowMs);
    const position = options.position();
    this.reached = from ?? (position && behindMessage(position));
    this.startsBehind = from !== undefined;
  }

  get isLive(): boolean {
    return this.room !== undefined;
  }

  /** Begins to answer the client's requests, and to send it events. */
  open(): void {
    const { socket } = this;
    socket.use((packet, next) => this.admit(packet as unknown[], next));
    socket.on('subscribe', (...args: unknown[]) => this.answer(args, (filter) => this.subscribe(filter)));
    socket.on('unsubscribe', (...args: unknown[]) => this.answer(args, (filter) => this.unsubscribe(filter)));
    socket.on('reauthenticate', (...args: unknown[]) => void this.reauthenticate(args));
    socket.on('position', (...args: unknown[]) => this.tellPosition(args));
    socket.on('error', () => undefined);
    if (this.startsBehind && this.reached) this.fallBehind(this.reached);
    else this.goLive();
  }

  close(): void {
    this.isClosed = true;
    this.catchingUp?.abort();
    this.leaveRoom();
  }

  /** Takes the client out of the live ones; it gets what lies behind the point at its own pace. */
  fallBehind(from: ResumePoint): void {
    this.leaveRoom();
    this.catchingUp?.abort();
    this.catchingUp = new AbortController();
    this.reached = from;
    void this.options.catchUp(this, from, this.catchingUp.signal);
  }

  goLive(): void {
    if (this.isClosed) return;
    this.room = this.options.audience.enter(this.signIn.principal, this.filters);
    void this.socket.join(this.room);
  }

  send({ envelope, position }: StreamMessage, firstIndex: number): void {
    this.checkSignIn(Date.now());
    if (this.isClosed) return;
    try {
      const payloads = payloadsFor(envelope, this.rights, this.filters);
      for (let index = firstIndex; index < payloads.length; index += 1) {
        sendEvent(this.socket, payloads[index] as EventPayloads[EventName], envelope, position, index);
      }
    } catch (error) {
      this.options.log.error({ err: error, sequence: position.sequence, type: envelope.type }, 'a message could not be delivered');
    }
    this.reached = behindMessage(position);
  }

  /** @param at where events go on; by default where the live clients stand */
  sendGap(at?: StreamPosition): void {
    const position = at ?? this.options.position();
    this.tell(GAP_EVENT, {}, position && behindMessage(position));
  }

  /** Says something about the connection itself. */
  tell<N extends GatewayEventName>(name: N, payload: GatewayEventPayloads[N], point = this.standsBehind()): void {
    const meta: EventMeta = { id: randomUUID(), time: new Date().toISOString(), sequence: point ? formatSequence(point) : '' };
    this.socket.emit(name, payload, meta);
  }

  isFull(): boolean {
    const { maxWaitingBytes } = this.options;
    return waitingBytes(this.socket, maxWaitingBytes) > maxWaitingBytes;
  }

  async drained(signal: AbortSignal): Promise<void> {
    const lowBytes = this.options.maxWaitingBytes / 4;
    while (waitingBytes(this.socket, lowBytes) > lowBytes) await nextFlush(this.socket, DRAIN_CHECK_MS, signal);
    signal.throwIfAborted();
  }

  /**
   * Warns the client when its credentials end soon, and ends the connection when they have ended.
   * @param now milliseconds since 1970 @returns when to look again, `Infinity` for never
   */
  checkSignIn(now: number): number {
    const endMs = this.signIn.expiresAt?.getTime();
    if (endMs === undefined || this.isClosed) return Infinity;
    if (now >= endMs) {
      this.end(new ServiceError('Unauthenticated', 'the credentials of this connection have expired; connect again with new ones'));
      return Infinity;
    }
    const warnAtMs = endMs - this.options.warningMs;
    if (now < warnAtMs) return warnAtMs;
    if (!this.isWarned) {
      this.isWarned = true;
      this.tell('TokenExpiring', { expiresAt: new Date(endMs).toISOString() });
    }
    return endMs;
  }

  /** First half of a change of policy: leaves the room. @returns whether the client was live */
  suspend(): boolean {
    const wasLive = this.isLive;
    this.leaveRoom();
    return wasLive;
  }

  /** Second half of a change of policy: goes on with the rights that the user has now, or ends. */
  resume(wasLive: boolean): void {
    if (this.isClosed) return;
    try {
      this.adopt(this.options.authenticator.renew(this.signIn), wasLive);
    } catch (error) {
      if (!(error instanceof ServiceError)) this.options.log.error({ err: error }, 'the rights of a client could not be read again');
      this.end(error);
    }
  }

  /** Ends the connection and tells the client why. Events that wait to be handed to the network do not go out any more. */
  end(reason: unknown): void {
    if (this.isClosed) return;
    const { socket, address } = this;
    const { log, isShared } = this.options;
    const { code, message } = known(reason);
    const { principal } = this.signIn;
    log.info({ user: principal.name, userKey: userKeyOf(principal), address, code, reason: message }, 'a connection was ended');
    const point = this.standsBehind();
    this.catchingUp?.abort();
    this.leaveRoom();
    const withdrawn = withdrawEvents(socket);
    this.tell('ConnectionEnded', { code, message }, withdrawn ? justBefore(withdrawn) : point);
    socket.disconnect(!isShared(socket));
    this.isClosed = true;
  }

  private standsBehind(): ResumePoint | undefined {
    const position = this.isLive ? this.options.position() : undefined;
    return position ? behindMessage(position) : this.reached;
  }

  /** Goes on as this user with these rights. What waits to be handed to the network under other rights is taken back and read again. */
  private adopt(signIn: SignIn, wasLive: boolean): void {
    const rights = readRightsOf(signIn.principal);
    const before = this.rights;
    this.leaveRoom();
    this.signIn = signIn;
    this.rights = rights;
    this.isWarned = false;
    const withdrawn = sameRights(before, rights) ? undefined : withdrawEvents(this.socket);
    if (withdrawn) this.fallBehind(justBefore(withdrawn));
    else if (wasLive) this.goLive();
    this.options.onSignIn(this);
  }

  /** For a client that has not had an event yet: without a place to go on from it would miss what comes while it is cut off. */
  private tellPosition(args: unknown[]): void {
    const point = this.standsBehind();
    acknowledge(args, point ? { ok: true, sequence: formatSequence(point) } : { error: 'the event stream cannot be reached' });
  }

  /** New credentials of the same user: somebody else connects anew, so that nobody gets what was subscribed to by another one. */
  private async reauthenticate(args: unknown[]): Promise<void> {
    const { authenticator, log } = this.options;
    if (this.isSigningIn) {
      acknowledge(args, { error: 'an earlier reauthenticate is not answered yet' });
      return;
    }
    this.isSigningIn = true;
    try {
      const credentials = typeof args[0] === 'function' ? undefined : args[0];
      const signIn = await authenticator.authenticate({ authorization: authorizationOf(credentials), address: this.address });
      if (this.isClosed) return;
      refuseEnded(signIn);
      if (userKeyOf(signIn.principal) !== userKeyOf(this.signIn.principal)) {
        throw new ServiceError('Unauthenticated', 'these are the credentials of another user; connect anew with them');
      }
      // The policy may have changed while the credentials were looked at.
      this.adopt(authenticator.renew(signIn), this.isLive);
      acknowledge(args, { ok: true });
    } catch (error) {
      if (!(error instanceof ServiceError)) log.error({ err: error }, 'credentials could not be looked at');
      acknowledge(args, { error: known(error).message });
    } finally {
      this.isSigningIn = false;
    }
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
    const { audience, position } = this.options;
    const here = position();
    if (here) this.reached = behindMessage(here);
    void this.socket.leave(this.room);
    audience.leave(this.signIn.principal, this.filters);
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
        this.end(new ServiceError('TooManyRequests', `the connection sent many more than ${REQUESTS_PER_SECOND} requests in a second`));
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

/** What may be told to a client: the text of a defect stays here. */
function known(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('InternalError', 'something went wrong inside the server');
}

/** Socket.IO puts the acknowledgement, where the client wants one, behind the arguments. */
function acknowledge(args: unknown[], answer: Acknowledgement): void {
  const ack = args.at(-1);
  if (typeof ack === 'function') (ack as (answer: Acknowledgement) => void)(answer);
}
