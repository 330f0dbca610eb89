import { abortable, settlesWithin } from '@sinebar/concurrency';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { constants as zlibConstants } from 'node:zlib';
import { EVERYONE, SERVER_RIGHTS, type Principal, type ServerRight } from '@sinebar/access-control';
import { formatTraceparent, parseTraceparent, ServiceError, type Tracer } from '@sinebar/contracts';
import compression from 'compression';
import express, { type Express, type Request, type Response } from 'express';
import { errorReply } from './error-reply.js';
import type { BrowserGuard } from './guards/browser-guard.js';
import type { PerUserLimit } from './guards/per-user-limit.js';
import { writeGzipped } from './gzip/gzip-answer.js';
import { BodyBudget, readJsonBody, readJsonBytes, type BodyLimits } from './json/json-body.js';
import type { Logger } from 'pino';
import { ClientDisconnected, RequestDeadline, type TransferPace } from './request-deadline.js';
import { parseWith, readParams, readQuery } from './request-input.js';
import type { RequestObserver } from './request-observer.js';
import { addNoTransform, setCompressibleHeaders } from './revalidation.js';
import type { Reply, RequestContext, Route, RoutePermission } from './route.js';

export interface HttpAppOptions {
  routes: readonly Route[];
  log: Logger;
  limits?: BodyLimits;
  /** Authenticates a request; the default is access mode `none`. @throws ServiceError 401, 429, 503 */
  authenticate?: ((request: Request) => Promise<Principal>) | undefined;
  /** Refuses requests of pages of other origins; default: no check. */
  guard?: BrowserGuard | undefined;
  /** Limits the searches of one user; by default there is no limit. */
  searches?: PerUserLimit | undefined;
  debugErrors?: boolean;
  /** Minimum rate at which clients must read answers; set by tests. */
  transferPace?: TransferPace | undefined;
  /** Address under which clients reach the server; by default taken from the request. */
  publicUrl?: string | undefined;
  /** While true, answers ask clients to close their connection. */
  isStopping?: () => boolean;
  /** Creates a span for every request. */
  tracer?: Tracer | undefined;
  /** Receives the begin and end of every request. */
  observer?: RequestObserver | undefined;
  /** Every route except the health resources answers 503 until this returns true. */
  isStarted?: () => boolean;
}

const DEFAULT_LIMITS: BodyLimits = { bodyBytes: 64 * 2 ** 20, inFlightBytes: 256 * 2 ** 20 };
/** Compressed bytes per chunk: the zlib thread waits for the main thread after each one. */
const PACKED_CHUNK_BYTES = 64 * 1024;
/** Time for a client to read an answer sent before the end of its upload, milliseconds. */
const LINGER_MS = 5000;
/** Extra time after the deadline in which the outcome of a change is awaited, milliseconds: cancelling takes up to five seconds. */
const OUTCOME_MS = 8000;

/**
 * Builds the Express application of a set of routes: request ids, deadlines, permission, validation, compression, error bodies, 404 and
 * 405.
 * Paths match in any case, one trailing slash is ignored (a handler that cares looks at `request.path`).
 */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use((request, response, next) => {
    beginRequest(request, response, options);
    next();
  });
  // Answers are written in large pieces; each is flushed at once.
  const flush = zlibConstants.Z_SYNC_FLUSH;
  const compress = compression({ level: zlibConstants.Z_BEST_SPEED, threshold: 1024, chunkSize: PACKED_CHUNK_BYTES, flush });
  const shell = new RouteShell(options);
  if (options.guard) app.use(guarding(options.guard, shell));
  for (const route of options.routes) {
    const before = route.contentCoding === 'identity' ? [] : [addNoTransform, compress];
    app[route.method.toLowerCase() as Lowercase<Route['method']>](route.path, ...before, (request: Request, response: Response) =>
      shell.answer(route, request, response),
    );
  }
  for (const [path, methods] of methodsByPath(options.routes)) {
    app.all(path, (_request, response, next) => {
      const allowed = response.locals as RequestNotes;
      allowed.allowed = new Set([...(allowed.allowed ?? []), ...methods]);
      next();
    });
  }
  app.use((request: Request, response: Response) => {
    shell.sendError(request, response, noSuchRoute(request, response));
  });
  app.use((error: unknown, request: Request, response: Response, _next: express.NextFunction) => {
    shell.sendError(request, response, error);
  });
  return app;
}

/** Checks host and origin first. Health resources answer under every name, since probes and load balancers use their own. */
function guarding(guard: BrowserGuard, shell: RouteShell): express.RequestHandler {
  return (request, response, next) => {
    guard.setHeaders(request, response);
    const isProbe = request.method === 'GET' && HEALTH_PATH.test(request.path);
    const refusal = isProbe ? undefined : guard.refusal(request);
    if (refusal) shell.sendError(request, response, refusal);
    else if (!guard.answersPreflight(request, response)) next();
  };
}

