import { abortable, settlesWithin } from '@sinebar/concurrency';
import { EVERYONE, SERVER_RIGHTS, type Principal, type ServerRight } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import type { Request, Response } from 'express';
import { errorReply } from '../error-reply.ts';
import { BodyBudget, readJsonBody, readJsonBytes, type BodyLimits } from '../json/json-body.ts';
import type { Reply, RequestContext, Route, RoutePermission } from '../route.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { ClientDisconnected } from '../client-disconnected.ts';
import { RequestDeadline } from './request-deadline.ts';
import { parseWith, readParams, readQuery, refuseBody, refuseEmptyName } from './request-input.ts';
import { beginRoute, isHealthPath, notesOf, pathOf, requestIdOf, searchOf, traceOf } from './request-lifecycle.ts';
import { hasUnreadBody, sendAheadOfBody, sendJson, sendReply } from './send-reply.ts';

const DEFAULT_LIMITS: BodyLimits = { bodyBytes: 64 * 2 ** 20, inFlightBytes: 256 * 2 ** 20 };
/** Extra time after the deadline in which the outcome of a change is awaited, milliseconds: cancelling takes up to five seconds. */
const OUTCOME_MS = 8000;
const KEPT_ON_ERROR = new Set([
  'x-request-id',
  'connection',
  'vary',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

/** Answers requests of routes: checks permission and input, runs the route within its time limit, and sends its answer or an error. */
export class RouteShell {
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
      if (this.options.isStarted?.() === false && !isHealthPath(route.path)) {
        throw new ServiceError('Unavailable', 'The server is starting. Try again in a few seconds.', { retryAfterSeconds: 2 });
      }
      const reply = await answered(route, deadline.signal, async () => {
        const context = await this.createContext(route, request, response, deadline.signal);
        if (route.isSearch === true) endSearch = this.options.searches?.enter(context.principal, request);
        const params = readParams(route, request.params);
        const query = readQuery(route, searchOf(request));
        refuseEmptyName(route, request.path, query);
        const body = await this.readBody(route, request, deadline.signal, (give) => (release = give));
        return route.handle({ params, query, body, headers: request.headers, path: pathOf(request), context, stream: request });
      });
      await sendReply(reply, route, request, response, deadline);
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

  private async createContext(route: Route, request: Request, response: Response, signal: AbortSignal): Promise<RequestContext> {
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
      traceparent: notesOf(response).traceparent,
      origin: this.options.publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`,
    };
  }

  private async readBody(route: Route, request: Request, signal: AbortSignal, release: (give: () => void) => void): Promise<unknown> {
    if (route.deletes && route.deletes !== 'item') await refuseBody(request, signal);
    if (route.body === undefined || route.body === 'stream') return undefined;
    if (route.body === 'bytes') return readJsonBytes(request, this.limits, this.budget, signal, release);
    const value = await readJsonBody(request, this.limits, this.budget, signal, release);
    return parseWith(route.body, value, 'body');
  }
}

function checkPermission(permission: RoutePermission, principal: Principal): void {
  if (permission === 'open' || permission === 'signed-in') return;
  const allowed = isServerRight(permission) ? principal.holds(permission) : !principal.scopeOf(permission).isEmpty;
  if (!allowed) throw new ServiceError('Forbidden', `This needs the right ${permission}, which you do not hold.`);
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
    throw new ServiceError('DeadlineExceeded', 'The request took too long. Whether anything was changed is not known.', {
      retryAfterSeconds: 10,
    });
  }
}
