import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { ServiceError, type ErrorCode } from '@sinebar/contracts';
import { errorReply } from './error-reply.js';

/** Address and headers together, bytes (spec: decisions.md 10.2). */
export const MAX_HEADER_BYTES = 64 * 1024;

/** A server whose own limits leave the time of a request to its route: an upload may take hours as long as bytes arrive. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000, noDelay: true },
    listener,
  );
  // Node answers an expectation that it does not know with 417 and no body; a server may ignore one (RFC 9110, 10.1.1).
  server.on('checkExpectation', listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const [code, message] = malformed(error.code);
    const { status, body } = errorReply(new ServiceError(code, message), randomUUID(), false);
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
  return server;
}

/** @returns the port that is listened on. @throws the system's error (EADDRINUSE, EACCES, …) */
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

/** Stops accepting, lets running requests end for `graceMs`, then closes what is left. */
export async function closeHttpServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Idle keep-alive connections would hold the server open, also those that become idle during the grace time.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const limit = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}

function malformed(code: string | undefined): [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') return ['HeadersTooLarge', `address and headers are larger than ${MAX_HEADER_BYTES} bytes`];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return ['RequestTimeout', 'the headers of the request did not arrive in time'];
  return ['InvalidRequest', 'the request is not valid HTTP'];
}
