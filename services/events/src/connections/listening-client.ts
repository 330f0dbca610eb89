import { userKeyOf } from '@sinebar/access-control';
import type { Authenticator, SignIn } from '@sinebar/authentication';
import {
  ServiceError,
  type ChangeEnvelope,
  type EventName,
  type EventPayloads,
  type GatewayEventName,
  type GatewayEventPayloads,
} from '@sinebar/contracts';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { payloadsFor, type Audience } from '../audience/audience.ts';
import type { EventFilter } from '../audience/event-filter.ts';
import { readRightsOf, sameRights, type ReadRights } from '../audience/visibility.ts';
import type { BehindClient } from '../dispatch/catch-up.ts';
import { behindMessage, justBefore, type ResumePoint } from '../dispatch/resume-point.ts';
import type { SendQueue } from './send-queue.ts';

/** Dependencies that all clients of a gateway share in one object, because there may be thousands of clients. */
export interface ClientDependencies {
  authenticator: Pick<Authenticator, 'authenticate' | 'renew'>;
  audience: Audience;
  log: Logger;
  /** Waiting bytes above which a live client leaves its rooms and catches up at its own pace. */
  maxWaitingBytes: number;
  /** Time before the expiry of credentials at which a client is warned, milliseconds. */
  warningMs: number;
  nowMs: () => number;
  catchUp: (client: BehindClient, from: ResumePoint, signal: AbortSignal) => Promise<void>;
  /** Position of the live clients. */
  position: () => StreamPosition | undefined;
  /** Called when a client has new credentials. */
  onSignIn: (client: ListeningClient) => void;
}

export interface SignedInClient {
  signIn: SignIn;
  /** Address of the client. */
  address: string;
  /** Event after which the client resumes; `undefined`: with new events only. */
  from: ResumePoint | undefined;
}

type ClientState =
  /** Gets no events: not started yet, or between two rooms. */
  { name: 'paused' } | { name: 'live'; room: string } | { name: 'catching-up'; stop: AbortController } | { name: 'closed' };

/**
 * One connected client: its user, its filters, and whether it is live or catching up.
 * Each protocol extends it by the way in which events are sent.
 */
export abstract class ListeningClient implements BehindClient {
  /** Name of the protocol in metrics. */
  abstract readonly protocol: 'socket.io' | 'signalr';
  protected abstract readonly queue: SendQueue<unknown>;
  protected readonly address: string;
  protected readonly deps: ClientDependencies;
  private signedIn: SignIn;
  private rights: ReadRights;
  private wanted: readonly EventFilter[] = [];
  private state: ClientState = { name: 'paused' };
  /** Last event that a client which is not live has received. */
  private reached: ResumePoint | undefined;
  private readonly startsBehind: boolean;
  private isWarned = false;

  constructor({ signIn, address, from }: SignedInClient, deps: ClientDependencies) {
    this.deps = deps;
    this.address = address;
    this.signedIn = signIn;
    this.rights = readRightsOf(signIn.principal);
    const position = deps.position();
    this.reached = from ?? (position && behindMessage(position));
    this.startsBehind = from !== undefined;
  }

  get isLive(): boolean {
    return this.state.name === 'live';
  }

  get isClosed(): boolean {
    return this.state.name === 'closed';
  }

  get signIn(): SignIn {
    return this.signedIn;
  }

  protected get filters(): readonly EventFilter[] {
    return this.wanted;
  }

  /** Room of a live client. */
  protected get room(): string | undefined {
    return this.state.name === 'live' ? this.state.room : undefined;
  }

  /** Sends an event about the connection itself, as far as the protocol supports it. @param point position at which events continue */
  abstract tell<N extends GatewayEventName>(name: N, payload: GatewayEventPayloads[N], point?: ResumePoint): void;
  protected abstract joinRoom(room: string): void;
  protected abstract leaveRoom(room: string): void;
  /** Sends the events of a message from `firstIndex` on. */
  protected abstract sendEvents(
    payloads: readonly EventPayloads[EventName][],
    envelope: ChangeEnvelope,
    position: StreamPosition,
    firstIndex: number,
  ): void;
  /** Sends the reason to the client and closes its connection. */
  protected abstract disconnect(reason: ServiceError, point: ResumePoint | undefined): void;

  /** Starts to send events. */
  protected listen(): void {
    if (this.startsBehind && this.reached) this.fallBehind(this.reached);
    else this.goLive();
  }

  close(): void {
    this.pause();
    this.state = { name: 'closed' };
  }

  /** Makes a live client catch up from the point at its own pace. */
  fallBehind(from: ResumePoint): void {
    this.pause();
    const stop = new AbortController();
    this.state = { name: 'catching-up', stop };
    this.reached = from;
    void this.deps.catchUp(this, from, stop.signal);
  }

  goLive(): void {
    if (this.isClosed) return;
    const room = this.deps.audience.enter(this.signedIn.principal, this.wanted);
    this.state = { name: 'live', room };
    this.joinRoom(room);
  }

