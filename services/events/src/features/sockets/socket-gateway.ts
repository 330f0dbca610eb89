import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Authenticator, SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { BrowserGuard, Logger } from '@sinebar/service-kit';
import { Server as Engine, type Socket as Connection } from 'engine.io';
import { Server, type Namespace, type Socket } from 'socket.io';
import { Audience } from '../audience/audience.js';
import type { BehindClient } from '../dispatch/catch-up.js';
import type { OutageWatch } from '../dispatch/outage-watch.js';
import { behindMessage, metaOf, parseResumePoint, type ResumePoint } from '../dispatch/resume-point.js';
import { ClientSession, type SessionSurroundings } from './client-session.js';
import { ConnectionLimits } from './connection-limits.js';
import { authorizationOf, refuseEnded } from './credentials.js';
import { joinFrames } from './joined-frames.js';
import { pingAmongEvents } from './send-buffer.js';
import { attachSocketEndpoint, type SocketEndpoint } from './socket-addresses.js';

export interface SocketGatewayOptions {
  log: Logger;
  authenticator: Pick<Authenticator, 'authenticate' | 'renew'>;
  /** Address of the client that sent a request. */
  addressOf: (request: IncomingMessage) => string;
  /** Counts the clients, together with whoever else keeps connections open. */
  limits: ConnectionLimits;
  /** Last message sent to all live clients; nobody is let in before there is one. */
  position: () => StreamPosition | undefined;
  catchUp: (client: BehindClient, from: ResumePoint, signal: AbortSignal) => Promise<void>;
  outage: Pick<OutageWatch, 'look' | 'isDegraded'>;
  polling: boolean;
  corsOrigins: readonly string[];
  maxWaitingBytes: number;
  /** Bytes of one message from a client, at most. */
  maxMessageBytes: number;
  pingIntervalMs: number;
  pingTimeoutMs: number;
  /** Connections below Socket.IO from one address, at most; 0: any number. */
  transportsPerAddress: number;
  /** How long before the end of its credentials a client is warned, milliseconds. */
  warningMs: number;
  nowMs: () => number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 100;
const DEGRADED_MESSAGE = 'the message broker cannot be reached at the moment: events come later, none is lost';
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
  private readonly surroundings: SessionSurroundings;
  private readonly sessions = new Map<Socket, ClientSession>();
  /** One connection may carry several namespaces. */
  private readonly sessionsOn = new WeakMap<Connection, number>();
  private readonly namespaces = new Set<Namespace>();
  private readonly servers = new Set<HttpServer>();
  private readonly transports: ConnectionLimits;
  private looking: NodeJS.Timeout | undefined;
  /** When the credentials of somebody end or are to be warned about next, milliseconds since 1970. */
  private nextSignInLookMs = Infinity;
  private slow = 0;
  private closing: Promise<void> | undefined;

