import { randomUUID } from 'node:crypto';
import { createServer, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import { ERROR_STATUS, reasonPhraseOf, type ErrorBody, type ErrorCode } from '@sinebar/contracts';
import { createProxyServer, type ProxyServer } from 'http-proxy-3';
import { FailoverAgent, type Address } from './proxy-failover-agent.js';
import { routeFor, ROUTING, SERVICES, type ServiceName } from './routing.js';

/** Most bytes of address and headers together (spec: decisions.md 10.2). */
const MAX_HEADER_BYTES = 64 * 1024;
/** Time for a client to read an error while it still sends, milliseconds. */
const LINGER_MS = 5000;
/** Time in milliseconds within which a read that failed at one replica is sent to another. */
const AGAIN_WITHIN_MS = 10_000;

export interface ReverseProxyOptions {
  /**
   * Base addresses of each service's replicas.
   * The next replica is tried when one refuses the connection, and for reads also when it breaks the connection or answers 503.
   */
  upstreams: Readonly<Record<ServiceName, readonly string[]>>;
  /** Longest wait for a connection to one replica. */
  connectTimeoutMs?: number;
  /** Longest silence of a service, before and within its answer; above the services' own deadlines (spec: decisions.md 10.1). */
  silenceTimeoutMs?: number;
  /** Called for every request that no replica could answer. */
  onUnavailable?: (service: ServiceName, error: Error) => void;
}

/**
 * A reverse proxy in front of the services with the rules of `infra/proxy/nginx.conf`, for machines without containers.
 * It streams bodies and answers; for an unavailable service it answers 503 with `Retry-After` and the documented error body.
 * spec: decisions.md 1.1, 2.5, 2.6
 */
export class ReverseProxy {
  private readonly server: Server;
  private readonly proxy: ProxyServer;
  private readonly agents: Readonly<Record<ServiceName, readonly FailoverAgent[]>>;
  private readonly upgraded = new Set<Duplex>();
  /** Sockets with a complete answer: a later failure only closes them. */
  private readonly answered = new WeakSet<Duplex>();
  /** Retries a request at another replica. @returns false when none is left */
  private readonly again = new WeakMap<IncomingMessage, () => boolean>();
  private readonly onUnavailable: (service: ServiceName, error: Error) => void;
  private turn = 0;

  constructor(options: ReverseProxyOptions) {
    this.onUnavailable = options.onUnavailable ?? (() => undefined);
    this.agents = agentsFor(options.upstreams, options.connectTimeoutMs ?? 5000);
    const proxyTimeout = options.silenceTimeoutMs ?? 300_000;
    this.proxy = createProxyServer({ prependPath: false, toProxy: true, proxyTimeout, selfHandleResponse: true });
    // Requests have their own handlers. Without this listener the library throws errors of clients' sockets.
    this.proxy.on('error', () => undefined);
    this.proxy.on('proxyReq', (proxied, request, response) => {
      // A service that has answered or ended does not read the rest of a body.
      proxied.once('close', () => readToEnd(request));
      // If the client disconnects mid-body, the upstream request is aborted.
      response.once('close', () => {
        if (!request.complete) proxied.destroy();
      });
    });
    this.proxy.on('proxyRes', (answer, request, response) => {
      if (answer.statusCode === 503 && this.again.get(request)?.()) answer.resume();
      else passAnswer(answer, request, response);
    });
    this.proxy.on('proxyReqWs', (proxied, _request, socket) => {
      const answered = () => this.answered.add(socket);
      proxied.once('upgrade', answered);
      proxied.once('response', answered);
    });
    this.server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 75_000, noDelay: true },
      (request, response) => this.forward(request, response),
    );
    // Node answers an unknown expectation with 417 and no body; nginx ignores it.
    this.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      delete request.headers.expect;
      this.forward(request, response);
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => this.upgrade(request, socket, head));
    this.server.on('clientError', refuseMalformed);
  }

  /** Starts listening. @returns the port. @throws the system's error (EADDRINUSE, EACCES, …) */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Stops accepting; closes requests and sockets that have not ended after `graceMs`. */
  async close(graceMs = 5000): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const sweep = setInterval(() => this.server.closeIdleConnections(), 50);
    for (const socket of this.upgraded) socket.destroy();
    const limit = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(limit);
    clearInterval(sweep);
    for (const agent of Object.values(this.agents).flat()) agent.destroy();
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const requestId = requestIdOf(request);
    const route = routeFor(request.url ?? '');
    if (!route) {
      sendError(request, response, requestId, 'NotFound', nothingAt(request));
      return;
    }
    const { service } = route.rule;
    request.url = route.target;
    // The client already received 100; with this header the library would not report when the request is sent.
    delete request.headers.expect;
    // The library announces an empty body for every DELETE and OPTIONS without a length, a chunked one included.
    const { method } = request;
    if ((method === 'DELETE' || method === 'OPTIONS') && request.headers['transfer-encoding'] !== undefined) request.method = 'POST';
    const { target, headers } = outgoing(request, requestId);
    // With the client's "close" the service would end a connection that still receives the body, and its answer would be lost.
    const options = { target, headers: { ...headers, connection: 'keep-alive' }, ...(method !== undefined && { method }) };
    // A socket session exists in one replica only.
    const replicas = route.rule.sockets !== true && onlyReads(request) ? this.agents[service].length : 1;
    const begun = performance.now();
    let first = this.replicaFor(route.rule.sockets === true, service, request);
    let asked = 0;
    const ask = (body: { buffer?: Readable }) => {
      asked += 1;
      this.proxy.web(request, response, { ...options, ...body, agent: this.agentFor(service, first++) }, (error) => {
        if (!response.writable || response.destroyed) return;
        if (response.headersSent) {
          // The answer has begun or was broken off; a failure of the body must not break an early answer.
          return;
        }
        if (again()) return;
        this.onUnavailable(service, error);
        sendError(request, response, requestId, 'Unavailable', unavailable(service), { 'Retry-After': '2' });
      });
    };
    const again = () => {
      if (asked >= replicas || performance.now() - begun > AGAIN_WITHIN_MS) return false;
      // The request was read to its end; it had no body.
      ask({ buffer: Readable.from([]) });
      return true;
    };
    this.again.set(request, again);
    ask({});
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    const requestId = requestIdOf(request);
    const route = routeFor(request.url ?? '');
    const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && route?.rule.sockets === true;
    if (!wanted) {
      this.forwardWithoutUpgrade(request, socket);
      return;
    }
    const { service } = route.rule;
    request.url = route.target;
    this.upgraded.add(socket);
    socket.once('close', () => this.upgraded.delete(socket));
    const agent = this.agentFor(service, this.replicaFor(true, service, request));
    this.proxy.ws(request, socket, head, { ...outgoing(request, requestId), agent }, (error) => {
      if (this.answered.has(socket)) return;
      this.onUnavailable(service, error);
      if (socket.writable) writeRawError(socket, requestId, 'Unavailable', unavailable(service), 'Retry-After: 2\r\n');
    });
  }

  /** Answers a client that offers another protocol (Java's HTTP client offers h2c first) without an upgrade. */
  private forwardWithoutUpgrade(request: IncomingMessage, socket: Duplex): void {
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
    if (hasBody) {
      writeRawError(
        socket,
        requestIdOf(request),
        'InvalidRequest',
        'a request with a body cannot change the protocol: leave out the header Upgrade',
      );
      return;
    }
    delete request.headers.upgrade;
    delete request.headers.connection;
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.on('finish', () => (socket as Socket).destroySoon());
    socket.on('close', () => response.destroy());
    this.forward(request, response);
  }

  private replicaFor(sticky: boolean, service: ServiceName, request: IncomingMessage): number {
    return (sticky ? hashOf(clientAddress(request)) : this.turn++) % this.agents[service].length;
  }

  private agentFor(service: ServiceName, replica: number): FailoverAgent {
    const agents = this.agents[service];
    const chosen = agents[replica % agents.length];
    if (!chosen) throw new Error(`no address is configured for ${service}`);
    return chosen;
  }
}

