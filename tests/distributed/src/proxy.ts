import { randomUUID } from 'node:crypto';
import { Agent, createServer, request as httpRequest, ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ERROR_STATUS, reasonPhraseOf, type ErrorBody, type ErrorCode } from '@sinebar/contracts';
import { replicaName, REPLICA_NAME_LENGTH } from '@sinebar/events';
import { routeFor, ROUTING, SERVICES, type ServiceName } from './routing.ts';

/** Most bytes of address and headers together (spec: decisions.md 10.2). */
const MAX_HEADER_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 5000;
/** Longest silence of a service, before its answer and within it; longer than the services' own deadlines (spec: decisions.md 10.1). */
const SILENCE_TIMEOUT_MS = 300_000;
/** Idle time of a connection, far below that of the service (65 s), so that no request uses a closing one. */
const IDLE_MS = 30_000;
/** Time for a client to read an answer while it still sends. */
const LINGER_MS = 5000;
/** Time within which a read that one replica failed is sent to another. */
const AGAIN_WITHIN_MS = 10_000;

/** Headers for one hop only, and those in which a client describes itself: no proxy stands in front of this one. */
const OWN_REQUEST_HEADERS = ['connection', 'keep-alive', 'upgrade', 'expect', 'forwarded'];
const OWN_ANSWER_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];

/**
 * Base addresses of each service's replicas.
 * The next replica is tried when one refuses the connection, and for reads also when it breaks the connection or answers 503.
 */
export type Upstreams = Readonly<Record<ServiceName, readonly string[]>>;

/** Either the only plant, at the root, or plants by the first segment of their addresses, which is taken away. */
export type ReverseProxyOptions = { upstreams: Upstreams } | { plants: Readonly<Record<string, Upstreams>> };

/**
 * A reverse proxy in front of the services with the rules of `infra/proxy/nginx.conf`, for machines without containers.
 * It streams bodies and answers; for an unavailable service it answers 503 with `Retry-After` and the documented error body.
 * spec: decisions.md 1.1, 2.5, 2.6
 */
export class ReverseProxy {
  private readonly server: Server;
  private readonly agent = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: IDLE_MS });
  /** Services by the beginning of the path, empty for the root. */
  private readonly prefixes: readonly (readonly [prefix: string, upstreams: Upstreams])[];
  private readonly upgraded = new Set<Socket>();
  private turn = 0;

  constructor(options: ReverseProxyOptions) {
    this.prefixes =
      'plants' in options
        ? Object.entries(options.plants).map(([plant, upstreams]) => [`/${plant}`, upstreams] as const)
        : [['', options.upstreams]];
    for (const [, upstreams] of this.prefixes) {
      for (const name of SERVICES) if (upstreams[name].length === 0) throw new Error(`no address is configured for ${name}`);
    }
    this.server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 75_000, noDelay: true },
      (request, response) => this.forward(request, response),
    );
    // Node answers an unknown expectation with 417 and no body; nginx ignores it.
    this.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => this.forward(request, response));
    this.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.upgrade(request, socket, head));
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
    const sweep = setInterval(() => this.server.closeIdleConnections(), 50);
    for (const socket of this.upgraded) socket.destroy();
    const limit = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(limit);
    clearInterval(sweep);
    this.agent.destroy();
  }

  /**
   * Only sockets change the protocol. A client may offer another one (Java's HTTP client offers h2c with its first request); it gets an
   * ordinary answer.
   */
  private upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.upgraded.add(socket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => socket.destroySoon());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.upgraded.delete(socket);
      response.destroy();
    });
    const opensSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && this.routeOf(request)?.rule.sockets === true;
    if (!opensSocket && hasBody(request)) {
      const message = 'a request with a body cannot change the protocol: leave out the header Upgrade';
      sendError(request, response, 'InvalidRequest', message);
    } else this.forward(request, response, opensSocket ? head : undefined);
  }

  /** Finds the service of an address; `target` is without the prefix of the plant. */
  private routeOf({ url = '' }: IncomingMessage) {
    for (const [prefix, upstreams] of this.prefixes) {
      const target = prefix === '' ? url : behindPrefix(url, prefix);
      const route = target === undefined ? undefined : routeFor(target);
      if (route) return { ...route, upstreams };
    }
    return undefined;
  }

  /** @param head what the client of a socket has sent behind its request */
  private forward(request: IncomingMessage, response: ServerResponse, head?: Buffer): void {
    if ((request.headersDistinct['host']?.length ?? 0) > 1) {
      sendError(request, response, 'InvalidRequest', 'The request has several Host headers. Send one.', { Connection: 'close' });
      return;
    }
    const route = this.routeOf(request);
    if (!route) {
      sendError(
        request,
        response,
        'NotFound',
        nothingAt(
          request,
          this.prefixes.map(([prefix]) => prefix),
        ),
      );
      return;
    }
    const { service, sockets = false } = route.rule;
    const options = {
      method: request.method,
      path: route.target,
      headers: outgoingHeaders(request, head !== undefined),
      agent: this.agent,
    };
    const all = route.upstreams[service];
    const first = (sockets ? replicaOfSession(all, route.target) : undefined) ?? this.turn++;
    // A session of a socket lives in one replica; others do not know it.
    const mayRepeat = !sockets && (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
    const begun = performance.now();

    const ask = (asked: number) => {
      const upstream = httpRequest(all[(first + asked) % all.length] as string, { ...options, timeout: CONNECT_TIMEOUT_MS });
      let isSent = false;
      const again = () => {
        const mayAsk = asked + 1 < all.length && (!isSent || (mayRepeat && performance.now() - begun < AGAIN_WITHIN_MS));
        if (mayAsk) ask(asked + 1);
        return mayAsk;
      };
      upstream.once('socket', (socket) => {
        const send = () => {
          isSent = true;
          upstream.setTimeout(SILENCE_TIMEOUT_MS);
          if (hasBody(request)) request.pipe(upstream);
          else upstream.end();
        };
        // A body can be read only once: nothing of it is sent before a replica has accepted.
        if (socket.connecting) socket.once('connect', send);
        else send();
      });
      upstream.once('timeout', () => upstream.destroy(new Error(`${service} is silent`)));
      upstream.on('error', () => {
        // A failure while the body is sent does not cut an early answer.
        if (response.destroyed || response.headersSent || again()) return;
        sendError(request, response, 'Unavailable', `The service ${service} does not answer. Try again in a few seconds.`, {
          'Retry-After': '2',
        });
      });
      upstream.once('response', (answer) => {
        if (answer.statusCode === 503 && again()) answer.resume();
        else passAnswer(answer, request, response);
      });
      upstream.once('upgrade', (answer, service: Socket, serviceHead) =>
        joinSockets(answer, request, response, [service, serviceHead, head]),
      );
      // A service that has answered or died reads no more of a body in flight.
      upstream.once('close', () => {
        if (isSent) readToEnd(request);
      });
      response.once('close', () => upstream.destroy());
    };
    ask(0);
  }
}

