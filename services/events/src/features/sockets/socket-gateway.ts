import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import { GAP_EVENT, ServiceError } from '@sinebar/contracts';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/service-kit';
import { Server as Engine } from 'engine.io';
import { Server, type Namespace, type Socket } from 'socket.io';
import { Audience } from '../audience/audience.js';
import type { BehindClient } from '../dispatch/catch-up.js';
import { behindMessage, metaOf, parseResumePoint, type ResumePoint } from '../dispatch/resume-point.js';
import { ClientSession } from './client-session.js';
import { isAllowedOrigin } from './origin-rule.js';
import { joinWrites } from './send-buffer.js';
import { attachSocketEndpoint } from './socket-addresses.js';

/** What a client showed when it connected. */
export interface Handshake {
  /** The header `Authorization`. */
  authorization: string | undefined;
  /** What the client gave as `auth`. */
  auth: Readonly<Record<string, unknown>>;
  /** The request that opened the connection. */
  request: IncomingMessage;
}

export interface SocketGatewayOptions {
  log: Logger;
  /** @throws ServiceError, whose sentence the client gets as `connect_error` */
  admit: (handshake: Handshake) => Principal | Promise<Principal>;
  /** Last message sent to all live clients; nobody is let in before there is one. */
  position: () => StreamPosition | undefined;
  catchUp: (client: BehindClient, from: ResumePoint, signal: AbortSignal) => Promise<void>;
  polling: boolean;
  corsOrigins: readonly string[];
  maxWaitingBytes: number;
  nowMs: () => number;
}

/** Bytes of one message from a client, at most: clients send nothing but subscriptions. */
export const MAX_CLIENT_MESSAGE_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const SLOW_CHECK_MS = 100;
/** Never given to a client by the server, so a `lastSequence` that is malformed resumes at a place that does not exist: a `Gap`. */
const NOWHERE: ResumePoint = { epoch: '', sequence: 0, index: 0 };

/**
 * The Socket.IO side: namespaces `/` and `/events`, each under the paths `/socket.io` and `/events`, which makes both documented ways to connect work with
 * one engine. spec: decisions.md 7.2
 */
export class SocketGateway {
  private readonly options: SocketGatewayOptions;
  private readonly io: Server;
  private readonly engine: Engine;
  private readonly audience = new Audience();
  private readonly sessions = new Map<Socket, ClientSession>();
  private readonly namespaces = new Set<Namespace>();
  private readonly servers = new Set<HttpServer>();
  private slowCheck: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;

  constructor(options: SocketGatewayOptions) {
    this.options = options;
    this.io = new Server({ serveClient: false, connectTimeout: CONNECT_TIMEOUT_MS });
    this.engine = new Engine({
      transports: options.polling ? ['polling', 'websocket'] : ['websocket'],
      perMessageDeflate: false,
      maxHttpBufferSize: MAX_CLIENT_MESSAGE_BYTES,
      ...(options.corsOrigins.length > 0 && { cors: { origin: options.corsOrigins.includes('*') ? '*' : [...options.corsOrigins] } }),
    });
    joinWrites(this.engine);
    this.io.bind(this.engine);
    for (const namespace of [this.io.of('/'), this.io.of(/^\/events\/?$/i)]) {
      namespace.use((socket, next) => void this.admit(socket, next));
      namespace.on('connection', (socket) => this.open(socket));
    }
  }

  get clientCount(): number {
    return this.sessions.size;
  }

  /** Clients that are behind the live stream. */
  get behindCount(): number {
    return [...this.sessions.values()].filter((session) => !session.isLive).length;
  }

  attach(server: HttpServer): void {
    attachSocketEndpoint(server, {
      request: (request, response) => this.engine.handleRequest(request, response),
      upgrade: (request, socket, head) => this.engine.handleUpgrade(request, socket, head),
      refusal: (request) => this.refusal(request),
    });
    server.once('listening', () => this.servers.add(server));
  }

