import type { Server } from 'node:http';
import type { StreamMessage, StreamPosition } from '@sinebar/message-bus';
import type { Logger } from '@sinebar/runtime';
import type { Delivery } from '../audience/audience.ts';
import type { OutageWatch } from '../dispatch/outage-watch.ts';
import type { ConnectedClients } from './connected-clients.ts';

/** One protocol over which clients listen. */
export interface ProtocolGateway {
  /** Takes a message for the live clients in the rooms. */
  deliver(message: StreamMessage, deliveries: readonly Delivery[]): void;
  /** Sends what the last calls of `deliver` took. @returns a promise if the writes need several turns of the event loop */
  flush?(): Promise<void> | undefined;
  /** Starts periodic work. */
  start?(): void;
  /** Closes all connections so that clients reconnect elsewhere, and refuses new ones. May be called again. */
  close(): Promise<void>;
}

export interface EventGatewayOptions {
  log: Logger;
  clients: ConnectedClients;
  protocols: readonly ProtocolGateway[];
  outage: Pick<OutageWatch, 'look' | 'isDegraded'>;
  /** Last message sent to all live clients. */
  position: () => StreamPosition | undefined;
}

export const DEGRADED_MESSAGE = 'The message broker cannot be reached at the moment. Events come later, and none is lost.';
const LOOK_EVERY_MS = 100;

/** Joins the clients of all protocols. */
export class EventGateway {
  private readonly options: EventGatewayOptions;
  private readonly servers = new Set<Server>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: EventGatewayOptions) {
    this.options = options;
  }

  /** Closes the connections when this server is closed. */
  watch(server: Server): void {
    server.once('listening', () => this.servers.add(server));
  }

  start(): void {
    this.timer ??= setInterval(() => {
      // A closing server waits for its open sockets, which would never end: they are closed here.
      if ([...this.servers].some(({ listening }) => !listening)) void this.close();
      else this.look();
    }, LOOK_EVERY_MS);
    this.timer.unref();
    for (const protocol of this.options.protocols) protocol.start?.();
  }

  /** Takes a message for all live clients that want it and may see it. */
  deliver(message: StreamMessage): void {
    const { clients, protocols, outage } = this.options;
    clients.checkSignIns();
    if (outage.isDegraded) this.checkOutage();
    const deliveries = clients.audience.deliveries(message.envelope);
    if (deliveries.length === 0) return;
    for (const protocol of protocols) protocol.deliver(message, deliveries);
  }

  /** Sends what the last calls of {@link deliver} took. @returns a promise if that needs several turns of the event loop */
  flush(): Promise<unknown> | undefined {
    const writes = this.options.protocols.flatMap((protocol) => protocol.flush?.() ?? []);
    return writes.length > 0 ? Promise.all(writes) : undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.options.protocols.map((protocol) => protocol.close()));
  }

  private look(): void {
    const { clients, position } = this.options;
    clients.checkSignIns();
    this.checkOutage();
    clients.moveSlowClients(position());
  }

  private checkOutage(): void {
    const { clients, outage, log } = this.options;
    const change = outage.look();
    if (!change) return;
    log.warn(
      { clients: clients.count() },
      change === 'Degraded' ? 'the message broker is unreachable; events are delayed' : 'the message broker is reachable again',
    );
    for (const client of clients) {
      if (change === 'Degraded') client.tell('Degraded', { message: DEGRADED_MESSAGE });
      else client.tell('Restored', {});
    }
  }
}
