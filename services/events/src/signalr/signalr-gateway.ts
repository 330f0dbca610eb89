import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { userKeyOf } from '@sinebar/access-control';
import type { SignIn } from '@sinebar/authentication';
import { settlesWithin } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type { StreamMessage } from '@sinebar/message-bus';
import { WebSocketServer } from 'ws';
import type { Delivery } from '../audience/audience.ts';
import { openingRefusal, refuseEnded, type ConnectionOptions } from '../connections/connection-options.ts';
import { isNegotiation, refuseUpgrade, sendRefusal, type EventEndpoint, type ProtocolGateway } from '../connections/event-gateway.ts';
import { Rooms } from '../connections/rooms.ts';
import { newSessionId } from '../connections/session-id.ts';
import { HubConnection, HUB_TIMES, type HubDependencies, type HubTimes } from './hub-connection.ts';
import { eventMessages, isSentOverSignalR } from './hub-messages.ts';
import type { HubSession } from './hub-session.ts';
import { LongPollingTransport } from './long-polling-transport.ts';
import { negotiate } from './negotiation.ts';
import { allowPage, answerPreflight } from './page-access.ts';
import { ProtocolRefusal, readBody, readRequest, type SignalRRequest } from './signalr-requests.ts';
import { openServerSentEvents, openWebSocket } from './streaming-transports.ts';

export interface SignalRGatewayOptions extends ConnectionOptions {
  polling: boolean;
  times?: Partial<HubTimes> | undefined;
}

/** Maximum bytes of one frame; each message in it has its own limit. */
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_CHECK_MS = 1000;
/** Time for clients to receive the closing message when the server stops, milliseconds. */
const CLOSING_MS = 1000;

/** SignalR gateway: a hub without methods at `/events`, over three transports. spec: signalr.md */
export class SignalRGateway implements ProtocolGateway, EventEndpoint {
  private readonly options: SignalRGatewayOptions;
  private readonly times: HubTimes;
  private readonly rooms = new Rooms<HubSession>();
  private readonly hubDeps: HubDependencies;
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  /** Connections by their secret. A closed one is kept for a while to answer the client's last requests. */
  private readonly connections = new Map<string, HubConnection>();
  private timer: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;

  constructor(options: SignalRGatewayOptions) {
    this.options = options;
    this.times = { ...HUB_TIMES, ...options.times };
    const { clients, clientDeps } = options;
    this.hubDeps = { clients, clientDeps, times: this.times, rooms: this.rooms };
  }

  start(): void {
    this.timer ??= setInterval(() => this.checkTimes(), Math.min(MAX_CHECK_MS, this.times.pingMs / 4));
    this.timer.unref();
  }

  refusal(request: IncomingMessage): ServiceError | undefined {
    const isKnown = this.connections.has(readRequest(request).id ?? '');
    return openingRefusal(this.options.clientDeps, this.closing !== undefined && !isKnown);
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Cache-Control', 'no-cache, no-store');
    allowPage(request, response, this.options.corsOrigins);
    this.answer(request, response).catch((error: unknown) => this.sendProblem(response, error));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ignoreError = () => undefined;
    socket.on('error', ignoreError);
    this.connectionForSocket(request)
      .then((connection) => {
        // Another request may have used it during the sign-in of this one.
        checkUnused(connection);
        socket.off('error', ignoreError);
        this.sockets.handleUpgrade(request, socket, head, (webSocket) => openWebSocket(connection, webSocket));
      })
      .catch((error: unknown) => refuseUpgrade(socket, this.knownError(error)));
  }

  deliver({ envelope, position }: StreamMessage, deliveries: readonly Delivery[]): void {
    if (!isSentOverSignalR(envelope)) return;
    for (const { rooms, payloads } of deliveries) {
      let text: string | undefined;
      for (const room of rooms) {
        for (const session of this.rooms.in(room)) {
          text ??= eventMessages(payloads, envelope, position, 0);
          session.push(text, { ...position, index: 0 });
        }
      }
    }
  }

