import type { NextFunction, Request, Response } from 'express';
import onHeaders from 'on-headers';

/**
 * `Cache-Control` of an answer with a validator: caches revalidate it each time.
 * The .NET SDK stores nothing without `max-age`, and would then never send `If-None-Match`.
 * spec: decisions.md 10.8
 */
export const REVALIDATED = 'private, no-cache, max-age=0, no-transform';

/** Value of {@link REVALIDATED} until the compression middleware has read the headers. */
const UNTIL_COMPRESSED = 'private, no-cache, max-age=0';

/** Sets the headers of an answer that may still be compressed. */
export function setCompressibleHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
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
