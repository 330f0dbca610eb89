import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { ServiceError, type ErrorCode } from '@sinebar/contracts';
import { errorReply } from './error-reply.ts';

/** Maximum bytes of address and headers together (spec: decisions.md 10.2). */
const MAX_HEADER_BYTES = 64 * 1024;

/** Scheme and host of an absolute target, the first segment of the path, and the slashes around it. */
const FIRST_SEGMENT = /^((?:https?:\/\/[^/?#]*)?)\/+([^/?#]*)(\/*)/i;

/** Responses to requests whose clients wait for 100 (Continue) before they send the body. */
const waiting = new WeakMap<object, ServerResponse>();

/** Creates a server without time limits of its own, because routes set them: an upload may take hours while bytes arrive. */
export function createHttpServer(app: RequestListener): Server {
  const listener: RequestListener = (request, response) => {
    request.url = mergePrefixSlashes(request.url ?? '/');
    app(request, response);
  };
  const server: Server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: 0,
      headersTimeout: 60_000,
      keepAliveTimeout: 65_000,
      noDelay: true,
      shouldUpgradeCallback: (request) => offersWebSocket(request) && server.listenerCount('upgrade') > 0,
    },
    listener,
  );
  // Node answers an unknown expectation with 417 and no body; a server may ignore it (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  deferContinue(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [code, message] = malformed(error.code);
    const { status, body } = errorReply(new ServiceError(code, message), randomUUID(), false);
    const text = JSON.stringify(body);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        'Connection: close',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(text)}`,
        '',
        text,
      ].join('\r\n'),
    );
  });
  return server;
}

/**
 * Whether a request offers to change the protocol to WebSocket.
 * Any other offer is ignored (RFC 9110, 7.8), such as `Upgrade: h2c`, which some HTTP clients send first.
 */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return /\bwebsocket\b/i.test(headers.upgrade ?? '');
}

/** Starts listening. @returns the port. @throws the system's error (EADDRINUSE, EACCES, …) */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Stops accepting, waits `graceMs` for running requests, then closes all connections. */
export async function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Idle keep-alive connections would keep the server open, including those that become idle during the grace time.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const limit = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

function malformed(code: string | undefined): [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['HeadersTooLarge', `Address and headers are larger than ${MAX_HEADER_BYTES} bytes.`];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['RequestTimeout', 'The headers of the request did not arrive in time.'];
  return ['InvalidRequest', 'The request is not valid HTTP.'];
}

/**
 * Makes one slash of several before and behind the first segment of a target, which is the prefix of a service.
 * Clients join a base address that ends in a slash with a path that begins with one. Further slashes may belong to a name, and `%2F` is not
 * a slash of the address; both stay.
 * spec: decisions.md 1.4
 */
export function mergePrefixSlashes(target: string): string {
  return target.replace(
    FIRST_SEGMENT,
    (_all, host: string, first: string, behind: string) => `${host}/${first}${behind === '' ? '' : '/'}`,
  );
}

/**
 * Leaves the answer 100 to the reader of the body (`sendContinue`), so that a request that is refused before gets its final status at once.
 * Node then closes the connection after that answer: the client may or may not send the body.
 * spec: decisions.md 6.10; RFC 9110, 10.1.1
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) waiting.set(request, response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Asks the client for the body if it waits for that; call it right before the first byte is read. */
export function sendContinue(request: object): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  if (!response.headersSent) response.writeContinue();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
