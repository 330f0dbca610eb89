import type { Bus } from '@sinebar/message-bus';
import type { Metrics } from '@sinebar/service-kit';
import type { EventDispatcher } from './event-dispatcher.js';

export interface ObservedGateway {
  bus: Pick<Bus, 'streamState'>;
  dispatcher: Pick<EventDispatcher, 'position' | 'deliveredCount'>;
  sockets: { readonly clientCount: number; readonly behindCount: number; readonly slowCount: number };
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** @returns what is to be called with the time of the change of each message that is handed to the live clients */
export function gatewayMetrics(metrics: Metrics, { bus, dispatcher, sockets }: ObservedGateway): (changedAt: string) => void {
  metrics.gauge({ name: 'sinebar_gateway_clients', help: 'Clients of events: live, or catching up', labels: ['state'] }, (set) => {
    set(sockets.clientCount - sockets.behindCount, { state: 'live' });
    set(sockets.behindCount, { state: 'catching_up' });
  });
  metrics.count(
    {
      name: 'sinebar_gateway_slow_clients_total',
      help: 'Times that a live client did not read as fast as events came and was moved to catching up',
    },
    (set) => set(sockets.slowCount),
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
