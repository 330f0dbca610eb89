import { randomUUID } from 'node:crypto';
import { userKeyOf } from '@sinebar/access-control';
import {
  formatSequence,
  ServiceError,
  type ChangeEnvelope,
  type EventMeta,
  type EventName,
  type EventPayloads,
  type GatewayEventName,
  type GatewayEventPayloads,
} from '@sinebar/contracts';
import { quoted } from '@sinebar/http';
import type { StreamPosition } from '@sinebar/message-bus';
import type { Socket } from 'socket.io';
import { FilterError, isEverything, parseFilter, sameFilter, type EventFilter } from '../audience/event-filter.ts';
import { clientError, ListeningClient, type ClientDependencies, type SignedInClient } from '../connections/listening-client.ts';
import { RequestRate } from '../connections/connection-limits.ts';
import { refuseEnded } from '../connections/connection-options.ts';
import type { Rooms } from '../connections/rooms.ts';
import { metaOf, type ResumePoint } from '../dispatch/resume-point.ts';
import { authorizationOf } from './credentials.ts';
import { EmitQueue } from './emit-queue.ts';
import { eventLength, PACKET_LENGTH } from './packet-length.ts';
import type { PacedConnection, PacedSession } from './paced-connection.ts';

/** Maximum filters of one client. */
const MAX_FILTERS = 20;
/** Names of the requests that a client may send. */
const REQUESTS: readonly string[] = ['subscribe', 'unsubscribe', 'reauthenticate', 'position'];
const REQUESTS_PER_SECOND = 20;
const REFUSALS_BEFORE_END = 200;

/** spec: decisions.md 7.2 */
export type Acknowledgement = { ok: true; sequence?: string } | { error: string };

export interface SessionDependencies extends ClientDependencies {
  /** Live sessions by room that get events through their queues instead of broadcasts. */
  queued: Rooms<ClientSession>;
}

export interface NewClient extends SignedInClient {
  socket: Socket;
  connection: PacedConnection;
}

/** One Socket.IO client and its requests. */
export class ClientSession extends ListeningClient implements PacedSession {
  readonly protocol = 'socket.io';
  private readonly socket: Socket;
  private readonly rate: RequestRate;
  private readonly connection: PacedConnection;
  private readonly queued: Rooms<ClientSession>;
  protected override readonly queue: EmitQueue;
  private isSigningIn = false;

  constructor({ socket, connection, ...client }: NewClient, deps: SessionDependencies) {
    super(client, deps);
    this.socket = socket;
    this.connection = connection;
    this.queued = deps.queued;
    this.queue = new EmitQueue(connection);
    this.rate = new RequestRate(REQUESTS_PER_SECOND, REFUSALS_BEFORE_END, deps.nowMs);
  }

  /** Starts to answer the client's requests and to send it events. */
  open(): void {
    const { socket } = this;
    socket.use((packet, next) => this.admit(packet as unknown[], next));
    socket.on('subscribe', (...args: unknown[]) => this.answer(args, (filter) => this.subscribe(filter)));
    socket.on('unsubscribe', (...args: unknown[]) => this.answer(args, (filter) => this.unsubscribe(filter)));
    socket.on('reauthenticate', (...args: unknown[]) => void this.reauthenticate(args));
    socket.on('position', (...args: unknown[]) => this.tellPosition(args));
    socket.on('error', () => undefined);
    this.listen();
  }

  override tell<N extends GatewayEventName>(name: N, payload: GatewayEventPayloads[N], point = this.standsBehind()): void {
    const meta: EventMeta = { id: randomUUID(), time: new Date().toISOString(), sequence: point ? formatSequence(point) : '' };
    this.queue.push(() => this.socket.emit(name, payload, meta), PACKET_LENGTH);
  }

  override close(): void {
    super.close();
    this.connection.sessions.delete(this);
    this.queue.clear();
  }

  flush(): void {
    this.queue.flush();
    if (this.room !== undefined && this.queued.has(this.room, this)) this.chooseWay();
  }

  flushToPoll(maxLength: number): void {
    this.queue.handOver(maxLength);
  }

  /** A live client whose connection keeps up gets broadcasts; any other gets events through its queue. */
  chooseWay(): void {
    const { room } = this;
    if (room === undefined) return;
    if (this.queue.isEmpty && this.connection.takesBroadcasts) {
      this.queued.leave(room, this);
      void this.socket.join(room);
    } else {
      void this.socket.leave(room);
      this.queued.join(room, this);
    }
  }

  protected override joinRoom(): void {
    this.chooseWay();
  }

  protected override leaveRoom(room: string): void {
    this.connection.writePending();
    this.queued.leave(room, this);
    void this.socket.leave(room);
  }

