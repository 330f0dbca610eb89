import type { IncomingMessage, ServerResponse } from 'node:http';

const ALLOWED_METHODS = 'GET, POST, DELETE';
/** Request headers that JavaScript clients set. */
const ALLOWED_HEADERS = 'authorization, content-type, x-requested-with, x-signalr-user-agent, cache-control';
const PREFLIGHT_MAX_AGE_S = '600';

/**
 * Lets pages of listed origins read the answer.
 * A page that only `*` allows cannot use credentials stored by the browser: its client must set `withCredentials: false` and send a token.
 */
export function allowPage({ headers }: IncomingMessage, response: ServerResponse, corsOrigins: readonly string[]): void {
  response.setHeader('Vary', 'Origin');
  if (headers.origin === undefined) return;
  if (corsOrigins.includes('*')) {
    response.setHeader('Access-Control-Allow-Origin', '*');
    return;
  }
  response.setHeader('Access-Control-Allow-Origin', headers.origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
}

/** Answers a CORS preflight; the origin was checked before. */
export function answerPreflight(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', ALLOWED_METHODS);
  response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE_S);
  response.writeHead(204).end();
}