  /** Asks clients to reconnect, which they do elsewhere. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    const open = [...this.connections.values()];
    for (const connection of open) connection.close(undefined, true);
    await settlesWithin(Promise.all(open.map(({ ended }) => ended)), CLOSING_MS);
    clearInterval(this.timer);
    for (const connection of open) connection.abort();
    for (const socket of this.sockets.clients) socket.terminate();
    this.connections.clear();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      answerPreflight(response);
      return;
    }
    const asked = readRequest(request);
    if (isNegotiation(asked.path)) {
      checkMethod(request, ['POST']);
      request.resume();
      const { token, answer } = negotiate(asked.negotiateVersion, this.options.polling, request);
      await this.open(token, asked, request);
      sendText(response, 200, JSON.stringify(answer), 'application/json');
      return;
    }
    checkMethod(request, ['GET', 'POST', 'DELETE']);
    const connection = await this.findConnection(asked, request);
    if (request.method === 'GET') this.listen(connection, request, response);
    else if (request.method === 'POST') await this.receive(connection, request, response);
    else {
      this.connections.delete(asked.id as string);
      connection.abort();
      sendText(response, 202, '');
    }
  }

  /** Opens a connection for the signed-in user. @throws ServiceError 401, 403, 429, 503 */
  private async open(token: string, { authorization }: SignalRRequest, request: IncomingMessage): Promise<HubConnection> {
    const { limits, addressOf, clientDeps } = this.options;
    const address = addressOf(request);
    try {
      const signIn = await this.signIn(authorization, address);
      if (this.closing)
        throw new ServiceError('Unavailable', 'The server is stopping. Connect again in a few seconds.', { retryAfterSeconds: 5 });
      const release = limits.enter(userKeyOf(signIn.principal), address);
      const connection = new HubConnection({ signIn, address, release }, this.hubDeps);
      this.connections.set(token, connection);
      return connection;
    } catch (error) {
      if (error instanceof ServiceError) {
        clientDeps.log.info({ address, code: error.code, reason: error.message }, 'a client was not admitted');
      }
      throw error;
    }
  }

  private async signIn(authorization: string | undefined, address: string): Promise<SignIn> {
    const signIn = await this.options.clientDeps.authenticator.authenticate({ authorization, address });
    refuseEnded(signIn);
    return signIn;
  }

  /**
   * Returns the connection that a request names.
   * It is unknown to another user, as if it did not exist.
   * @throws ServiceError 401, ProtocolRefusal 400, 404
   */
  private async findConnection({ id, authorization }: SignalRRequest, request: IncomingMessage): Promise<HubConnection> {
    const signIn = await this.signIn(authorization, this.options.addressOf(request));
    if (id === undefined) throw new ProtocolRefusal(400, 'Connection ID required');
    const connection = this.connections.get(id);
    if (!connection || userKeyOf(connection.signIn.principal) !== userKeyOf(signIn.principal)) throw noConnection();
    connection.signInAgain(signIn);
    return connection;
  }

  private async connectionForSocket(request: IncomingMessage): Promise<HubConnection> {
    const asked = readRequest(request);
    if (isNegotiation(asked.path)) throw new ServiceError('NotFound', 'There is no WebSocket at this address. Connect to /events.');
    // Without a negotiation this is the first request.
    if (asked.id === undefined) return this.open(newSessionId(request), asked, request);
    return this.findConnection(asked, request);
  }

  /** Starts to send, or continues for long polling. */
  private listen(connection: HubConnection, request: IncomingMessage, response: ServerResponse): void {
    const { transport } = connection;
    if (transport instanceof LongPollingTransport) {
      if (connection.isClosing && connection.isDrained) sendText(response, 204, '');
      else transport.poll(response);
      return;
    }
    checkUnused(connection);
    if (/\btext\/event-stream\b/i.test(request.headers.accept ?? '')) {
      openServerSentEvents(connection, response);
      return;
    }
    if (!this.options.polling) throw new ServiceError('InvalidRequest', 'Long polling is turned off on this server. Use a WebSocket.');
    connection.startTransport(new LongPollingTransport(connection, this.times.pollMs, this.options.clientDeps.nowMs));
    sendText(response, 200, '');
  }

  private async receive(connection: HubConnection, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (connection.transport?.name === 'WebSockets') throw conflict(connection);
    connection.receive(await readBody(request, this.times.silenceMs));
    sendText(response, 200, '');
  }

  private checkTimes(): void {
    for (const [token, connection] of this.connections) {
      connection.checkTimes();
      if ((connection.closedForMs ?? 0) > this.times.handshakeMs) this.connections.delete(token);
    }
  }

  private sendProblem(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (error instanceof ProtocolRefusal) sendText(response, error.status, error.message);
    else sendRefusal(response, this.knownError(error));
  }

  private knownError(error: unknown): unknown {
    if (error instanceof ProtocolRefusal) return new ServiceError(error.status === 404 ? 'NotFound' : 'InvalidRequest', error.message);
    if (!(error instanceof ServiceError)) this.options.clientDeps.log.error({ err: error }, 'a request for events failed');
    return error;
  }
}

function sendText(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  if (status !== 204) {
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Length', Buffer.byteLength(text));
  }
  response.writeHead(status).end(text);
}

function checkMethod({ method = '' }: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  const list = allowed.join(', ');
  throw new ServiceError('MethodNotAllowed', `${method} is not possible here. Use ${list}.`, { headers: { Allow: list } });
}

/** @throws ServiceError 409, ProtocolRefusal 404 */
function checkUnused(connection: HubConnection): void {
  if (connection.isClosing) throw noConnection();
  if (connection.transport) throw conflict(connection);
}

function noConnection(): ProtocolRefusal {
  return new ProtocolRefusal(404, 'No Connection with that ID');
}

function conflict({ transport }: HubConnection): ServiceError {
  return new ServiceError('Conflict', `This connection already uses the transport ${transport?.name ?? ''}. Negotiate a new one.`);
}
