import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@sinebar/contracts';
import { newSessionId } from '../connections/session-id.ts';
import type { TransportName } from './hub-connection.ts';

const PUBLIC_ID_BYTES = 16;
const NEWEST_VERSION = 1;

export interface Negotiation {
  /** Secret with which later requests identify the connection. */
  token: string;
  answer: Record<string, unknown>;
}

/**
 * Answers a negotiation.
 * The connection id of version 1 and later, which may appear in logs, is not the secret.
 * @param version version as sent; missing means 0
 * @throws ServiceError 400. spec: signalr.md, Before the connection
 */
export function negotiate(version: string | undefined, polling: boolean, request: IncomingMessage): Negotiation {
  if (version !== undefined && !/^\d{1,9}$/.test(version)) {
    throw new ServiceError('InvalidRequest', 'The parameter negotiateVersion must be a whole number, such as 1.');
  }
  const negotiateVersion = Math.min(Number(version ?? 0), NEWEST_VERSION);
  const token = newSessionId(request);
  const ids =
    negotiateVersion === 0
      ? { connectionId: token }
      : { connectionId: randomBytes(PUBLIC_ID_BYTES).toString('base64url'), connectionToken: token };
  return { token, answer: { negotiateVersion, ...ids, availableTransports: transportsWith(polling) } };
}

function transportsWith(polling: boolean): { transport: TransportName; transferFormats: string[] }[] {
  return [
    { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
    { transport: 'ServerSentEvents', transferFormats: ['Text'] },
    ...(polling ? [{ transport: 'LongPolling' as const, transferFormats: ['Text', 'Binary'] }] : []),
  ];
}