  constructor(options: SocketGatewayOptions) {
    this.options = options;
    this.io = new Server({ serveClient: false, connectTimeout: CONNECT_TIMEOUT_MS });
    this.engine = new Engine({
      transports: options.polling ? ['polling', 'websocket'] : ['websocket'],
      perMessageDeflate: false,
      maxHttpBufferSize: options.maxMessageBytes,
      pingInterval: options.pingIntervalMs,
      pingTimeout: options.pingTimeoutMs,
      ...(options.corsOrigins.length > 0 && { cors: { origin: options.corsOrigins.includes('*') ? '*' : [...options.corsOrigins] } }),
    });
    joinFrames(this.engine);
    pingAmongEvents(this.engine);
    this.surroundings = {
      ...options,
      audience: new Audience(),
      onSignIn: (session) => this.lookAtNext(session.checkSignIn(Date.now())),
      isShared: ({ conn }) => (this.sessionsOn.get(conn) ?? 0) > 1,
    };
    this.transports = new ConnectionLimits({ perUser: 0, perAddress: options.transportsPerAddress });
    this.engine.on('connection', (connection: Connection) => this.count(connection));
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

  /** How often a live client was too slow and was moved to catching up. */
  get slowCount(): number {
    return this.slow;
  }

  attach(server: HttpServer, guard: BrowserGuard): void {
    const endpoint: SocketEndpoint = {
      request: (request, response) => this.engine.handleRequest(request, response),
      upgrade: (request, socket, head) => this.engine.handleUpgrade(request, socket, head),
      refusal: (request) => this.refusal(request),
    };
    attachSocketEndpoint(server, endpoint, guard);
    server.once('listening', () => this.servers.add(server));
  }

  start(): void {
    this.looking = setInterval(() => {
      // A server that is being closed waits for its open sockets, which wait for nothing: they are closed here.
      if ([...this.servers].some(({ listening }) => !listening)) void this.close();
      else this.look();
    }, LOOK_EVERY_MS);
    this.looking.unref();
  }

  /** Sends a message to all live clients that want it and may see it. */
  deliver({ envelope, position }: StreamMessage): void {
    this.lookAtSignIns();
    if (this.options.outage.isDegraded) this.lookAtOutage();
    const deliveries = this.surroundings.audience.deliveries(envelope);
    for (const { rooms, payloads } of deliveries) {
      const targets = this.targetsOf(rooms);
      payloads.forEach((payload, index) => {
        const meta = metaOf(envelope, position, index);
        for (const { namespace, rooms } of targets) namespace.to(rooms).emit(envelope.type, payload, meta);
      });
    }
  }

  /** Tells the live clients that messages were lost to them; events go on behind the position. */
  announceGap(position: StreamPosition): void {
    for (const session of this.sessions.values()) if (session.isLive) session.sendGap(position);
  }

  /**
   * Gives every client the rights of the policy that is in force now. Runs without a wait in between, so that no event comes amid, and all leave before
   * the first comes back: a set of rights that keeps its key may mean something else now.
   */
  policyChanged(): void {
    const suspended = [...this.sessions.values()].map((session) => ({ session, wasLive: session.suspend() }));
    for (const { session, wasLive } of suspended) session.resume(wasLive);
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
    clearInterval(this.looking);
    await this.io.close();
  }

  private refusal(request: IncomingMessage): ServiceError | undefined {
    if (!/[?&]EIO=/.test(request.url ?? ''))
      return new ServiceError('InvalidRequest', 'this address is for Socket.IO clients; the feed over REST is /eventServiceRest/changes');
    if (this.closing) return new ServiceError('Unavailable', 'the server is stopping', { retryAfterSeconds: 5 });
    // Without a position a client that connects now could miss what is published before the stream is followed.
    if (!this.options.position())
      return new ServiceError('Unavailable', 'the event stream cannot be reached at the moment', { retryAfterSeconds: 5 });
    if (/[?&]sid=[^&]/.test(request.url ?? '')) return undefined;
    try {
      this.transports.check('', this.options.addressOf(request));
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
    return undefined;
  }

  /** Below Socket.IO, where a connection needs no credentials yet. */
  private count(connection: Connection): void {
    try {
      connection.once('close', this.transports.enter('', this.options.addressOf(connection.request)));
    } catch {
      // Several came at once when there was room for one.
      connection.close(true);
    }
  }

  private async admit(socket: Socket, next: (error?: Error & { data?: unknown }) => void): Promise<void> {
    const { authenticator, addressOf, limits, log } = this.options;
    const { auth, headers } = socket.handshake;
    const address = addressOf(socket.request);
    try {
      const signIn = await authenticator.authenticate({ authorization: authorizationOf(auth) ?? headers.authorization, address });
      refuseEnded(signIn);
      limits.check(signIn.principal.name, address);
      (socket.data as { signIn?: SignIn }).signIn = signIn;
      next();
    } catch (error) {
      const known = error instanceof ServiceError ? error : new ServiceError('InternalError', 'something went wrong inside the server');
      if (known !== error) log.error({ err: error }, 'a client could not be admitted');
      else log.info({ address, code: known.code, reason: known.message }, 'a client was not admitted');
      next(Object.assign(new Error(known.message), { data: { code: known.code } }));
    }
  }

  private open(socket: Socket): void {
    const { addressOf, limits, outage } = this.options;
    const { signIn } = socket.data as { signIn: SignIn };
    const { lastSequence } = socket.handshake.auth as { lastSequence?: unknown };
    const address = addressOf(socket.request);
    const from = lastSequence == null ? undefined : (parseResumePoint(lastSequence) ?? NOWHERE);
    const session = new ClientSession({ socket, signIn, address, from }, this.surroundings);
    let release = () => {};
    this.namespaces.add(socket.nsp);
    this.sessions.set(socket, session);
    this.sessionsOn.set(socket.conn, (this.sessionsOn.get(socket.conn) ?? 0) + 1);
    socket.once('disconnect', () => {
      this.sessions.delete(socket);
      this.sessionsOn.set(socket.conn, (this.sessionsOn.get(socket.conn) ?? 0) - 1);
      session.close();
      release();
    });
    try {
      release = limits.enter(signIn.principal.name, address);
    } catch (error) {
      session.end(error);
      return;
    }
    session.open();
    // The policy may have changed, or the credentials ended, since they were looked at.
    session.resume(session.suspend());
    if (outage.isDegraded) session.tell('Degraded', { message: DEGRADED_MESSAGE });
  }

  private targetsOf(rooms: readonly string[]): { namespace: Namespace; rooms: string[] }[] {
    return [...this.namespaces]
      .map((namespace) => ({ namespace, rooms: rooms.filter((room) => namespace.adapter.rooms.has(room)) }))
      .filter((target) => target.rooms.length > 0);
  }

  private look(): void {
    this.lookAtSignIns();
    this.lookAtOutage();
    this.moveSlowClients();
  }

  private lookAtOutage(): void {
    const news = this.options.outage.look();
    if (news) this.tellOutage(news);
  }

  /** Before each message as well: nothing is sent on credentials that have ended. */
  private lookAtSignIns(): void {
    const now = Date.now();
    if (now < this.nextSignInLookMs) return;
    this.nextSignInLookMs = Infinity;
    for (const session of [...this.sessions.values()]) this.lookAtNext(session.checkSignIn(now));
  }

  private lookAtNext(atMs: number): void {
    this.nextSignInLookMs = Math.min(this.nextSignInLookMs, atMs);
  }

  private tellOutage(news: 'Degraded' | 'Restored'): void {
    this.options.log.warn(
      { clients: this.sessions.size },
      news === 'Degraded' ? 'clients are told that events come late' : 'events come again',
    );
    for (const session of this.sessions.values()) {
      if (news === 'Degraded') session.tell('Degraded', { message: DEGRADED_MESSAGE });
      else session.tell('Restored', {});
    }
  }

  private moveSlowClients(): void {
    const position = this.options.position();
    if (!position) return;
    for (const session of this.sessions.values()) {
      if (!session.isLive || !session.isFull()) continue;
      this.options.log.info({ position }, 'a client does not read as fast as events come and is moved to catching up');
      this.slow += 1;
      session.fallBehind(behindMessage(position));
    }
  }
}
