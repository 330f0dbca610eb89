import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { formatTraceparent, parseTraceparent, type Tracer } from '@sinebar/contracts';
import type { Request, Response } from 'express';
import type { Route } from '../route.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import type { RequestObserver } from './request-observer.ts';

/** State of a request while it is answered. */
interface RequestNotes {
  /** Path of the matched route. */
  route?: string;
  /** W3C trace context for work of the request. */
  traceparent?: string;
  /** Methods that the address allows. */
  allowed?: Set<string>;
}

/** Status in logs and metrics when the client disconnected before the end of its answer. */
const CLIENT_LEFT = 499;

/** Gives the request an id, and reports its begin and end to the log and the observer. */
export function beginRequest(request: Request, response: Response, options: HttpAppOptions): void {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID();
  response.setHeader('X-Request-Id', requestId);
  if (options.isStopping?.()) response.setHeader('Connection', 'close');
  const begunMs = performance.now();
  const observed = options.observer && observe(options.observer, request, response);
  response.once('close', () => {
    const durationMs = Math.round((performance.now() - begunMs) * 1000) / 1000;
    const status = response.writableFinished ? response.statusCode : CLIENT_LEFT;
    observed?.(status, durationMs);
    options.log.debug({ requestId, ...traceOf(response), method: request.method, path: pathOf(request), status, durationMs }, 'request');
  });
}

/** Records the route and the trace of the request: the client's, or a new span where spans are created. */
export function beginRoute(route: Route, request: Request, response: Response, tracer: Tracer | undefined): void {
  const notes = notesOf(response);
  notes.route = route.path;
  const sent = request.headers['traceparent'];
  const given = sent === undefined ? undefined : parseTraceparent(sent);
  if (given) notes.traceparent = formatTraceparent(given);
  if (!tracer || isHealthPath(route.path)) return;
  const attributes = { 'http.request.method': request.method, 'http.route': route.path, 'sinebar.request_id': requestIdOf(response) };
  const span = tracer.start(`${request.method} ${route.path}`, { kind: 'server', parent: notes.traceparent, attributes });
  notes.traceparent = span.traceparent;
  response.once('close', () => {
    span.set('http.response.status_code', response.statusCode);
    span.end(response.statusCode >= 500 || !response.writableFinished ? new Error('not answered') : undefined);
  });
}

/** Reports the begin of a request. @returns a function to call at its end */
function observe(observer: RequestObserver, request: Request, response: Response): (status: number, durationMs: number) => void {
  const { method } = request;
  observer.begun();
  return (status, durationMs) => {
    const { route } = notesOf(response);
    observer.ended({ route, method, status, durationS: durationMs / 1000, ...bytesSinceLast(request.socket) });
  };
}

/** Byte counts of each connection at the end of its previous request: the head of a request is read before the request event. */
const bytesAtLastRequest = new WeakMap<Socket, { received: number; sent: number }>();

/** Returns the bytes since the previous request; requests of one connection are sequential. */
function bytesSinceLast(socket: Socket): { receivedBytes: number; sentBytes: number } {
  const now = { received: socket.bytesRead, sent: socket.bytesWritten };
  const { received, sent } = bytesAtLastRequest.get(socket) ?? { received: 0, sent: 0 };
  bytesAtLastRequest.set(socket, now);
  return { receivedBytes: now.received - received, sentBytes: now.sent - sent };
}

export function notesOf(response: Response): RequestNotes {
  return response.locals;
}

/** Returns the trace id for log lines. */
export function traceOf(response: Response): { traceId?: string } {
  const { traceparent } = notesOf(response);
  return traceparent === undefined ? {} : { traceId: traceparent.slice(3, 35) };
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader('x-request-id'));
}

export function pathOf(request: Request): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? request.originalUrl : request.originalUrl.slice(0, mark);
}

export function searchOf(request: Request): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? '' : request.originalUrl.slice(mark + 1);
}

export function isHealthPath(path: string): boolean {
  return /^\/healthServiceRest(\/|$)/i.test(path);
}
