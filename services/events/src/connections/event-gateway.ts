import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';
import { ambiguousHost, errorReply, mergePrefixSlashes, sendContinue, type BrowserGuard } from '@sinebar/http';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import type { Delivery } from '../audience/audience.ts';
import type { OutageWatch } from '../dispatch/outage-watch.ts';
import type { ConnectedClients } from './connected-clients.ts';

/** One protocol over which clients listen. */
export interface ProtocolGateway {
  /** Takes a message for the live clients in the rooms. */
  deliver(message: StreamMessage, deliveries: readonly Delivery[]): void;
  /** Sends what the last calls of `deliver` took. @returns a promise if the writes need several turns of the event loop */
  flush?(): Promise<void> | undefined;
  /** Starts periodic work. */
  start?(): void;
  /** Closes all connections so that clients reconnect elsewhere, and refuses new ones. May be called again. */
  close(): Promise<void>;
}

export interface EventGatewayOptions {
  log: Logger;
  clients: ConnectedClients;
  protocols: readonly ProtocolGateway[];
  outage: Pick<OutageWatch, 'look' | 'isDegraded'>;
  /** Last message sent to all live clients. */
  position: () => StreamPosition | undefined;
}

export const DEGRADED_MESSAGE = 'The message broker cannot be reached at the moment. Events come later, and none is lost.';
const LOOK_EVERY_MS = 100;

/** Joins the clients of all protocols. */
export class EventGateway {
  private readonly options: EventGatewayOptions;
  private readonly servers = new Set<Server>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: EventGatewayOptions) {
    this.options = options;
  }

  /** Closes the connections when this server is closed. */
  watch(server: Server): void {
    server.once('listening', () => this.servers.add(server));
  }

  start(): void {
    this.timer ??= setInterval(() => {
      // A closing server waits for its open sockets, which would never end: they are closed here.
      if ([...this.servers].some(({ listening }) => !listening)) void this.close();
      else this.look();
    }, LOOK_EVERY_MS);
    this.timer.unref();
    for (const protocol of this.options.protocols) protocol.start?.();
  }

  /** Takes a message for all live clients that want it and may see it. */
  deliver(message: StreamMessage): void {
    const { clients, protocols, outage } = this.options;
    clients.checkSignIns();
    if (outage.isDegraded) this.checkOutage();
    const deliveries = clients.audience.deliveries(message.envelope);
    if (deliveries.length === 0) return;
    for (const protocol of protocols) protocol.deliver(message, deliveries);
  }

  /** Sends what the last calls of {@link deliver} took. @returns a promise if that needs several turns of the event loop */
  flush(): Promise<unknown> | undefined {
    const writes = this.options.protocols.flatMap((protocol) => protocol.flush?.() ?? []);
    return writes.length > 0 ? Promise.all(writes) : undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.options.protocols.map((protocol) => protocol.close()));
  }

  private look(): void {
    const { clients, position } = this.options;
    clients.checkSignIns();
    this.checkOutage();
    clients.moveSlowClients(position());
  }

  private checkOutage(): void {
    const { clients, outage, log } = this.options;
    const change = outage.look();
    if (!change) return;
    log.warn(
      { clients: clients.count() },
      change === 'Degraded' ? 'the message broker is unreachable; events are delayed' : 'the message broker is reachable again',
    );
    for (const client of clients) {
      if (change === 'Degraded') client.tell('Degraded', { message: DEGRADED_MESSAGE });
      else client.tell('Restored', {});
    }
  }
}

/** Handlers for the requests of one protocol. */
export interface EventEndpoint {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Returns the reason why this request cannot be answered at the moment. */
  refusal(request: IncomingMessage): ServiceError | undefined;
}

export type EventProtocol = 'socket.io' | 'signalr';

/**
 * Determines the protocol of a request.
 * The addresses are exactly `/socket.io`, `/events` and `/events/negotiate`, with or without a trailing slash, in any case. At `/events`
 * the requests of Engine.IO have its version `EIO` in the query, all others are SignalR's. Engine.IO answers every request that it is
 * given, so `/eventServiceRest/…` and `/eventsfoo` must not reach it. spec: decisions.md 7.2, signalr.md
 * @returns `undefined` for every other address
 */
export function eventProtocolOf(url: string | undefined): EventProtocol | undefined {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)([^#]*)/i.exec(url ?? '') ?? [];
  if (/^\/socket\.io\/?$/i.test(path)) return 'socket.io';
  if (/^\/events\/?$/i.test(path)) return isEngineIo(query) ? 'socket.io' : 'signalr';
  return isNegotiation(path) ? 'signalr' : undefined;
}

/** Tells whether a query, or an address with one, belongs to Engine.IO. */
export function isEngineIo(url: string | undefined): boolean {
  return /[?&]EIO=/.test(url ?? '');
}

/** @param path without a query */
export function isNegotiation(path: string): boolean {
  return /^\/events\/negotiate\/?$/i.test(path);
}

/**
 * Routes event addresses to the endpoints of their protocols.
 * All other requests go to the current listeners of the server, so call it after adding the application.
 * The guard checks every request first, even reads: browsers open sockets without a preflight.
 * The server must pass on only offers of WebSocket (`offersWebSocket`).
 * Those at other addresses go to other upgrade listeners; without one they are answered 404.
 */
export function attachEventEndpoints(
  server: Server,
  endpoints: Readonly<Record<EventProtocol, EventEndpoint>>,
  guard: Pick<BrowserGuard, 'socketRefusal'>,
): void {
  const others = server.listeners('request') as RequestListener[];
  const endpointOf = (request: IncomingMessage): EventEndpoint | undefined => {
    request.url = mergePrefixSlashes(request.url ?? '/');
    const protocol = eventProtocolOf(request.url);
    return protocol && endpoints[protocol];
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const endpoint = endpointOf(request);
    if (!endpoint) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const refusal = ambiguousHost(request) ?? guard.socketRefusal(request) ?? endpoint.refusal(request);
    if (refusal) {
      sendRefusal(response, refusal);
      return;
    }
    sendContinue(request);
    endpoint.request(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ambiguous = ambiguousHost(request);
    if (ambiguous) {
      refuseUpgrade(socket, ambiguous);
      return;
    }
    const endpoint = endpointOf(request);
    if (!endpoint) {
      if (server.listenerCount('upgrade') === 1)
        refuseUpgrade(socket, new ServiceError('NotFound', 'There is no WebSocket at this address. Connect to /events.'));
      return;
    }
    const refusal = guard.socketRefusal(request) ?? endpoint.refusal(request);
    if (refusal) refuseUpgrade(socket, refusal);
    else endpoint.upgrade(request, socket, head);
  });
}

/** Answers a request with the error body of all services. */
export function sendRefusal(response: ServerResponse, refusal: unknown): void {
  const { status, reason, headers, body } = errorReply(refusal, randomUUID(), false);
  if (reason !== undefined) response.statusMessage = reason;
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(JSON.stringify(body));
}

/** Answers a refused WebSocket request like {@link sendRefusal}. */
export function refuseUpgrade(socket: Duplex, refusal: unknown): void {
  const { status, reason, headers, body } = errorReply(refusal, randomUUID(), false);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${reason ?? STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.on('error', () => undefined);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}
