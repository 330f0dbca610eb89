import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '@sinebar/contracts';
import { errorReply, type BrowserGuard } from '@sinebar/service-kit';

/** What answers requests at the socket addresses. */
export interface SocketEndpoint {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Why nobody can connect at the moment. */
  refusal(request: IncomingMessage): ServiceError | undefined;
}

/**
 * Whether a request is for sockets: exactly `/socket.io` and `/events`, with or without a trailing slash, in any case. Engine.IO never asks for anything
 * below them, and would answer whatever it is given: `/eventServiceRest/…` and `/eventsfoo` must not reach it. spec: decisions.md 7.2
 */
export function isSocketAddress(url: string | undefined): boolean {
  const path = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url ?? '')?.[1] ?? '';
  return /^\/(?:socket\.io|events)\/?$/i.test(path);
}

/**
 * Gives the socket addresses of a server to `endpoint`; all other requests go to the listeners that the server has now, so it is called after the
 * application was put on the server. The guard is asked before the endpoint, also for requests that only read: browsers open sockets without asking. Upgrades to other addresses are left to other upgrade listeners; where there are none they are answered 404.
 */
export function attachSocketEndpoint(server: Server, endpoint: SocketEndpoint, guard: Pick<BrowserGuard, 'socketRefusal'>): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isSocketAddress(request.url)) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const refusal = guard.socketRefusal(request) ?? endpoint.refusal(request);
    if (refusal) sendRefusal(response, refusal);
    else endpoint.request(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) {
      if (server.listenerCount('upgrade') === 1) ignoreUpgrade(server, request, socket, head);
      return;
    }
    if (!isSocketAddress(request.url)) {
      if (server.listenerCount('upgrade') === 1)
        refuseUpgrade(socket, new ServiceError('NotFound', 'there is no WebSocket at this address'));
      return;
    }
    const refusal = guard.socketRefusal(request) ?? endpoint.refusal(request);
    if (refusal) refuseUpgrade(socket, refusal);
    else endpoint.upgrade(request, socket, head);
  });
}

function sendRefusal(response: ServerResponse, refusal: ServiceError): void {
  const { status, reason, headers, body } = errorReply(refusal, randomUUID(), false);
  if (reason !== undefined) response.statusMessage = reason;
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    Connection: 'close',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(body));
}

function refuseUpgrade(socket: Duplex, refusal: ServiceError): void {
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

/**
 * Answers a request that offers another protocol, such as `Upgrade: h2c` which some HTTP clients send with their first request, as if it had not: a server
 * may ignore the offer (RFC 9110, 7.8), but Node hands every such request to the upgrade listeners as soon as there is one, and stops parsing. So the
 * request goes through the parser again without the offer.
 */
function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}`];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] as string;
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[i + 1] as string}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? '')) lines.push('Connection: close');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
