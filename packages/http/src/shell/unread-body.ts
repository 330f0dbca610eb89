import type { Request, Response } from 'express';

/** Time for a client to read an answer sent before the end of its upload, milliseconds. */
const LINGER_MS = 5000;

export function hasUnreadBody({ complete, headers }: Request): boolean {
  return !complete && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined);
}

/** Closes the connection after an answer that is sent before the end of the body; it cannot be reused. */
export function closeAfterUnreadBody(request: Request, response: Response): void {
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
export function sendAheadOfBody(request: Request, response: Response, status: number, text: string): void {
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
