import type { EventMeta } from '@sinebar/contracts';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { until } from './rest-client.js';

export interface ReceivedEvent {
  name: string;
  data: Record<string, unknown>;
  meta: EventMeta;
}

type Options = Partial<ManagerOptions & SocketOptions>;

/** Both documented ways to connect, with stock options (spec: decisions.md 7.2). */
export const WAYS: readonly { name: string; connect: (url: string, options?: Options) => Socket }[] = [
  { name: 'io("<server>/events")', connect: (url, options) => io(`${url}/events`, { forceNew: true, ...options }) },
  { name: 'io("<server>", {path: "/events"})', connect: (url, options) => io(url, { path: '/events', forceNew: true, ...options }) },
];

/** A client that keeps what it receives. */
export class EventListener {
  readonly received: ReceivedEvent[] = [];
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((name: string, data: Record<string, unknown>, meta: EventMeta) => this.received.push({ name, data, meta }));
  }

  async connected(): Promise<this> {
    await until('the event client is connected', () => this.socket.connected);
    return this;
  }

  /** Events that name the uuid, in the order in which they came. */
  about(uuid: string): ReceivedEvent[] {
    return this.received.filter(({ data }) => Object.values(data).includes(uuid));
  }

  /** Waits for an event of this name about the uuid. */
  async event(name: string, uuid: string): Promise<ReceivedEvent> {
    const find = () => this.about(uuid).find((event) => event.name === name);
    await until(`the event ${name} about ${uuid}`, () => find() !== undefined);
    return find() as ReceivedEvent;
  }

  close(): void {
    this.socket.disconnect();
  }
}