  send({ envelope, position }: StreamMessage, firstIndex: number): void {
    this.checkSignIn(Date.now());
    if (this.isClosed) return;
    try {
      const payloads = payloadsFor(envelope, this.rights, this.wanted);
      if (payloads.length > firstIndex) this.sendEvents(payloads, envelope, position, firstIndex);
    } catch (error) {
      this.deps.log.error({ err: error, sequence: position.sequence, type: envelope.type }, 'a message could not be delivered');
    }
    this.reached = behindMessage(position);
  }

  /** @param at position at which events continue; default: that of the live clients */
  sendGap(at?: StreamPosition): void {
    const position = at ?? this.deps.position();
    this.tell('Gap', {}, position && behindMessage(position));
  }

  isFull(): boolean {
    return this.queue.waitingLength > this.deps.maxWaitingBytes;
  }

  drained(signal: AbortSignal): Promise<void> {
    return this.queue.drainedTo(this.deps.maxWaitingBytes / 4, signal);
  }

  /**
   * Warns the client before its credentials expire, and closes the connection when they have.
   * @param now milliseconds since 1970 @returns time of the next check, `Infinity` for never
   */
  checkSignIn(now: number): number {
    const endMs = this.signedIn.expiresAt?.getTime();
    if (endMs === undefined || this.isClosed) return Infinity;
    if (now >= endMs) {
      this.end(new ServiceError('Unauthenticated', 'The credentials of this connection have expired. Connect again with new ones.'));
      return Infinity;
    }
    const warnAtMs = endMs - this.deps.warningMs;
    if (now < warnAtMs) return warnAtMs;
    if (!this.isWarned) {
      this.isWarned = true;
      this.tell('TokenExpiring', { expiresAt: new Date(endMs).toISOString() });
    }
    return endMs;
  }

  /** First half of a policy change: leaves the room. @returns true if the client was live */
  suspend(): boolean {
    const wasLive = this.isLive;
    this.leave();
    return wasLive;
  }

  /** Second half of a policy change: continues with the current rights of the user, or closes. */
  resume(wasLive: boolean): void {
    if (this.isClosed) return;
    try {
      this.adopt(this.deps.authenticator.renew(this.signedIn), wasLive);
    } catch (error) {
      if (!(error instanceof ServiceError)) this.deps.log.error({ err: error }, 'the rights of a client could not be read again');
      this.end(error);
    }
  }

  /** Closes the connection and sends the reason to the client. Waiting events are not sent any more. */
  end(reason: unknown): void {
    if (this.isClosed) return;
    const known = clientError(reason);
    const { code, message } = known;
    const { principal } = this.signedIn;
    const user = { user: principal.name, userKey: userKeyOf(principal) };
    this.deps.log.info({ ...user, address: this.address, code, reason: message }, 'a connection was ended');
    const point = this.standsBehind();
    this.pause();
    const withdrawn = this.queue.withdrawEvents();
    this.disconnect(known, withdrawn ? justBefore(withdrawn) : point);
    this.state = { name: 'closed' };
  }

  /** Continues as this user with these rights. Events that wait under other rights are removed and read again. */
  protected adopt(signIn: SignIn, wasLive: boolean): void {
    const rights = readRightsOf(signIn.principal);
    const before = this.rights;
    this.leave();
    this.signedIn = signIn;
    this.rights = rights;
    this.isWarned = false;
    const withdrawn = sameRights(before, rights) ? undefined : this.queue.withdrawEvents();
    if (withdrawn) this.fallBehind(justBefore(withdrawn));
    else if (wasLive) this.goLive();
    this.deps.onSignIn(this);
  }

  protected standsBehind(): ResumePoint | undefined {
    const position = this.isLive ? this.deps.position() : undefined;
    return position ? behindMessage(position) : this.reached;
  }

  protected setFilters(filters: readonly EventFilter[]): void {
    const live = this.isLive;
    this.leave();
    this.wanted = filters;
    if (live) this.goLive();
  }

  /** Stops sending events, live or not. */
  private pause(): void {
    if (this.state.name === 'catching-up') this.state.stop.abort();
    this.leave();
    if (!this.isClosed) this.state = { name: 'paused' };
  }

  /** Leaves the room of a live client. */
  private leave(): void {
    if (this.state.name !== 'live') return;
    const { audience, position } = this.deps;
    const here = position();
    if (here) this.reached = behindMessage(here);
    const { room } = this.state;
    this.state = { name: 'paused' };
    this.leaveRoom(room);
    audience.leave(this.signedIn.principal, this.wanted);
  }
}

/** Converts an error for the client: the text of a defect is not sent. */
export function clientError(error: unknown): ServiceError {
  return error instanceof ServiceError
    ? error
    : new ServiceError('InternalError', 'Something went wrong inside the server. Try again, and report it if it happens again.');
}