  start(): void {
    this.slowCheck = setInterval(() => {
      // A server that is being closed waits for its open sockets, which wait for nothing: they are closed here.
      if ([...this.servers].some(({ listening }) => !listening)) void this.close();
      else this.moveSlowClients();
    }, SLOW_CHECK_MS);
    this.slowCheck.unref();
  }

  /** Sends a message to all live clients that want it and may see it. */
  deliver({ envelope, position }: StreamMessage): void {
    const deliveries = this.audience.deliveries(envelope);
    for (const { rooms, payloads } of deliveries) {
      const targets = this.targetsOf(rooms);
      payloads.forEach((payload, index) => {
        const meta = metaOf(envelope, position, index);
        for (const { namespace, rooms } of targets) namespace.to(rooms).emit(envelope.type, payload, meta);
      });
    }
  }

  announceGap(): void {
    for (const [socket, session] of this.sessions) if (session.isLive) socket.emit(GAP_EVENT, {});
  }

  /**
   * Ends all connections below Socket.IO: clients see a lost transport and connect again by themselves, which they do not after a disconnect
   * that the server asked for.
   */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    clearInterval(this.slowCheck);
    await this.io.close();
  }

  private refusal(request: IncomingMessage): ServiceError | undefined {
    if (!/[?&]EIO=/.test(request.url ?? ''))
      return new ServiceError('InvalidRequest', 'this address is for Socket.IO clients; the feed over REST is /eventServiceRest/changes');
    if (this.closing) return new ServiceError('Unavailable', 'the server is stopping', { retryAfterSeconds: 5 });
    // Without a position a client that connects now could miss what is published before the stream is followed.
    if (!this.options.position())
      return new ServiceError('Unavailable', 'the event stream cannot be reached at the moment', { retryAfterSeconds: 5 });
    if (!isAllowedOrigin(request, this.options.corsOrigins)) {
      return new ServiceError('Forbidden', 'pages of this origin may not connect; an administrator can allow it with SINEBAR_CORS_ORIGINS');
    }
    return undefined;
  }

  private async admit(socket: Socket, next: (error?: Error & { data?: unknown }) => void): Promise<void> {
    try {
      const { auth, headers } = socket.handshake;
      const principal = await this.options.admit({ authorization: headers.authorization, auth, request: socket.request });
      (socket.data as { principal?: Principal }).principal = principal;
      next();
    } catch (error) {
      const known = error instanceof ServiceError ? error : new ServiceError('InternalError', 'something went wrong inside the server');
      if (known !== error) this.options.log.error({ err: error }, 'a client could not be admitted');
      next(Object.assign(new Error(known.message), { data: { code: known.code } }));
    }
  }

  private open(socket: Socket): void {
    const { principal } = socket.data as { principal: Principal };
    const { log, maxWaitingBytes, nowMs, catchUp } = this.options;
    const session = new ClientSession({ socket, principal, audience: this.audience, log, maxWaitingBytes, nowMs, catchUp });
    this.namespaces.add(socket.nsp);
    this.sessions.set(socket, session);
    socket.once('disconnect', () => {
      this.sessions.delete(socket);
      session.close();
    });
    const { lastSequence } = socket.handshake.auth as { lastSequence?: unknown };
    session.open(lastSequence == null ? undefined : (parseResumePoint(lastSequence) ?? NOWHERE));
  }

  private targetsOf(rooms: readonly string[]): { namespace: Namespace; rooms: string[] }[] {
    return [...this.namespaces]
      .map((namespace) => ({ namespace, rooms: rooms.filter((room) => namespace.adapter.rooms.has(room)) }))
      .filter((target) => target.rooms.length > 0);
  }

  private moveSlowClients(): void {
    const position = this.options.position();
    if (!position) return;
    for (const session of this.sessions.values()) {
      if (!session.isLive || !session.isFull()) continue;
      this.options.log.info({ position }, 'a client does not read as fast as events come and is moved to catching up');
      session.fallBehind(behindMessage(position));
    }
  }
}