  override sendEvents(
    payloads: readonly EventPayloads[EventName][],
    envelope: ChangeEnvelope,
    position: StreamPosition,
    firstIndex: number,
  ): void {
    payloads.slice(firstIndex).forEach((payload, i) => {
      const index = firstIndex + i;
      const emit = () => this.socket.emit(envelope.type, payload, metaOf(envelope, position, index));
      this.queue.push(emit, eventLength(payload), { ...position, index });
    });
  }

  protected override disconnect({ code, message }: ServiceError, point: ResumePoint | undefined): void {
    this.tell('ConnectionEnded', { code, message }, point);
    this.queue.handOver(Infinity);
    this.socket.disconnect(this.connection.sessions.size === 1);
  }

  /** Gives a position to a client without any event yet; otherwise it would miss events while disconnected. */
  private tellPosition(args: unknown[]): void {
    const point = this.standsBehind();
    this.acknowledge(args, point ? { ok: true, sequence: formatSequence(point) } : { error: 'the event stream cannot be reached' });
  }

  /** Accepts new credentials of the same user. Another user must reconnect, so that subscriptions are not inherited. */
  private async reauthenticate(args: unknown[]): Promise<void> {
    const { authenticator, log } = this.deps;
    if (this.isSigningIn) {
      this.acknowledge(args, { error: 'An earlier reauthenticate is not answered yet. Wait for its answer.' });
      return;
    }
    this.isSigningIn = true;
    try {
      const credentials = typeof args[0] === 'function' ? undefined : args[0];
      const signIn = await authenticator.authenticate({ authorization: authorizationOf(credentials), address: this.address });
      if (this.isClosed) return;
      refuseEnded(signIn);
      if (userKeyOf(signIn.principal) !== userKeyOf(this.signIn.principal)) {
        throw new ServiceError('Unauthenticated', 'These are the credentials of another user. Open a new connection with them.');
      }
      // The policy may have changed while the credentials were checked.
      this.adopt(authenticator.renew(signIn), this.isLive);
      this.acknowledge(args, { ok: true });
    } catch (error) {
      if (!(error instanceof ServiceError)) log.error({ err: error }, 'credentials could not be checked');
      this.acknowledge(args, { error: clientError(error).message });
    } finally {
      this.isSigningIn = false;
    }
  }

  private subscribe(filter: EventFilter): void {
    if (this.filters.some((known) => sameFilter(known, filter))) return;
    if (this.filters.length >= MAX_FILTERS)
      throw new FilterError(`A client may have at most ${MAX_FILTERS} subscriptions. Remove one first.`);
    this.setFilters([...this.filters, filter]);
  }

  private unsubscribe(filter: EventFilter): void {
    if (isEverything(filter)) {
      this.setFilters([]);
      return;
    }
    const rest = this.filters.filter((known) => !sameFilter(known, filter));
    if (rest.length === this.filters.length)
      throw new FilterError('There is no subscription with exactly these events and this part path. Send a filter that was subscribed to.');
    this.setFilters(rest);
  }

  /** Runs before every event that a client sends. */
  private admit(packet: unknown[], next: (error?: Error) => void): void {
    switch (this.rate.next()) {
      case 'answer':
        if (REQUESTS.includes(String(packet[0]))) next();
        else this.acknowledge(packet, { error: `There is no request ${quoted(String(packet[0]))}. Known are ${REQUESTS.join(', ')}.` });
        return;
      case 'refuse':
        this.acknowledge(packet, { error: `Too many requests: at most ${REQUESTS_PER_SECOND} are answered in a second. Send fewer.` });
        return;
      case 'end':
        this.end(
          new ServiceError(
            'TooManyRequests',
            `The connection sent many more than ${REQUESTS_PER_SECOND} requests in a second. Send fewer.`,
          ),
        );
    }
  }

  private answer(args: unknown[], act: (filter: EventFilter) => void): void {
    const input = typeof args[0] === 'function' ? undefined : args[0];
    try {
      act(parseFilter(input));
      this.acknowledge(args, { ok: true });
    } catch (error) {
      if (!(error instanceof FilterError)) this.deps.log.error({ err: error }, 'a subscription failed');
      this.acknowledge(args, { error: error instanceof FilterError ? error.message : clientError(error).message });
    }
  }

  /** Answers behind the waiting events. Socket.IO passes the callback, if any, as the last argument. */
  private acknowledge(args: unknown[], answer: Acknowledgement): void {
    const ack = args.at(-1);
    if (typeof ack === 'function') this.queue.push(() => (ack as (answer: Acknowledgement) => void)(answer), PACKET_LENGTH);
  }
}