/** Takes the prefix of a plant away. @returns `undefined` for an address that is not below it */
function behindPrefix(url: string, prefix: string): string | undefined {
  const begin = url.replace(/^\/+/, '/');
  const isBelow = begin.slice(0, prefix.length).toLowerCase() === prefix && /^([/?]|$)/.test(begin.slice(prefix.length));
  return isBelow ? begin.slice(prefix.length) : undefined;
}

/** Finds the replica that the id of a session in the address names (`newSessionId` of the gateway). */
function replicaOfSession(replicas: readonly string[], target: string): number | undefined {
  const { searchParams } = new URL(target, 'http://proxy');
  const name = (searchParams.get('sid') ?? searchParams.get('id') ?? '').slice(0, REPLICA_NAME_LENGTH);
  const found = replicas.findIndex((base) => {
    const { hostname, port } = new URL(base);
    return replicaName(hostname, Number(port || 80)) === name;
  });
  return found < 0 ? undefined : found;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function outgoingHeaders(request: IncomingMessage, opensSocket: boolean): Record<string, string | string[] | undefined> {
  return {
    ...Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OWN_REQUEST_HEADERS.includes(name))),
    ...(opensSocket && { connection: 'Upgrade', upgrade: 'websocket' }),
    'x-forwarded-for': clientAddress(request),
    'x-forwarded-proto': 'http',
    'x-forwarded-host': request.headers.host ?? '',
    'x-request-id': requestIdOf(request),
  };
}

function clientAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** The client's name of the request when it is harmless, else a new one, which the request then keeps. */
function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return (headers['x-request-id'] = typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID());
}

function nothingAt(request: IncomingMessage, prefixes: readonly string[]): string {
  const path = (request.url ?? '').split('?')[0];
  const services = [...new Set(ROUTING.filter(({ exact }) => !exact).map(({ prefix }) => prefix))].join(', ');
  const plants = prefixes.filter((prefix) => prefix !== '').join(', ');
  return `nothing is at ${path}; addresses begin with ${plants === '' ? services : `${plants}, and behind it with ${services}`}`;
}

function errorBody(code: ErrorCode, message: string, requestId: string): string {
  const body: ErrorBody = { message, Message: message, ExceptionType: code, StackTrace: '', requestId };
  return JSON.stringify(body);
}

function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): void {
  const requestId = requestIdOf(request);
  const text = errorBody(code, message, requestId);
  response.writeHead(ERROR_STATUS[code], reasonPhraseOf(code), {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': requestId,
    ...headers,
    ...(!request.complete && { Connection: 'close' }),
  });
  response.write(text);
  readToEnd(request);
  endAnswer(request, response);
}

/** Raw headers of an answer, names and values in turns, without those for one hop. */
function passedHeaders({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, i, all) => !OWN_ANSWER_HEADERS.includes((all[i - (i % 2)] ?? '').toLowerCase()));
}

function passAnswer(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedHeaders(answer));
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

/** Discards the rest of a body, so that the client can finish sending; otherwise it would stall until the idle time-out. */
function readToEnd(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.unpipe();
  request.resume();
}

/** Answers the opening of a socket and passes its bytes in both directions. */
function joinSockets(
  answer: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  [service, serviceHead, clientHead]: [Socket, Buffer, Buffer | undefined],
): void {
  const client = request.socket;
  response.detachSocket(client);
  const lines = answer.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []));
  client.write(`HTTP/1.1 101 ${answer.statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`);
  client.write(serviceHead);
  service.write(clientHead ?? '');
  for (const [from, to] of [
    [client, service],
    [service, client],
  ] as const) {
    from.setTimeout(0).setNoDelay();
    from.on('error', () => undefined);
    from.once('close', () => to.destroy());
    from.pipe(to);
  }
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const code = isTooLarge ? 'HeadersTooLarge' : 'InvalidRequest';
  const message = isTooLarge ? `Address and headers are larger than ${MAX_HEADER_BYTES} bytes.` : 'The request is not valid HTTP.';
  const status = ERROR_STATUS[code];
  const text = errorBody(code, message, randomUUID());
  socket.end(
    `HTTP/1.1 ${status} ${reasonPhraseOf(code) ?? STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
