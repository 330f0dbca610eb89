import { MessageType, type HubMessage } from '@microsoft/signalr';
import type { SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';
import type { ConnectionOptions } from '../connections/connection-options.ts';
import { RequestRate } from '../connections/connection-limits.ts';
import type { Rooms } from '../connections/rooms.ts';
import {
  closeMessage,
  handshakeAnswer,
  handshakeProblem,
  HubProtocolError,
  MessageReader,
  noSuchMethod,
  parseMessage,
  PING_MESSAGE,
  tooManyCalls,
} from './hub-messages.ts';
import { HubSession } from './hub-session.ts';
import { TextQueue, type Writer } from './text-queue.ts';

/** Times of the protocol in milliseconds. */
export interface HubTimes {
  /** Time-out between negotiation and handshake. */
  handshakeMs: number;
  /** Time without a sent message after which the server sends a ping. */
  pingMs: number;
  /** Time without a message from the client, or without a poll, after which the connection is closed. */
  silenceMs: number;
  /** Time after which a waiting poll is answered empty. */
  pollMs: number;
}

/**
 * Default times. A poll ends before the 100 s time-out of JavaScript clients: a later answer would be lost.
 * spec: signalr.md, Transports and Messages
 */
export const HUB_TIMES: HubTimes = { handshakeMs: 15_000, pingMs: 15_000, silenceMs: 30_000, pollMs: 90_000 };

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** Transport of the bytes of a connection. */
export interface HubTransport {
  readonly name: TransportName;
  /** True if polls prove that the client is alive; on other transports both sides send pings. */
  readonly keepsItselfAlive: boolean;
  /** Returns the time since which no poll has been waiting, by the gateway's clock; `undefined` while one waits. */
  idleSinceMs(): number | undefined;
  /** Closes the transport after everything written is sent. */
  close(): void;
  /** Closes the transport at once. */
  abort(): void;
}

export interface NewHubConnection {
  signIn: SignIn;
  address: string;
  /** Ends the count of the connection in the limits. */
  release: () => void;
}

export interface HubDependencies extends Pick<ConnectionOptions, 'clients' | 'clientDeps'> {
  times: HubTimes;
  rooms: Rooms<HubSession>;
}

const REQUESTS_PER_SECOND = 20;
const REFUSALS_BEFORE_END = 200;

/** One SignalR connection from negotiation to end, over any transport. */
export class HubConnection {
  private readonly deps: HubDependencies;
  private readonly address: string;
  private readonly release: () => void;
  private readonly reader = new MessageReader();
  private readonly rate: RequestRate;
  private readonly queue: TextQueue;
  private readonly begunMs: number;
  private currentSignIn: SignIn;
  private session: HubSession | undefined;
  private currentTransport: HubTransport | undefined;
  private receivedMs: number;
  private sentMs: number;
  /** Time at which closing started. */
  private closedAtMs: number | undefined;
  private isOver = false;
  private readonly ending = Promise.withResolvers<void>();
  /** Resolves when the transport has ended. */
  readonly ended = this.ending.promise;

  constructor({ signIn, address, release }: NewHubConnection, deps: HubDependencies) {
    this.deps = deps;
    this.currentSignIn = signIn;
    this.address = address;
    this.release = release;
    this.begunMs = this.receivedMs = this.sentMs = this.nowMs();
    this.rate = new RequestRate(REQUESTS_PER_SECOND, REFUSALS_BEFORE_END, deps.clientDeps.nowMs);
    this.queue = new TextQueue(() => (this.sentMs = this.nowMs()));
  }

  get signIn(): SignIn {
    return this.session?.signIn ?? this.currentSignIn;
  }

  get transport(): HubTransport | undefined {
    return this.currentTransport;
  }

  /** True once the closing message is sent or queued; nothing follows it. */
  get isClosing(): boolean {
    return this.closedAtMs !== undefined;
  }

  /** Milliseconds since closing started; `undefined` while the connection is open. */
  get closedForMs(): number | undefined {
    return this.closedAtMs === undefined ? undefined : this.nowMs() - this.closedAtMs;
  }

  /** True if the network has accepted everything, the closing message included. */
  get isDrained(): boolean {
    return this.isClosing && this.queue.isEmpty;
  }

  startTransport(transport: HubTransport): void {
    this.currentTransport = transport;
  }

  /** Sends waiting and later messages through this writer. */
  writeTo(writer: Writer | undefined): void {
    this.queue.writeTo(
      writer &&
        ((text, done) =>
          writer(text, () => {
            done();
            this.endWhenDrained();
          })),
    );
  }

  /** Processes bytes from the client. */
  receive(piece: Buffer): void {
    this.receivedMs = this.nowMs();
    if (this.isClosing) return;
    try {
      for (const message of this.reader.read(piece)) {
        if (this.isClosing) return;
        if (this.session) for (const each of parseMessage(message)) this.answer(each);
        else this.shakeHands(message);
      }
    } catch (error) {
      if (!(error instanceof HubProtocolError)) throw error;
      this.close(this.session ? error.message : undefined, true);
    }
  }

  /** Applies other credentials of the same user from a later request. */
  signInAgain(signIn: SignIn): void {
    if ((signIn.expiresAt?.getTime() ?? Infinity) <= (this.signIn.expiresAt?.getTime() ?? Infinity)) return;
    if (this.session) this.session.signInAgain(signIn);
    else this.currentSignIn = signIn;
  }

  /** Sends the closing message if the client can understand it, and closes. */
  close(error: string | undefined, allowReconnect: boolean): void {
    if (this.isClosing) return;
    this.closedAtMs = this.nowMs();
    if (this.session) this.queue.send(closeMessage(error, allowReconnect));
    this.leave();
    this.endWhenDrained();
  }

  /** Closes without a message: the client has disconnected, or nothing can be sent. */
  abort(): void {
    if (this.isOver) return;
    this.closedAtMs ??= this.nowMs();
    this.leave();
    this.queue.clear();
    this.currentTransport?.abort();
    this.end();
  }

  /** Sends pings and closes silent connections; call it periodically. */
  checkTimes(): void {
    const { handshakeMs, pingMs, silenceMs } = this.deps.times;
    const now = this.nowMs();
    if (this.closedForMs !== undefined) {
      if (this.closedForMs > handshakeMs) this.abort();
      return;
    }
    if (!this.session) {
      if (now - this.begunMs > handshakeMs) this.abort();
      return;
    }
    const silentSinceMs = this.currentTransport?.keepsItselfAlive ? (this.currentTransport.idleSinceMs() ?? now) : this.receivedMs;
    if (now - silentSinceMs > silenceMs) this.close('Nothing was heard from the client for too long.', true);
    else if (!this.currentTransport?.keepsItselfAlive && now - this.sentMs >= pingMs && this.queue.isEmpty) this.queue.send(PING_MESSAGE);
  }

  private shakeHands(message: string): void {
    const problem = handshakeProblem(message);
    this.queue.send(handshakeAnswer(problem));
    if (problem !== undefined) {
      this.close(undefined, false);
      return;
    }
    const { clients, clientDeps, rooms } = this.deps;
    const session = new HubSession(
      {
        signIn: this.currentSignIn,
        address: this.address,
        queue: this.queue,
        rooms,
        closeConnection: (error, allowReconnect) => this.close(error, allowReconnect),
      },
      clientDeps,
    );
    this.session = session;
    clients.add(session);
    session.open();
    // The policy may have changed, or the credentials expired, since they were checked.
    session.resume(session.suspend());
  }

  private answer(message: HubMessage): void {
    const verdict = this.rate.next();
    const invocationId = message.type === MessageType.Invocation ? message.invocationId : undefined;
    if (verdict === 'end') {
      this.session?.end(
        new ServiceError('TooManyRequests', `The connection sent many more than ${REQUESTS_PER_SECOND} messages in a second. Send fewer.`),
      );
    } else if (verdict === 'refuse') {
      if (invocationId !== undefined) this.queue.send(tooManyCalls(invocationId, REQUESTS_PER_SECOND));
    } else if (message.type === MessageType.Invocation) {
      if (invocationId !== undefined) this.queue.send(noSuchMethod(invocationId, message.target));
    } else if (message.type === MessageType.Close) {
      this.close(undefined, true);
    }
  }

  private leave(): void {
    if (this.session) {
      this.session.close();
      this.deps.clients.remove(this.session);
    }
  }

  private endWhenDrained(): void {
    if (!this.isDrained || this.isOver) return;
    this.currentTransport?.close();
    this.end();
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.release();
    this.ending.resolve();
  }

  private nowMs(): number {
    return this.deps.clientDeps.nowMs();
  }
}
