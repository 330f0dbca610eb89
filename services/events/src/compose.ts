import type { IncomingMessage } from 'node:http';
import { NO_AUTHENTICATION, type Authenticator, type AuthenticationType } from '@sinebar/authentication';
import type { ChangeEnvelope, Span, Tracer } from '@sinebar/contracts';
import type { Bus } from '@sinebar/message-bus';
import { PerUserLimit } from '@sinebar/http';
import { streamMetrics, type Logger, type ComposedService } from '@sinebar/runtime';
import type { EventsSettings } from './config.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { ChangeWaiters } from './changes/change-waiters.ts';
import { changesRoutes } from './changes/changes-routes.ts';
import { ConnectedClients } from './connections/connected-clients.ts';
import { ConnectionLimits } from './connections/connection-limits.ts';
import type { ConnectionOptions } from './connections/connection-options.ts';
import { attachEventEndpoints, EventGateway } from './connections/event-gateway.ts';
import { catchUp } from './dispatch/catch-up.ts';
import { EventDispatcher } from './dispatch/event-dispatcher.ts';
import { gatewayMetrics } from './connections/gateway-metrics.ts';
import { OutageWatch } from './dispatch/outage-watch.ts';
import { Semaphore } from '@sinebar/concurrency';
import { StreamHealth } from './dispatch/stream-health.ts';
import type { HubTimes } from './signalr/hub-connection.ts';
import { serverConfigurationRoutes } from './signalr/server-configuration-routes.ts';
import { SignalRGateway } from './signalr/signalr-gateway.ts';
import { SocketGateway } from './sockets/socket-gateway.ts';

export interface EventsOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState' | 'streamUsage' | 'status'>;
  log: Logger;
  /** Creates spans of deliveries. */
  tracer?: Tracer | undefined;
  settings: EventsSettings;
  /** Authenticates clients and reports policy changes; default: access mode `none`. The gateway does not close it. */
  authenticator?: Authenticator;
  /** Sign-in methods that SignalR clients are offered; default: none needed. */
  authenticationTypes?: readonly AuthenticationType[] | undefined;
  /** Returns the client address of a request; default: the peer of the TCP connection. */
  addressOf?: (request: IncomingMessage) => string;
  /** Monotonic clock in milliseconds. */
  nowMs?: () => number;
  /** Times of the SignalR protocol, shortened by tests. */
  hubTimes?: Partial<HubTimes> | undefined;
}

export interface EventsService extends ComposedService {
  /**
   * Closes all sockets so that clients reconnect elsewhere, and refuses new ones.
   * Part of `stop`, and separate for a host that closes its HTTP server first, since that server waits for open sockets.
   */
  release(): Promise<void>;
}

/** Maximum concurrent readers of the stream: clients that catch up and requests for the feed. */
const MAX_CATCH_UP_READERS = 32;
const MAX_FEED_READERS = 16;