class RouteShell {
  private readonly options: HttpAppOptions;
  private readonly limits: BodyLimits;
  private readonly budget: BodyBudget;

  constructor(options: HttpAppOptions) {
    this.options = options;
    this.limits = options.limits ?? DEFAULT_LIMITS;
    this.budget = new BodyBudget(this.limits.inFlightBytes);
  }

  /** Never rejects: every failure becomes an answer or, when the answer has begun, a closed connection. */
  async answer(route: Route, request: Request, response: Response): Promise<void> {
    beginRoute(route, request, response, this.options.tracer);
    const deadline = new RequestDeadline(request, response, this.options.transferPace);
    let release = (): void => undefined;
    let endSearch: (() => void) | undefined;
    try {
      deadline.start(route.deadline);
      if (this.options.isStarted?.() === false && !HEALTH_PATH.test(route.path)) {
        throw new ServiceError('Unavailable', 'the server is starting; try again in a few seconds', { retryAfterSeconds: 2 });
      }
      const reply = await answered(route, deadline.signal, async () => {
        const context = await this.contextOf(route, request, response, deadline.signal);
        if (route.isSearch === true) endSearch = this.options.searches?.enter(context.principal, request);
        const params = readParams(route, request.params);
        const query = readQuery(route, searchOf(request));
        const body = await this.bodyOf(route, request, deadline.signal, (give) => (release = give));
        return route.handle({ params, query, body, headers: request.headers, path: pathOf(request), context, stream: request });
      });
      await this.send(reply, route, request, response, deadline);
    } catch (error) {
      this.sendError(request, response, error);
    } finally {
      release();
      endSearch?.();
    }
  }

