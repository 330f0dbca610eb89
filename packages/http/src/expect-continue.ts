import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Responses to requests whose clients wait for 100 (Continue) before they send the body. */
const waiting = new WeakMap<object, ServerResponse>();

/**
 * Leaves the answer 100 to the reader of the body (`sendContinue`), so that a request that is refused before gets its final status at once.
 * Node then closes the connection after that answer: the client may or may not send the body.
 * spec: decisions.md 6.10; RFC 9110, 10.1.1
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) waiting.set(request, response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Asks the client for the body if it waits for that; call it right before the first byte is read. */
export function sendContinue(request: object): void {
  const response = waiting.get(request);
  if (!response) return;
  waiting.delete(request);
  if (!response.headersSent) response.writeContinue();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
