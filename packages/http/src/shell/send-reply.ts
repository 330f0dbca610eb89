import { abortable } from '@sinebar/concurrency';
import type { NextFunction, Request, Response } from 'express';
import onHeaders from 'on-headers';
import { writeGzipped } from '../gzip/gzip-answer.ts';
import type { Reply, Route } from '../route.ts';
import type { RequestDeadline } from './request-deadline.ts';

/**
 * `Cache-Control` of an answer with a validator: caches revalidate it each time.
 * The .NET SDK stores nothing without `max-age`, and would then never send `If-None-Match`.
 * spec: decisions.md 10.8
 */
export const REVALIDATED = 'private, no-cache, max-age=0, no-transform';

/** Value of {@link REVALIDATED} until the compression middleware has read the headers. */
const UNTIL_COMPRESSED = 'private, no-cache, max-age=0';

/** Time for a client to read an answer sent before the end of its upload, milliseconds. */
const LINGER_MS = 5000;

/** Sends the answer of a route. @throws the reason of the deadline's signal, and what the route throws while it writes */
export async function sendReply(
  reply: Reply,
  route: Route,
  request: Request,
  response: Response,
  deadline: RequestDeadline,
): Promise<void> {
  if (route.contentCoding === 'identity') response.setHeaders(new Map(Object.entries(reply.headers ?? {})));
  else setCompressibleHeaders(response, reply.headers ?? {});
  closeAfterUnreadBody(request, response);
  // The client must keep reading from here on; closing the connection ends the check. A streamed answer switches when its head is sent,
  // since its first item may take long to find.
  if (reply.kind === 'stream') onHeaders(response, () => deadline.answering());
  else deadline.answering();
  if (reply.kind === 'json') {
    sendJson(response, reply.status, JSON.stringify(reply.body));
    return;
  }
  if (reply.kind === 'text') {
    sendJson(response, reply.status, reply.text);
    return;
  }
  // An answer shorter than its announced length must break the connection: the client would wait, or read the next answer as its rest.
  response.strictContentLength = true;
  response.status(reply.status);
  if (reply.kind === 'stream' && request.method !== 'HEAD') {
    deadline.signal.throwIfAborted();
    await abortable(writeBody(reply, route, request, response, deadline.signal), deadline.signal);
  }
  response.end();
}

export function sendJson(response: Response, status: number, text: string | Buffer): void {
  response.status(status);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  response.end(text);
}

/** Compresses lists; the middleware compresses all other answers and leaves alone those that have a coding. */
function writeBody(
  { write }: Extract<Reply, { kind: 'stream' }>,
  { contentCoding }: Route,
  request: Request,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  const type = String(response.getHeader('Content-Type'));
  const isList = contentCoding === undefined && type.startsWith('application/json') && !response.hasHeader('Content-Length');
  if (!isList || request.acceptsEncodings('gzip', 'identity') !== 'gzip') return write(response, signal);
  response.setHeader('Content-Encoding', 'gzip');
  return writeGzipped(response, signal, write);
}

/** Sets the headers of an answer that may still be compressed. */
function setCompressibleHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value === REVALIDATED ? UNTIL_COMPRESSED : value);
}

/**
 * Adds `no-transform` once the compression middleware has chosen the coding. The middleware skips answers with that word, which is meant
 * for proxies. Register this before the middleware: `on-headers` runs the listener that was added last first.
 */
export function addNoTransform(_request: Request, response: Response, next: NextFunction): void {
  onHeaders(response, () => {
    if (response.getHeader('Cache-Control') === UNTIL_COMPRESSED) response.setHeader('Cache-Control', REVALIDATED);
  });
  next();
}

export function hasUnreadBody({ complete, headers }: Request): boolean {
  return !complete && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);
}

/** Closes the connection after an answer that is sent before the end of the body; it cannot be reused. */
function closeAfterUnreadBody(request: Request, response: Response): void {
  if (!hasUnreadBody(request)) return;
  response.setHeader('Connection', 'close');
  response.once('finish', () => {
    request.resume();
    const timer = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(timer));
  });
}

/**
 * Sends JSON to a client that is still uploading.
 * Node closes the connection at the end of the answer, and a client that is reset while it writes may never read the answer. The answer is
 * complete by its length but ends later, and arriving bytes are discarded.
 */
export function sendAheadOfBody(request: Request, response: Response, status: number, text: string): void {
  response.status(status);
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  // Compression would delay the answer until its end.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.write(text);
  request.resume();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS).unref();
  request.once('end', end);
  request.once('close', end);
}
