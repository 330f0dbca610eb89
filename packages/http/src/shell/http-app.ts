import { constants as zlibConstants } from 'node:zlib';
import { ServiceError } from '@sinebar/contracts';
import compression from 'compression';
import express, { type Express, type Request, type Response } from 'express';
import type { BrowserGuard } from '../guards/browser-guard.ts';
import { ambiguousHost } from '../guards/browser-guard.ts';
import { quoted } from '../parameters.ts';
import type { HttpAppOptions } from './http-app-options.ts';
import { beginRequest, isHealthPath, notesOf, pathOf } from './request-lifecycle.ts';
import type { Route } from '../route.ts';
import { RouteShell } from './route-shell.ts';
import { addNoTransform } from './send-reply.ts';

/** Compressed bytes per chunk: the zlib thread waits for the main thread after each one. */
const PACKED_CHUNK_BYTES = 64 * 1024;

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
  const shell = new RouteShell(options);
  app.use((request, response, next) => {
    beginRequest(request, response, options);
    const refusal = ambiguousHost(request);
    if (!refusal) {
      next();
      return;
    }
    // What follows on the connection may belong to another request than it seems.
    response.setHeader('Connection', 'close');
    shell.sendError(request, response, refusal);
  });
  // Answers are written in large pieces; each is flushed at once.
  const flush = zlibConstants.Z_SYNC_FLUSH;
  const compress = compression({ level: zlibConstants.Z_BEST_SPEED, threshold: 1024, chunkSize: PACKED_CHUNK_BYTES, flush });
  if (options.guard) app.use(guarding(options.guard, shell));
  app.use(refuseUnclearAddresses(shell));
  for (const route of options.routes) {
    const before = route.contentCoding === 'identity' ? [] : [addNoTransform, compress];
    app[route.method.toLowerCase() as Lowercase<Route['method']>](route.path, ...before, (request: Request, response: Response) =>
      shell.answer(route, request, response),
    );
  }
  for (const [path, methods] of methodsByPath(options.routes)) {
    app.all(path, (_request, response, next) => {
      const notes = notesOf(response);
      notes.allowed = new Set([...(notes.allowed ?? []), ...methods]);
      next();
    });
  }
  app.use((request: Request, response: Response) => {
    shell.sendError(request, response, noSuchRoute(request, response, options.publicUrl));
  });
  app.use((error: unknown, request: Request, response: Response, _next: express.NextFunction) => {
    shell.sendError(request, response, error);
  });
  return app;
}

/**
 * Checks host and origin before anything else. Health resources answer under every name, since probes and load balancers use their own.
 */
function guarding(guard: BrowserGuard, shell: RouteShell): express.RequestHandler {
  return (request, response, next) => {
    guard.setHeaders(request, response);
    const isProbe = request.method === 'GET' && isHealthPath(request.path);
    const refusal = isProbe ? undefined : guard.refusal(request);
    if (refusal) shell.sendError(request, response, refusal);
    else if (!guard.answersPreflight(request, response)) next();
  };
}

/**
 * Refuses deletions whose address has an empty segment, or a sign at which readers disagree: a missing or cut id must not become another
 * address, which deletes more.
 * spec: decisions.md 1.4
 */
function refuseUnclearAddresses(shell: RouteShell): express.RequestHandler {
  return (request, response, next) => {
    const path = pathOf(request);
    const deletes = request.method === 'DELETE' || (request.method === 'POST' && /\/clear\/*$/i.test(request.path));
    const problem = deletes ? unclearAddress(path) : undefined;
    if (problem) shell.sendError(request, response, problem);
    else next();
  };
}

function unclearAddress(path: string): ServiceError | undefined {
  const sign = /[#\\]/.exec(path)?.[0];
  if (sign === undefined && !hasEmptySegment(path)) return undefined;
  const message =
    sign === undefined
      ? 'has an empty segment (//), so nothing was deleted. Fill it in or leave out its slash.'
      : `contains a ${sign}, so nothing was deleted. Write it as ${encodeURIComponent(sign)} where it belongs to a name.`;
  return new ServiceError('InvalidRequest', `The address ${quoted(path)} ${message}`);
}

function noSuchRoute(request: Request, response: Response, publicUrl: string | undefined): ServiceError {
  const { allowed } = notesOf(response);
  if (!allowed) return new ServiceError('NotFound', nothingAt(pathOf(request), publicUrl));
  if (allowed.has('GET')) allowed.add('HEAD');
  const methods = [...allowed].sort().join(', ');
  return new ServiceError('MethodNotAllowed', `${request.method} is not possible here. Use ${methods}.`, { headers: { Allow: methods } });
}

/** A proxy that forwards the path of the public address unchanged makes every address wrong. */
function nothingAt(path: string, publicUrl = 'http://localhost'): string {
  const prefix = new URL(publicUrl).pathname.replace(/\/+$/, '');
  if (prefix === '' || !path.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)) return `There is nothing at ${path}.`;
  return `There is nothing at ${path}: the proxy in front of the server must take away ${prefix}, the path of SINEBAR_PUBLIC_URL.`;
}

function methodsByPath(routes: readonly Route[]): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { path, method } of routes) byPath.set(path, (byPath.get(path) ?? new Set()).add(method));
  return byPath;
}

/** Tells whether a path, or a target without its query, has an empty segment: two slashes in a row. */
function hasEmptySegment(path: string): boolean {
  return path.replace(/^https?:\/\//i, '').includes('//');
}
