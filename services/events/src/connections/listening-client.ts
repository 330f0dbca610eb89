import { userKeyOf } from '@sinebar/access-control';
import type { Authenticator, SignIn } from '@sinebar/authentication';
import {
  ServiceError,
  type ChangeEnvelope,
  type EventName,
  type EventPayloads,
  type EventPosition,
  type GatewayEventName,
  type GatewayEventPayloads,
} from '@sinebar/contracts';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import { payloadsFor, type Audience } from '../audience/audience.js';
import type { EventFilter } from '../audience/event-filter.js';
import { readRightsOf, sameRights, type ReadRights } from '../audience/visibility.js';
import type { BehindClient } from '../dispatch/catch-up.js';
import { behindMessage, justBefore, type ResumePoint } from '../dispatch/resume-point.js';

/** Dependencies that all clients of a gateway share in one object, because there may be thousands of clients. */
export interface ClientSurroundings {
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
  /** Called when a client has other credentials than before. */
  onSignIn: (client: ListeningClient) => void;
}

export interface SignedInClient {
  signIn: SignIn;
  /** Address of the client. */
  address: string;
  /** Behind which event the client goes on; `undefined`: with what happens from now on. */
  from: ResumePoint | undefined;
}

const DRAIN_CHECK_MS = 50;

/**
 * One connected client: who it is, what it wants, and whether it is among the live ones or behind. Each protocol extends it by the way in which
 * events get to the client.
 */
export abstract class ListeningClient implements BehindClient {
  /** As metrics name it. */
  abstract readonly protocol: 'socket.io' | 'signalr';
  protected readonly address: string;
  protected readonly surroundings: ClientSurroundings;
  private signedIn: SignIn;
  private rights: ReadRights;
  private catchingUp: AbortController | undefined;
  private wanted: readonly EventFilter[] = [];
  private room: string | undefined;
  /** Behind which event a client stands that is not live. */
  private reached: ResumePoint | undefined;
  private readonly startsBehind: boolean;
  private closed = false;
  private isWarned = false;

  constructor({ signIn, address, from }: SignedInClient, surroundings: ClientSurroundings) {
    this.surroundings = surroundings;
    this.address = address;
    this.signedIn = signIn;
    this.rights = readRightsOf(signIn.principal);
    const position = surroundings.position();
    this.reached = from ?? (position && behindMessage(position));
    this.startsBehind = from !== undefined;
  }

  get isLive(): boolean {
    return this.room !== undefined;
  }

  get isClosed(): boolean {
    return this.closed;
  }

  get signIn(): SignIn {
    return this.signedIn;
  }

  protected get filters(): readonly EventFilter[] {
    return this.wanted;
  }

  /** Says something about the connection itself, as far as the protocol has words for it. @param point where events go on */
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
  /** Bytes that wait to be handed to the network, counted up to `limitBytes`. */
  protected abstract waitingBytes(limitBytes: number): number;
  /**
   * Takes back the events that wait to be handed to the network, and leaves everything else that waits.
   * @returns the position of the first of them; `undefined` when none was waiting
   */
  protected abstract withdrawEvents(): EventPosition | undefined;
  /** Resolves when something has been handed to the network, or after `limitMs`; rejects on abort. */
  protected abstract nextFlush(limitMs: number, signal: AbortSignal): Promise<void>;
  /** Tells the client why its connection ends, and ends it. */
  protected abstract disconnect(reason: ServiceError, point: ResumePoint | undefined): void;

  /** Begins to send events. */
  protected listen(): void {
    if (this.startsBehind && this.reached) this.fallBehind(this.reached);
    else this.goLive();
  }

  close(): void {
    this.closed = true;
    this.catchingUp?.abort();
    this.leave();
  }

  /** Takes the client out of the live ones; it gets what lies behind the point at its own pace. */
  fallBehind(from: ResumePoint): void {
    this.leave();
    this.catchingUp?.abort();
    this.catchingUp = new AbortController();
    this.reached = from;
    void this.surroundings.catchUp(this, from, this.catchingUp.signal);
  }

  goLive(): void {
    if (this.closed) return;
    this.room = this.surroundings.audience.enter(this.signedIn.principal, this.wanted);
    this.joinRoom(this.room);
  }

