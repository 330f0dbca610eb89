import type { Bus } from '@sinebar/message-bus';
import type { Metrics } from '@sinebar/runtime';
import type { ConnectedClients } from './connected-clients.ts';
import type { EventDispatcher } from '../dispatch/event-dispatcher.ts';

export interface ObservedGateway {
  bus: Pick<Bus, 'streamState'>;
  dispatcher: Pick<EventDispatcher, 'position' | 'deliveredCount'>;
  clients: Pick<ConnectedClients, 'count' | 'slowCount'>;
}

const PROTOCOLS = ['socket.io', 'signalr'] as const;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Registers the metrics. @returns a function to call with the time of each delivered change */
export function gatewayMetrics(metrics: Metrics, { bus, dispatcher, clients }: ObservedGateway): (changedAt: string) => void {
  metrics.gauge(
    { name: 'sinebar_gateway_clients', help: 'Clients of events, by protocol: live, or catching up', labels: ['state', 'protocol'] },
    (set) => {
      for (const protocol of PROTOCOLS) {
        set(
          clients.count((client) => client.protocol === protocol && client.isLive),
          { state: 'live', protocol },
        );
        set(
          clients.count((client) => client.protocol === protocol && !client.isLive),
          { state: 'catching_up', protocol },
        );
      }
    },
  );
  metrics.count(
    {
      name: 'sinebar_gateway_slow_clients_total',
      help: 'Times that a live client did not read as fast as events came and was moved to catching up',
    },
    (set) => set(clients.slowCount),
  );
  metrics.count({ name: 'sinebar_gateway_events_total', help: 'Events that were handed to the live clients' }, (set) =>
    set(dispatcher.deliveredCount),
  );
  metrics.gauge({ name: 'sinebar_gateway_position', help: 'Sequence of the last message that was handed to the live clients' }, (set) => {
    if (dispatcher.position) set(dispatcher.position.sequence);
  });
  metrics.gauge(
    { name: 'sinebar_gateway_lag_messages', help: 'Messages of the stream that the live clients do not have yet' },
    async (set) => {
      const { epoch, lastSequence } = await bus.streamState();
      const { position } = dispatcher;
      if (position) set(position.epoch === epoch ? Math.max(0, lastSequence - position.sequence) : lastSequence);
    },
  );
  const delay = metrics.histogram({
    name: 'sinebar_gateway_delay_seconds',
    help: 'Time from a change to its delivery to the live clients, by the clocks of both machines, seconds',
    buckets: SECONDS,
  });
  return (changedAt) => delay.observe(Math.max(0, Date.now() - Date.parse(changedAt)) / 1000);
}
