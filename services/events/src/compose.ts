import type { IncomingMessage } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import { NO_AUTHENTICATION, type Authenticator } from '@sinebar/authentication';
import type { Bus } from '@sinebar/message-bus';
import type { Logger, ServiceParts } from '@sinebar/service-kit';
import type { EventsSettings } from './config.js';
import { changesRoutes } from './features/changes/changes-routes.js';
import { catchUp } from './features/dispatch/catch-up.js';
import { EventDispatcher } from './features/dispatch/event-dispatcher.js';
import { Slots } from './features/dispatch/slots.js';
import { StreamHealth } from './features/dispatch/stream-health.js';
import { authorizationOf } from './features/sockets/credentials.js';
import { SocketGateway, type Handshake } from './features/sockets/socket-gateway.js';

export interface EventsOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState' | 'status'>;
  log: Logger;
  settings: EventsSettings;
  /** Tells who connects; by default access mode `none`. Stays open. */
  authenticator?: Authenticator;
  /** Address of the client that sent a request; by default whoever the TCP connection comes from. */
  addressOf?: (request: IncomingMessage) => string;
  /** Takes the place of the authenticator. @throws ServiceError, whose sentence the client gets */
  admit?: (handshake: Handshake) => Principal | Promise<Principal>;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
}

export interface EventsParts extends ServiceParts {
  /**
   * Ends all sockets so that clients connect again elsewhere, and lets nobody in. Part of `stop`; for a host that closes its HTTP server before it stops
   * its services, since the server waits for open sockets.
   */
  release(): Promise<void>;
}

/** Clients that read the stream for themselves at the same time. */
const CATCH_UP_SLOTS = 32;

/** The event gateway: sockets, the feed over REST, and its part of the health. spec: decisions.md 7; architecture, Events */
export function composeEvents(options: EventsOptions): EventsParts {
  const { bus, log, settings, admit = admission(options), nowMs = () => performance.now() } = options;
  const slots = new Slots(CATCH_UP_SLOTS);
  const dispatcher = new EventDispatcher({
    bus,
    log,
    deliver: (message) => gateway.deliver(message),
    announceGap: () => gateway.announceGap(),
  });
  const gateway = new SocketGateway({
    log,
    admit,
    position: () => dispatcher.position,
    catchUp: (client, from, signal) => catchUp(client, from, { bus, dispatcher, slots, log }, signal),
    polling: settings.SINEBAR_SOCKET_POLLING,
    corsOrigins: settings.SINEBAR_CORS_ORIGINS,
    maxWaitingBytes: settings.SINEBAR_SOCKET_BUFFER_BYTES,
    nowMs,
  });
  const health = new StreamHealth(bus, dispatcher, nowMs);
  return {
    name: 'events',
    routes: changesRoutes(bus),
    attach: (server) => gateway.attach(server),
    start: () => {
      dispatcher.start();
      gateway.start();
      return Promise.resolve();
    },
    stop: async () => {
      await gateway.close();
      await dispatcher.stop();
    },
    release: () => gateway.close(),
    health: async () => [
      ...(await health.check()),
      { name: 'event clients', healthy: true, detail: `${gateway.clientCount} connected, ${gateway.behindCount} of them catching up` },
    ],
  };
}

function admission({ authenticator = NO_AUTHENTICATION, addressOf = ({ socket }) => socket.remoteAddress ?? '' }: EventsOptions) {
  return async ({ authorization, auth, request }: Handshake): Promise<Principal> => {
    const credentials = { authorization: authorization ?? authorizationOf(auth), address: addressOf(request) };
    return (await authenticator.authenticate(credentials)).principal;
  };
}
