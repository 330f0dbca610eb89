import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { userKeyOf } from '@sinebar/access-control';
import type { SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';
import type { StreamMessage } from '@sinebar/message-bus';
import { Server as Engine, type Socket as Connection } from 'engine.io';
import { Server, type Namespace, type Socket } from 'socket.io';
import type { Delivery } from '../audience/audience.ts';
import { openingRefusal, refuseEnded, type ConnectionOptions } from '../connections/connection-options.ts';
import { clientError } from '../connections/listening-client.ts';
import { ConnectionLimits } from '../connections/connection-limits.ts';
import { DEGRADED_MESSAGE, isEngineIo, type EventEndpoint, type ProtocolGateway } from '../connections/event-gateway.ts';
import { Rooms } from '../connections/rooms.ts';
import { newSessionId } from '../connections/session-id.ts';
import { metaOf, parseResumePoint, type ResumePoint } from '../dispatch/resume-point.ts';
import { ClientSession, type SessionDependencies } from './client-session.ts';
import { authorizationOf } from './credentials.ts';
import { joinFrames } from './joined-frames.ts';
import { JoiningAdapter } from './joining-adapter.ts';
import { eventLength } from './packet-length.ts';
import { PacedConnection } from './paced-connection.ts';
import { PendingWrites } from './pending-writes.ts';

export interface SocketGatewayOptions extends ConnectionOptions {
  polling: boolean;
  /** Maximum bytes of one message from a client. */
  maxMessageBytes: number;
  pingIntervalMs: number;
  pingTimeoutMs: number;
  /** Maximum Engine.IO connections from one address; 0: no limit. */
  transportsPerAddress: number;
}

/** A message that waits for {@link SocketGateway.flush}. */
interface TakenMessage {
  message: StreamMessage;
  deliveries: readonly Delivery[];
}

interface QueuedEvents {
  message: StreamMessage;
  payloads: Delivery['payloads'];
}

/** Estimated characters of messages that are written together. */
const MAX_PIECE_LENGTH = 32 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
/** A position that the server never issues: a malformed `lastSequence` resumes there and gets a `Gap`. */
const NOWHERE: ResumePoint = { epoch: '', sequence: 0, index: 0 };

/**
 * Socket.IO gateway: namespaces `/` and `/events`, each under the paths `/socket.io` and `/events`.
 * Both documented ways to connect work with one engine. spec: decisions.md 7.2
 */
export class SocketGateway implements ProtocolGateway, EventEndpoint {
  private readonly options: SocketGatewayOptions;
  private readonly io: Server;
  private readonly engine: Engine;
  private readonly sessionDeps: SessionDependencies;
  private readonly queued = new Rooms<ClientSession>();
  private readonly connections = new WeakMap<Connection, PacedConnection>();
  private readonly connectionsById = new Map<string, PacedConnection>();
  /** Connections that ran out of room since the last message. */
  private readonly full = new Set<PacedConnection>();
  private readonly namespaces = new Set<Namespace>();
  private readonly transports: ConnectionLimits;
  private readonly taken: TakenMessage[] = [];
  private readonly writes: PendingWrites;
  private closing: Promise<void> | undefined;

  constructor(options: SocketGatewayOptions) {
    this.options = options;
    this.writes = new PendingWrites(options.clientDeps.nowMs);
    this.io = new Server({ serveClient: false, connectTimeout: CONNECT_TIMEOUT_MS, adapter: JoiningAdapter });
    this.engine = new Engine({
      transports: options.polling ? ['polling', 'websocket'] : ['websocket'],
      perMessageDeflate: false,
      maxHttpBufferSize: options.maxMessageBytes,
      pingInterval: options.pingIntervalMs,
      pingTimeout: options.pingTimeoutMs,
      ...(options.corsOrigins.length > 0 && { cors: { origin: options.corsOrigins.includes('*') ? '*' : [...options.corsOrigins] } }),
    });
    this.engine.generateId = newSessionId;
    joinFrames(this.engine);
    this.sessionDeps = { ...options.clientDeps, queued: this.queued };
    this.transports = new ConnectionLimits({ perUser: 0, perAddress: options.transportsPerAddress });
    this.engine.on('connection', (connection: Connection) => this.accept(connection));
    this.io.bind(this.engine);
    for (const namespace of [this.io.of('/'), this.io.of(/^\/events\/?$/i)]) {
      namespace.use((socket, next) => void this.admit(socket, next));
      namespace.on('connection', (socket) => this.open(socket));
    }
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'GET') this.connectionsById.get(sessionIdOf(request.url))?.beforePoll();
    this.engine.handleRequest(request, response);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.engine.handleUpgrade(request, socket, head);
  }

  deliver(message: StreamMessage, deliveries: readonly Delivery[]): void {
    this.taken.push({ message, deliveries });
  }

  flush(): Promise<void> | undefined {
    // What one piece leaves in a connection decides on the way of the next one, so only the last one may wait.
    for (const piece of piecesOf(this.taken.splice(0))) {
      this.writes.writeAll();
      this.send(piece);
    }
    return this.writes.writeInSlices();
  }

  /**
   * Closes all Engine.IO connections: clients see a lost transport and reconnect by themselves.
   * They would not reconnect after a Socket.IO disconnect by the server.
   */
  close(): Promise<void> {
    this.writes.writeAll();
    this.closing ??= this.io.close();
    return this.closing;
  }

  refusal(request: IncomingMessage): ServiceError | undefined {
    if (!isEngineIo(request.url))
      return new ServiceError(
        'InvalidRequest',
        'This address is for Socket.IO clients. The feed over REST is at /eventServiceRest/changes.',
      );
    const refusal = openingRefusal(this.sessionDeps, this.closing !== undefined);
    if (refusal) return refusal;
    if (sessionIdOf(request.url) !== '') return undefined;
    try {
      this.transports.check('', this.options.addressOf(request));
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
    return undefined;
  }

  /** Counts an Engine.IO connection, which needs no credentials yet. */
  private accept(connection: Connection): void {
    try {
      connection.once('close', this.transports.enter('', this.options.addressOf(connection.request)));
    } catch {
      // Several connections arrived at once when there was room for one.
      connection.close(true);
      return;
    }
    const { sid } = connection.transport;
    const paced = new PacedConnection(connection, this.writes, (full) => this.full.add(full));
    this.connections.set(connection, paced);
    this.connectionsById.set(sid, paced);
    connection.once('close', () => {
      this.connectionsById.delete(sid);
      this.full.delete(paced);
    });
  }

  private async admit(socket: Socket, next: (error?: Error & { data?: unknown }) => void): Promise<void> {
    const { addressOf, limits } = this.options;
    const { authenticator, log } = this.options.clientDeps;
    const { auth, headers } = socket.handshake;
    const address = addressOf(socket.request);
    try {
      const signIn = await authenticator.authenticate({ authorization: authorizationOf(auth) ?? headers.authorization, address });
      refuseEnded(signIn);
      limits.check(userKeyOf(signIn.principal), address);
      (socket.data as { signIn?: SignIn }).signIn = signIn;
      next();
    } catch (error) {
      const known = clientError(error);
      if (known !== error) log.error({ err: error }, 'a client could not be admitted');
      else log.info({ address, code: known.code, reason: known.message }, 'a client was not admitted');
      next(Object.assign(new Error(known.message), { data: { code: known.code } }));
    }
  }

  private open(socket: Socket): void {
    const { addressOf, limits, outage, clients } = this.options;
    const { signIn } = socket.data as { signIn: SignIn };
    const { lastSequence } = socket.handshake.auth as { lastSequence?: unknown };
    const address = addressOf(socket.request);
    const from = lastSequence == null ? undefined : (parseResumePoint(lastSequence) ?? NOWHERE);
    const connection = this.connections.get(socket.conn);
    if (!connection) return;
    const session = new ClientSession({ socket, connection, signIn, address, from }, this.sessionDeps);
    let release = () => {};
    this.namespaces.add(socket.nsp);
    clients.add(session);
    connection.sessions.add(session);
    socket.once('disconnect', () => {
      clients.remove(session);
      session.close();
      release();
    });
    try {
      release = limits.enter(userKeyOf(signIn.principal), address);
    } catch (error) {
      session.end(error);
      return;
    }
    session.open();
    // The policy may have changed, or the credentials expired, since they were checked.
    session.resume(session.suspend());
    if (outage.isDegraded) session.tell('Degraded', { message: DEGRADED_MESSAGE });
  }

  private send(taken: readonly TakenMessage[]): void {
    for (const connection of this.full) for (const session of connection.sessions) session.chooseWay();
    this.full.clear();
    const behind = this.queuedEvents(taken);
    for (const namespace of this.namespaces) {
      (namespace.adapter as JoiningAdapter).join(() => {
        for (const each of taken) broadcast(namespace, each);
      }, this.writes);
    }
    // After the broadcasts have their sockets, because a session whose queue drains here gets broadcasts again.
    for (const [session, events] of behind) {
      for (const { payloads, message } of events) session.sendEvents(payloads, message.envelope, message.position, 0);
    }
  }

  /** Events for the sessions that get them through their queues. */
  private queuedEvents(taken: readonly TakenMessage[]): Map<ClientSession, QueuedEvents[]> {
    const queued = new Map<ClientSession, QueuedEvents[]>();
    for (const { message, deliveries } of taken) {
      for (const { rooms, payloads } of deliveries) {
        for (const session of rooms.flatMap((room) => [...this.queued.in(room)])) {
          const events = queued.get(session) ?? [];
          events.push({ message, payloads });
          queued.set(session, events);
        }
      }
    }
    return queued;
  }
}

/** Divides messages, because what one write contains cannot be withdrawn from a slow client any more. */
function piecesOf(taken: readonly TakenMessage[]): TakenMessage[][] {
  const pieces: TakenMessage[][] = [];
  let length = MAX_PIECE_LENGTH;
  for (const each of taken) {
    const own = lengthOf(each);
    if (length + own > MAX_PIECE_LENGTH) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)?.push(each);
    length += own;
  }
  return pieces;
}

function lengthOf({ deliveries }: TakenMessage): number {
  return deliveries.flatMap(({ payloads }) => payloads).reduce((sum, payload) => sum + eventLength(payload), 0);
}

function broadcast(namespace: Namespace, { message: { envelope, position }, deliveries }: TakenMessage): void {
  for (const { rooms, payloads } of deliveries) {
    const here = rooms.filter((room) => namespace.adapter.rooms.has(room));
    if (here.length === 0) continue;
    payloads.forEach((payload, index) => namespace.to(here).emit(envelope.type, payload, metaOf(envelope, position, index)));
  }
}

function sessionIdOf(url = ''): string {
  return /[?&]sid=([^&]+)/.exec(url)?.[1] ?? '';
}
