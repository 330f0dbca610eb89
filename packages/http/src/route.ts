import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { PartRight, Principal, ServerRight } from '@sinebar/access-control';
import type { z } from 'zod';
import type { Logger } from 'pino';
import type { AnyRouteDocumentation, RouteDocumentation } from './route-documentation.ts';

/**
 * Permission that a route requires.
 * `open`: none, not even a sign-in. `signed-in`: a sign-in where the server demands it. A right on parts: the right on at least one part;
 * the handler narrows it with `context.principal.scopeOf(right)`.
 */
export type RoutePermission = 'open' | 'signed-in' | PartRight | ServerRight;

/**
 * Time limit of an answer (spec: decisions.md 10.1).
 * read: 60 s to the first byte; write: 120 s; long: 280 s (delete, clear, move, configuration); upload: no total limit, 60 s without
 * progress.
 */
export type Deadline = 'read' | 'write' | 'long' | 'upload';

/** Time limit of a route and of each of its statements, milliseconds. */
export const DEADLINE_MS: Readonly<Record<Exclude<Deadline, 'upload'>, number>> = { read: 60_000, write: 120_000, long: 280_000 };

export interface RequestContext {
  requestId: string;
  principal: Principal;
  /** Aborts when the client disconnects or the deadline passes; pass it to everything that waits. */
  signal: AbortSignal;
  /** Limit for one database statement of this request, milliseconds. */
  statementTimeoutMs: number;
  log: Logger;
  /** W3C trace context of the request, if any; pass it to the database with the signal. */
  traceparent?: string | undefined;
  /** Key for connection limits: the user, or the address of an anonymous client. */
  client: string;
  /** Address under which the client reached the server, with the path of `SINEBAR_PUBLIC_URL`, without a trailing slash. */
  origin: string;
}

/** Returns the path below which clients see the server, without a trailing slash; empty at the root. */
export function basePathOf({ origin }: Pick<RequestContext, 'origin'>): string {
  return URL.canParse(origin) ? new URL(origin).pathname.replace(/\/+$/, '') : '';
}

export interface RouteRequest<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  headers: IncomingHttpHeaders;
  /** Path as sent, still encoded, without the query. */
  path: string;
  context: RequestContext;
  /** The request as a byte stream; only for routes that read the body themselves (`body: 'stream'`). */
  stream: IncomingMessage;
}

export type Reply =
  | { kind: 'json'; status: number; body: unknown; headers?: Readonly<Record<string, string>> }
  /** A finished JSON text, as string or UTF-8. */
  | { kind: 'text'; status: number; text: string | Buffer; headers?: Readonly<Record<string, string>> }
  | { kind: 'empty'; status: number; headers?: Readonly<Record<string, string>> }
  | {
      kind: 'stream';
      status: number;
      headers: Readonly<Record<string, string>>;
      /**
       * Writes the body and resolves when done; awaits `drain` and stops when `signal` aborts. The shell ends the sink. Not called for
       * HEAD.
       */
      write: (sink: Writable, signal: AbortSignal) => Promise<void>;
    };

/**
 * What a request deletes. `item`: what the address names.
 * Otherwise the address alone means everything, and the parameters in `selectedBy` select from it.
 */
export type Deletes = 'item' | { selectedBy: readonly string[] };

/** Every DELETE says what it deletes, and so does a POST that deletes. Such a route knows all its parameters. */
type DeletingMethod =
  { method: 'DELETE'; deletes: Deletes } | { method: 'GET' | 'PUT'; deletes?: never } | { method: 'POST'; deletes?: Deletes };

interface RouteBehaviour<P, Q, B> {
  /** Express 5 path; letters match in any case, one trailing slash is ignored. */
  path: string;
  permission: RoutePermission;
  deadline: Deadline;
  params?: z.ZodType<P>;
  /**
   * Query schema with keys in the documents' spelling; names on the wire match in any case. Values are texts; an empty parameter is dropped
   * unless it is in `keepEmpty`.
   * A route with `deletes` refuses an unknown parameter, and one sent empty (spec: decisions.md 1.7).
   */
  query?: z.ZodObject<z.ZodRawShape> & z.ZodType<Q>;
  keepEmpty?: readonly string[];
  /** Names of parameters that are refused where others would be ignored: the answer would not be the one that their author expects. */
  refusedParameters?: readonly string[];
  /** Whether a parameter that the route does not know is refused, with the nearest one that it knows; others are ignored. */
  knowsAllParameters?: boolean;
  /**
   * Schema of a JSON body; `bytes`: the handler reads a JSON body from a `Buffer`; `stream`: it reads the connection itself.
   * Without it the body is ignored, or refused where `deletes` names no item.
   */
  body?: z.ZodType<B> | 'bytes' | 'stream';
  /** True if the route counts in the limit of concurrent searches of a user: it may read far more than it answers. */
  isSearch?: boolean;
  /** `identity`: answers are never compressed. Default: the coding that the client accepts. */
  contentCoding?: 'identity';
  handle: (request: RouteRequest<P, Q, B>) => Promise<Reply>;
}

/** A route without its documentation. */
export type UndocumentedRoute<P, Q, B> = RouteBehaviour<P, Q, B> & DeletingMethod;

export type RouteDefinition<P, Q, B> = UndocumentedRoute<P, Q, B> & { documentation: NoInfer<RouteDocumentation<P, Q, B>> };

/** A route of any types, as services pass them to the shell. */
export type Route = UndocumentedRoute<unknown, unknown, unknown> & { documentation: AnyRouteDocumentation };

/** Checks a route's types at its definition; a route without permission, deadline, documentation or matching schemas does not compile. */
export function defineRoute<P = unknown, Q = unknown, B = unknown>(definition: RouteDefinition<P, Q, B>): Route {
  return definition as unknown as Route;
}

export const reply = {
  json: (body: unknown, status = 200, headers?: Readonly<Record<string, string>>): Reply => ({
    kind: 'json',
    status,
    body,
    ...(headers && { headers }),
  }),
  text: (text: string | Buffer, headers: Readonly<Record<string, string>>): Reply => ({ kind: 'text', status: 200, text, headers }),
  empty: (status = 200, headers?: Readonly<Record<string, string>>): Reply => ({ kind: 'empty', status, ...(headers && { headers }) }),
  stream: (
    headers: Readonly<Record<string, string>>,
    write: (sink: Writable, signal: AbortSignal) => Promise<void>,
    status = 200,
  ): Reply => ({
    kind: 'stream',
    status,
    headers,
    write,
  }),
};