/** Whether a request may be repeated: it changes nothing and has no body. */
function onlyReads({ method, headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  );
}

/** Makes an agent for each replica that tries it first and then the others. */
function agentsFor(upstreams: ReverseProxyOptions['upstreams'], connectTimeoutMs: number): Record<ServiceName, FailoverAgent[]> {
  const agents = (service: ServiceName) => {
    const addresses = upstreams[service].map(addressOf);
    if (addresses.length === 0) throw new Error(`no address is configured for ${service}`);
    return addresses.map((_, first) => new FailoverAgent([...addresses.slice(first), ...addresses.slice(0, first)], connectTimeoutMs));
  };
  return Object.fromEntries(SERVICES.map((service) => [service, agents(service)])) as Record<ServiceName, FailoverAgent[]>;
}

function addressOf(base: string): Address {
  const { hostname, port } = new URL(base);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** The agent chooses the replica; the name only groups connections. */
const ANY_REPLICA = { protocol: 'http:', host: 'upstream.invalid', hostname: 'upstream.invalid', port: 80 };

function outgoing(request: IncomingMessage, requestId: string) {
  // Replaces headers in which a client describes itself, because no trusted proxy precedes this one.
  delete request.headers.forwarded;
  return {
    target: ANY_REPLICA,
    headers: {
      'x-forwarded-for': clientAddress(request),
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      'x-request-id': requestId,
    },
  };
}

function clientAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** FNV-1a: spreads neighbouring addresses. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID();
}

