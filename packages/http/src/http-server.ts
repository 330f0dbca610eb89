import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { ServiceError, type ErrorCode } from '@sinebar/contracts';
import { errorReply } from './error-reply.ts';
import { deferContinue } from './expect-continue.ts';
import { mergePrefixSlashes } from './request-target.ts';

/** Maximum bytes of address and headers together (spec: decisions.md 10.2). */
const MAX_HEADER_BYTES = 64 * 1024;

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
