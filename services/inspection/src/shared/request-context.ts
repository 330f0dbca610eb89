import type { Principal } from '@sinebar/access-control';
import type { WorkOptions } from '@sinebar/database';
import { matchesEtag, reply, REVALIDATED, type PerUserQueue, type Reply, type RequestContext, type RouteRequest } from '@sinebar/http';

/** The properties of a read request on which its answer and its validator depend. */
export interface Reader extends WorkOptions {
  principal: Principal;
  /** The route and its normalised parameters. */
  fingerprint: string;
  headers: { 'if-none-match'?: string | undefined; 'accept-encoding'?: string | string[] | undefined };
}

/** A user with the limits and the condition of a request. */
export interface Caller extends WorkOptions {
  principal: Principal;
  /** Header `If-Match`. */
  ifMatch?: string | undefined;
}

export function callerOf({ context, headers }: RouteRequest<unknown, unknown, unknown>): Caller {
  return { ...workOf(context), principal: context.principal, ifMatch: headers['if-match'] };
}

export function readerOf({ context, headers, query, params }: RouteRequest<unknown, unknown, unknown>, route: string): Reader {
  return { ...workOf(context), principal: context.principal, headers, fingerprint: JSON.stringify([route, params, query]) };
}

export function workOf({ signal, statementTimeoutMs, traceparent, client }: RequestContext): WorkOptions {
  return { signal, statementTimeoutMs, traceparent, client };
}

/** Runs the work of a request when its turn in the queue of its user comes. @throws ServiceError 429 */
export function inTurn<T>(
  queue: PerUserQueue,
  { context, stream }: Pick<RouteRequest<unknown, unknown, unknown>, 'context' | 'stream'>,
  work: () => Promise<T>,
): Promise<T> {
  return queue.run(context.principal, stream, context.signal, work);
}

/** Answers 304 if the client already has the answer for this state. */
export function unchanged(reader: Reader, { etag }: { etag: string }): Reply | undefined {
  return matchesEtag(reader.headers['if-none-match'], etag) ? reply.empty(304, cacheHeaders(etag)) : undefined;
}

export function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': REVALIDATED, Vary: 'Accept-Encoding, Authorization' };
}
