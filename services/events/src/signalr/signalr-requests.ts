import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@sinebar/contracts';

/** Maximum bytes of one request of a client; each message in it has its own limit. */
const MAX_REQUEST_BYTES = 64 * 1024;

/** Kinds of SignalR requests. */
export interface SignalRRequest {
  /** Path without the query. */
  path: string;
  /** The secret of the connection. */
  id: string | undefined;
  negotiateVersion: string | undefined;
  /** Value of the header `Authorization`. A page cannot set it for a WebSocket and sends its token in the query. */
  authorization: string | undefined;
}

/** A refusal whose text the protocol defines; all others use the error body of all services. */
export class ProtocolRefusal extends Error {
  override readonly name = 'ProtocolRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function readRequest({ url = '', headers }: IncomingMessage): SignalRRequest {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(url) ?? [];
  // Names match in any case (spec: decisions.md 1.2); the first of several values is used.
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const folded = name.toLowerCase();
    if (!values.has(folded)) values.set(folded, value);
  }
  const token = values.get('access_token');
  return {
    path,
    id: values.get('id') || undefined,
    negotiateVersion: values.get('negotiateversion') || undefined,
    authorization: headers.authorization ?? (token ? `Bearer ${token}` : undefined),
  };
}

/** Reads the body of a request. @throws ServiceError 408, 413 */
export async function readBody(request: IncomingMessage, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    request.destroy();
  }, timeoutMs);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_REQUEST_BYTES)
        throw new ServiceError(
          'BodyTooLarge',
          `A request may have at most ${MAX_REQUEST_BYTES} bytes here. Send fewer messages at a time.`,
        );
      chunks.push(chunk);
    }
  } catch (error) {
    if (isLate) throw new ServiceError('RequestTimeout', 'The body of the request did not arrive in time. Send the request again.');
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
