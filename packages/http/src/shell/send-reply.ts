import { abortable } from '@sinebar/concurrency';
import type { Request, Response } from 'express';
import onHeaders from 'on-headers';
import { writeGzipped } from '../gzip/gzip-answer.ts';
import type { Reply, Route } from '../route.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { setCompressibleHeaders } from './revalidation.ts';
import { closeAfterUnreadBody } from './unread-body.ts';

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
