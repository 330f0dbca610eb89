import type { IncomingMessage } from 'node:http';
import type { SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';
import type { OutageWatch } from '../dispatch/outage-watch.ts';
import type { ConnectedClients } from './connected-clients.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { ClientDependencies } from './listening-client.ts';

/** Options that each protocol needs to accept clients. */
export interface ConnectionOptions {
  clients: ConnectedClients;
  clientDeps: ClientDependencies;
  /** Returns the client address of a request. */
  addressOf: (request: IncomingMessage) => string;
  /** Counts the clients together with other open connections. */
  limits: ConnectionLimits;
  outage: Pick<OutageWatch, 'isDegraded'>;
  corsOrigins: readonly string[];
}

/** Returns the reason why no client is admitted at the moment; also checked for requests on open connections. */
export function openingRefusal({ position }: Pick<ClientDependencies, 'position'>, isClosing: boolean): ServiceError | undefined {
  if (isClosing)
    return new ServiceError('Unavailable', 'The server is stopping. Connect again in a few seconds.', { retryAfterSeconds: 5 });
  // A client that connects before there is a position could miss what is published before the stream is followed.
  if (!position())
    return new ServiceError('Unavailable', 'The event stream cannot be reached at the moment. Connect again in a few seconds.', {
      retryAfterSeconds: 5,
    });
  return undefined;
}

/**
 * Refuses a connection with expired credentials.
 * Clock skew extends credentials for a request, but such a connection would be closed at once. @throws ServiceError 401
 */
export function refuseEnded({ expiresAt }: SignIn): void {
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ServiceError('Unauthenticated', 'The token has expired. Connect again with a new one.');
}
