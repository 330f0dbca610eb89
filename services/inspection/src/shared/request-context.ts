import type { Principal } from '@sinebar/access-control';
import type { WorkOptions } from '@sinebar/database';
import { matchesEtag, reply, REVALIDATED, type Reply, type RequestContext, type RouteRequest } from '@sinebar/http';

/** The properties of a read request on which its answer and its validator depend. */
export interface Reader extends WorkOptions {
  principal: Principal;
  /** The route and its normalised parameters. */
  fingerprint: string;
  headers: { 'if-none-match'?: string | undefined; 'accept-encoding'?: string | string[] | undefined };
}

export function readerOf({ context, headers, query, params }: RouteRequest<unknown, unknown, unknown>, route: string): Reader {
  return { ...workOf(context), principal: context.principal, headers, fingerprint: JSON.stringify([route, params, query]) };
}

export function workOf({ signal, statementTimeoutMs, traceparent, client }: RequestContext): WorkOptions {
  return { signal, statementTimeoutMs, traceparent, client };
}

/** Answers 304 if the client already has the answer for this state. */
export function unchanged(reader: Reader, { etag }: { etag: string }): Reply | undefined {
  return matchesEtag(reader.headers['if-none-match'], etag) ? reply.empty(304, cacheHeaders(etag)) : undefined;
}

export function cacheHeaders(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': REVALIDATED, Vary: 'Accept-Encoding, Authorization' };
}