function unavailable(service: ServiceName): string {
  return `the service ${service} does not answer; try again`;
}

function nothingAt(request: IncomingMessage): string {
  const path = (request.url ?? '').split('?')[0];
  return `nothing is at ${path}; addresses begin with ${[...new Set(ROUTING.filter(({ exact }) => !exact).map(({ prefix }) => prefix))].join(', ')}`;
}

function errorBody(code: ErrorCode, message: string, requestId: string): string {
  const body: ErrorBody = { message, Message: message, ExceptionType: code, StackTrace: '', requestId };
  return JSON.stringify(body);
}

function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): void {
  const text = errorBody(code, message, requestId);
  const reason = reasonPhraseOf(code);
  if (reason !== undefined) response.statusMessage = reason;
  response.writeHead(ERROR_STATUS[code], {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': requestId,
    ...headers,
    ...(!request.complete && { Connection: 'close' }),
  });
  if (request.complete) {
    response.end(text);
    return;
  }
  response.write(text);
  readToEnd(request);
  endAnswer(request, response);
}

/** Connection headers apply to one hop only: those of the service to this process, those of the client to the client's connection. */
const OWN_HEADERS = ['connection', 'keep-alive'];

function passAnswer(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  const left = [...OWN_HEADERS, ...(request.httpVersion === '1.0' ? ['transfer-encoding'] : [])];
  // Raw headers alternate names and values.
  const headers = answer.rawHeaders.filter((_, i, all) => !left.includes((all[i - (i % 2)] ?? '').toLowerCase()));
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
  answer.pipe(response, { end: false });
  answer.once('end', () => endAnswer(request, response));
  // Without this a client would wait forever for the rest of an answer whose service ended.
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
}

/**
 * Ends an answer that may precede the end of the body.
 * The connection may close with the answer, and a client that is reset while it sends may lose the answer: the end waits a while for the
 * end of the body.
 */
function endAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) {
    response.end();
    return;
  }
  const end = () => {
    clearTimeout(limit);
    response.end();
  };
  const limit = setTimeout(() => response.end(() => request.destroy()), LINGER_MS);
  request.once('end', end);
  request.once('close', end);
}

/**
 * Discards the rest of an unneeded body so that the client can finish sending.
 * Otherwise its connection would stall until the idle time-out.
 */
function readToEnd(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
}

function writeRawError(socket: Duplex, requestId: string, code: ErrorCode, message: string, headers = ''): void {
  const status = ERROR_STATUS[code];
  const text = errorBody(code, message, requestId);
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhraseOf(code) ?? STATUS_CODES[status] ?? ''}\r\n${headers}Connection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    writeRawError(socket, randomUUID(), 'HeadersTooLarge', `address and headers are larger than ${MAX_HEADER_BYTES} bytes`);
  } else writeRawError(socket, randomUUID(), 'InvalidRequest', 'the request is not valid HTTP');
}
