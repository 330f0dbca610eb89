import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@sinebar/contracts';
import type { OutageWatch } from '../dispatch/outage-watch.js';
import type { ConnectedClients } from './connected-clients.js';
import type { ConnectionLimits } from './connection-limits.js';
import type { ClientSurroundings } from './listening-client.js';

/** Options that each protocol needs to accept clients. */
export interface ConnectionOptions {
  clients: ConnectedClients;
  surroundings: ClientSurroundings;
  /** Address of the client that sent a request. */
  addressOf: (request: IncomingMessage) => string;
  /** Counts the clients, together with whatever else keeps connections open. */
  limits: ConnectionLimits;
  outage: Pick<OutageWatch, 'isDegraded'>;
  corsOrigins: readonly string[];
}

/** Why no client is let in at the moment; it is asked for requests on open connections, too. */
export function openingRefusal({ position }: Pick<ClientSurroundings, 'position'>, isClosing: boolean): ServiceError | undefined {
  if (isClosing) return new ServiceError('Unavailable', 'the server is stopping', { retryAfterSeconds: 5 });
  // Without a position a client that connects now could miss what is published before the stream is followed.
  if (!position()) return new ServiceError('Unavailable', 'the event stream cannot be reached at the moment', { retryAfterSeconds: 5 });
  return undefined;
}