  sendError(request: Request, response: Response, error: unknown): void {
    const requestId = requestIdOf(response);
    const trace = traceOf(response);
    const { status, reason, headers, body } = errorReply(error, requestId, this.options.debugErrors ?? false);
    const log = this.options.log;
    if (error instanceof ClientDisconnected) log.info({ requestId, ...trace }, 'the client closed the connection');
    else if (status === 500)
      log.error({ err: error, requestId, ...trace, method: request.method, path: pathOf(request) }, 'request failed');
    else log.debug({ err: error, requestId, ...trace, status }, 'request refused');
    if (response.headersSent || response.destroyed) {
      // A broken body tells the client that the answer is not complete; a clean end would not.
      response.destroy();
      return;
    }
    for (const name of response.getHeaderNames()) {
      if (!KEPT_ON_ERROR.has(name)) response.removeHeader(name);
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (reason !== undefined) response.statusMessage = reason;
    response.setHeader('Cache-Control', 'no-store');
    if (hasUnreadBody(request)) sendAheadOfBody(request, response, status, JSON.stringify(body));
    else sendJson(response, status, JSON.stringify(body));
  }

  private async contextOf(route: Route, request: Request, response: Response, signal: AbortSignal): Promise<RequestContext> {
    const principal = route.permission === 'open' ? EVERYONE : await (this.options.authenticate?.(request) ?? EVERYONE);
    checkPermission(route.permission, principal);
    const requestId = requestIdOf(response);
    return {
      requestId,
      principal,
      client: principal.name === '' ? `address ${request.socket.remoteAddress ?? ''}` : `user ${principal.name}`,
      signal,
      statementTimeoutMs: RequestDeadline.statementTimeoutMs(route.deadline),
      log: this.options.log.child({ requestId, ...traceOf(response) }),
      traceparent: (response.locals as RequestNotes).traceparent,
      origin: this.options.publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`,
    };
  }

  private async bodyOf(route: Route, request: Request, signal: AbortSignal, release: (give: () => void) => void): Promise<unknown> {
    if (route.body === undefined || route.body === 'stream') return undefined;
    if (route.body === 'bytes') return readJsonBytes(request, this.limits, this.budget, signal, release);
    const value = await readJsonBody(request, this.limits, this.budget, signal, release);
    return parseWith(route.body, value, 'body');
  }

  private async send(reply: Reply, route: Route, request: Request, response: Response, deadline: RequestDeadline): Promise<void> {
    if (route.contentCoding === 'identity') response.setHeaders(new Map(Object.entries(reply.headers ?? {})));
    else setCompressibleHeaders(response, reply.headers ?? {});
    closeAfterUnreadBody(request, response);
    // The client must keep reading from here on; closing the connection ends the check. A streamed answer switches when its head is sent,
    // since its first item may take long to find.
    if (reply.kind === 'stream') whenBegun(response, () => deadline.answering());
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
    if (reply.kind === 'empty') {
      response.end();
      return;
    }
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    deadline.signal.throwIfAborted();
    await abortable(writeBody(reply, route, request, response, deadline.signal), deadline.signal);
    response.end();
  }
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

interface RequestNotes {
  /** Path of the matched route. */
  route?: string;
  /** W3C trace context for work of the request. */
  traceparent?: string;
  allowed?: Set<string>;
}

/** Status in logs and metrics when the client disconnected before the end of its answer. */
const CLIENT_LEFT = 499;
const HEALTH_PATH = /^\/healthServiceRest(\/|$)/i;
const KEPT_ON_ERROR = new Set([
  'x-request-id',
  'connection',
  'vary',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

function beginRequest(request: Request, response: Response, options: HttpAppOptions): void {
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
function beginRoute(route: Route, request: Request, response: Response, tracer: Tracer | undefined): void {
  const notes = response.locals as RequestNotes;
  notes.route = route.path;
  const given = parseTraceparent(request.headers['traceparent']);
  if (given) notes.traceparent = formatTraceparent(given);
  if (!tracer || HEALTH_PATH.test(route.path)) return;
  const attributes = { 'http.request.method': request.method, 'http.route': route.path, 'sinebar.request_id': requestIdOf(response) };
  const span = tracer.start(`${request.method} ${route.path}`, { kind: 'server', parent: notes.traceparent, attributes });
  notes.traceparent = span.traceparent;
  response.once('close', () => {
    span.set('http.response.status_code', response.statusCode);
    span.end(response.statusCode >= 500 || !response.writableFinished ? new Error('not answered') : undefined);
  });
}

function traceOf(response: Response): { traceId?: string } {
  const { traceparent } = response.locals as RequestNotes;
  return traceparent === undefined ? {} : { traceId: traceparent.slice(3, 35) };
}

/** Reports the begin of a request. @returns a function to call at its end */
function observe(observer: RequestObserver, request: Request, response: Response): (status: number, durationMs: number) => void {
  const { method } = request;
  observer.begun();
  return (status, durationMs) => {
    const { route } = response.locals as RequestNotes;
    observer.ended({ route, method, status, durationS: durationMs / 1000, ...bytesSinceLast(request.socket) });
  };
}

/** Byte counts of each connection at the end of its previous request: the head of a request is read before the request event. */
const moved = new WeakMap<Socket, { received: number; sent: number }>();

/** Returns the bytes since the previous request; requests of one connection are sequential. */
function bytesSinceLast(socket: Socket): { receivedBytes: number; sentBytes: number } {
  const now = { received: socket.bytesRead, sent: socket.bytesWritten };
  const { received, sent } = moved.get(socket) ?? { received: 0, sent: 0 };
  moved.set(socket, now);
  return { receivedBytes: now.received - received, sentBytes: now.sent - sent };
}

function requestIdOf(response: Response): string {
  return String(response.getHeader('x-request-id'));
}

function pathOf(request: Request): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? request.originalUrl : request.originalUrl.slice(0, mark);
}

function searchOf(request: Request): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? '' : request.originalUrl.slice(mark + 1);
}

function checkPermission(permission: RoutePermission, principal: Principal): void {
  if (permission === 'open' || permission === 'signed-in') return;
  const allowed = isServerRight(permission) ? principal.holds(permission) : !principal.scopeOf(permission).isEmpty;
  if (!allowed) throw new ServiceError('Forbidden', `this needs the right ${permission}, which you do not hold`);
}

function isServerRight(permission: string): permission is ServerRight {
  return (SERVER_RIGHTS as readonly string[]).includes(permission);
}

/**
 * Runs a route within its time limit.
 * A change past its limit may already be committed, so its outcome is awaited a little longer; the client then need not repeat it.
 */
async function answered(route: Route, signal: AbortSignal, work: () => Promise<Reply>): Promise<Reply> {
  const running = work();
  try {
    return await abortable(running, signal);
  } catch (error) {
    if (route.method === 'GET' || !signal.aborted || signal.reason instanceof ClientDisconnected) throw error;
    if (await settlesWithin(running, OUTCOME_MS)) return await running;
    throw new ServiceError('DeadlineExceeded', 'the request took too long; whether anything was changed is not known', {
      retryAfterSeconds: 10,
    });
  }
}

function whenBegun(response: Response, begun: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => Response;
  response.writeHead = ((...head: unknown[]) => {
    begun();
    return writeHead(...head);
  }) as Response['writeHead'];
}

function sendJson(response: Response, status: number, text: string | Buffer): void {
  response.status(status);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  response.end(text);
}

function hasUnreadBody({ complete, headers }: Request): boolean {
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
function sendAheadOfBody(request: Request, response: Response, status: number, text: string): void {
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

function noSuchRoute(request: Request, response: Response): ServiceError {
  const { allowed } = response.locals as RequestNotes;
  if (!allowed) return new ServiceError('NotFound', `there is nothing at ${pathOf(request)}`);
  if (allowed.has('GET')) allowed.add('HEAD');
  const methods = [...allowed].sort().join(', ');
  return new ServiceError('MethodNotAllowed', `${request.method} is not possible here; use ${methods}`, { headers: { Allow: methods } });
}

function methodsByPath(routes: readonly Route[]): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) byPath.set(path, (byPath.get(path) ?? new Set()).add(method));
  return byPath;
}