/** Composes the event gateway: sockets, the feed over REST and its health. spec: decisions.md 7; architecture, Events */
export function composeEvents(options: EventsOptions): EventsService {
  const {
    bus,
    log,
    tracer,
    settings,
    authenticator = NO_AUTHENTICATION,
    authenticationTypes = ['None'],
    addressOf = peerAddress,
    nowMs = () => performance.now(),
    hubTimes,
  } = options;
  const readers = new Semaphore(MAX_CATCH_UP_READERS);
  const waiters = new ChangeWaiters();
  const limits = new ConnectionLimits({ perUser: settings.SINEBAR_SOCKETS_PER_USER, perAddress: settings.SINEBAR_SOCKETS_PER_ADDRESS });
  const waiting = new PerUserLimit({
    limit: settings.SINEBAR_WAITING_REQUESTS_PER_USER,
    what: 'waiting requests',
    setting: 'SINEBAR_WAITING_REQUESTS_PER_USER',
    addressOf,
  });
  const dispatcher = new EventDispatcher({ bus, log });
  const position = () => dispatcher.position;
  const feed = new ChangeFeed({ bus, waiters, readers: new Semaphore(MAX_FEED_READERS), position });
  const clients = new ConnectedClients(log);
  const outage = new OutageWatch(bus, dispatcher, nowMs);
  const connections: ConnectionOptions = {
    clients,
    clientDeps: {
      authenticator,
      audience: clients.audience,
      log,
      maxWaitingBytes: settings.SINEBAR_SOCKET_BUFFER_BYTES,
      warningMs: settings.SINEBAR_TOKEN_WARNING_S * 1000,
      nowMs,
      catchUp: (client, from, signal) => catchUp(client, from, { bus, dispatcher, readers, log }, signal),
      position,
      onSignIn: (client) => clients.signedIn(client),
    },
    addressOf,
    limits,
    outage,
    corsOrigins: settings.SINEBAR_CORS_ORIGINS,
  };
  const polling = settings.SINEBAR_SOCKET_POLLING;
  const sockets = new SocketGateway({
    ...connections,
    polling,
    maxMessageBytes: settings.SINEBAR_SOCKET_MESSAGE_BYTES,
    pingIntervalMs: settings.SINEBAR_SOCKET_PING_INTERVAL_MS,
    pingTimeoutMs: settings.SINEBAR_SOCKET_PING_TIMEOUT_MS,
    // Twice the limit, so that refused clients can still receive the reason.
    transportsPerAddress: 2 * settings.SINEBAR_SOCKETS_PER_ADDRESS,
  });
  const signalR = new SignalRGateway({ ...connections, polling, times: hubTimes });
  const gateway = new EventGateway({ log, clients, protocols: [sockets, signalR], outage, position });
  dispatcher.add({
    deliver: (message) => {
      const span = deliverySpan(tracer, message.envelope);
      gateway.deliver(message);
      waiters.deliver(message);
      span?.end();
    },
    flush: () => gateway.flush(),
    announceGap: (position) => {
      clients.announceGap(position);
      feed.gap();
    },
  });
  const health = new StreamHealth(bus, dispatcher, nowMs);
  let policy: { stop(): void } | undefined;
  const release = async () => {
    feed.close();
    await gateway.close();
  };
  return {
    name: 'events',
    document: {
      below: '/eventServiceRest',
      title: 'Sinebar events service',
      description: 'What changed, for programs that ask. Programs that listen use Socket.IO or SignalR.',
    },
    routes: [...changesRoutes({ feed, authenticator, addressOf, limits, waiting }), ...serverConfigurationRoutes(authenticationTypes)],
    attach: (server, guard) => {
      attachEventEndpoints(server, { 'socket.io': sockets, signalr: signalR }, guard);
      gateway.watch(server);
    },
    observe: (metrics) => {
      streamMetrics(metrics, 'events', bus);
      const delivered = gatewayMetrics(metrics, { bus, dispatcher, clients });
      dispatcher.add({ deliver: ({ envelope }) => delivered(envelope.time) });
    },
    start: async () => {
      policy ??= authenticator.onPolicyChange(() => {
        clients.policyChanged();
        feed.policyChanged();
      });
      gateway.start();
      await dispatcher.start();
    },
    stop: async () => {
      policy?.stop();
      await release();
      await dispatcher.stop();
    },
    release,
    health: async () => [
      ...(await health.check()),
      {
        name: 'event clients',
        healthy: true,
        detail: `${clients.count()} connected, ${clients.count(({ isLive }) => !isLive)} of them catching up`,
      },
    ],
  };
}

function deliverySpan(tracer: Tracer | undefined, { id, type, traceparent: parent }: ChangeEnvelope): Span | undefined {
  if (!tracer || parent === undefined) return undefined;
  return tracer.start(`deliver ${type}`, {
    kind: 'consumer',
    parent,
    attributes: { 'messaging.system': 'nats', 'messaging.message.id': id },
  });
}

function peerAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}