  send({ envelope, position }: StreamMessage, firstIndex: number): void {
    this.checkSignIn(Date.now());
    if (this.closed) return;
    try {
      const payloads = payloadsFor(envelope, this.rights, this.wanted);
      if (payloads.length > firstIndex) this.sendEvents(payloads, envelope, position, firstIndex);
    } catch (error) {
      this.surroundings.log.error({ err: error, sequence: position.sequence, type: envelope.type }, 'a message could not be delivered');
    }
    this.reached = behindMessage(position);
  }

  /** @param at where events go on; by default where the live clients stand */
  sendGap(at?: StreamPosition): void {
    const position = at ?? this.surroundings.position();
    this.tell('Gap', {}, position && behindMessage(position));
  }

  isFull(): boolean {
    const { maxWaitingBytes } = this.surroundings;
    return this.waitingBytes(maxWaitingBytes) > maxWaitingBytes;
  }

  async drained(signal: AbortSignal): Promise<void> {
    const lowBytes = this.surroundings.maxWaitingBytes / 4;
    while (this.waitingBytes(lowBytes) > lowBytes) await this.nextFlush(DRAIN_CHECK_MS, signal);
    signal.throwIfAborted();
  }

  /**
   * Warns the client when its credentials end soon, and ends the connection when they have ended.
   * @param now milliseconds since 1970 @returns when to look again, `Infinity` for never
   */
  checkSignIn(now: number): number {
    const endMs = this.signedIn.expiresAt?.getTime();
    if (endMs === undefined || this.closed) return Infinity;
    if (now >= endMs) {
      this.end(new ServiceError('Unauthenticated', 'the credentials of this connection have expired; connect again with new ones'));
      return Infinity;
    }
    const warnAtMs = endMs - this.surroundings.warningMs;
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
    this.leave();
    return wasLive;
  }

  /** Second half of a change of policy: goes on with the rights that the user has now, or ends. */
  resume(wasLive: boolean): void {
    if (this.closed) return;
    try {
      this.adopt(this.surroundings.authenticator.renew(this.signedIn), wasLive);
    } catch (error) {
      if (!(error instanceof ServiceError)) this.surroundings.log.error({ err: error }, 'the rights of a client could not be read again');
      this.end(error);
    }
  }

  /** Ends the connection and tells the client why. Events that wait to be handed to the network do not go out any more. */
  end(reason: unknown): void {
    if (this.closed) return;
    const known = clientError(reason);
    const { code, message } = known;
    const { principal } = this.signedIn;
    const user = { user: principal.name, userKey: userKeyOf(principal) };
    this.surroundings.log.info({ ...user, address: this.address, code, reason: message }, 'a connection was ended');
    const point = this.standsBehind();
    this.catchingUp?.abort();
    this.leave();
    const withdrawn = this.withdrawEvents();
    this.disconnect(known, withdrawn ? justBefore(withdrawn) : point);
    this.closed = true;
  }

  /** Goes on as this user with these rights. What waits to be handed to the network under other rights is taken back and read again. */
  protected adopt(signIn: SignIn, wasLive: boolean): void {
    const rights = readRightsOf(signIn.principal);
    const before = this.rights;
    this.leave();
    this.signedIn = signIn;
    this.rights = rights;
    this.isWarned = false;
    const withdrawn = sameRights(before, rights) ? undefined : this.withdrawEvents();
    if (withdrawn) this.fallBehind(justBefore(withdrawn));
    else if (wasLive) this.goLive();
    this.surroundings.onSignIn(this);
  }

  protected standsBehind(): ResumePoint | undefined {
    const position = this.isLive ? this.surroundings.position() : undefined;
    return position ? behindMessage(position) : this.reached;
  }

  protected setFilters(filters: readonly EventFilter[]): void {
    const live = this.isLive;
    this.leave();
    this.wanted = filters;
    if (live) this.goLive();
  }

  private leave(): void {
    if (this.room === undefined) return;
    const { audience, position } = this.surroundings;
    const here = position();
    if (here) this.reached = behindMessage(here);
    this.leaveRoom(this.room);
    audience.leave(this.signedIn.principal, this.wanted);
    this.room = undefined;
  }
}

/** The error as a client may hear of it: the text of a defect stays here. */
export function clientError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('InternalError', 'something went wrong inside the server');
}
