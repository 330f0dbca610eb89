import type { EventMeta } from '@sinebar/contracts';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { count, DISTURBANCE } from '../disturbance.ts';
import { until } from '../requests/rest-client.ts';

export interface ReceivedEvent {
  name: string;
  data: Record<string, unknown>;
  meta: EventMeta;
}

type Options = Partial<ManagerOptions & SocketOptions>;

/** Path of an address, which that of one of several plants has. */
const prefixOf = (url: string) => new URL(url).pathname.replace(/\/$/, '');

/** Both documented ways to connect, with stock options (spec: decisions.md 7.2). */
export const WAYS: readonly { name: string; connect: (url: string, options?: Options) => Socket }[] = [
  {
    name: 'io("<server>/events")',
    connect: (url, options) =>
      io(`${new URL(url).origin}/events`, { forceNew: true, ...(prefixOf(url) && { path: `${prefixOf(url)}/socket.io` }), ...options }),
  },
  {
    name: 'io("<server>", {path: "/events"})',
    connect: (url, options) => io(new URL(url).origin, { path: `${prefixOf(url)}/events`, forceNew: true, ...options }),
  },
];

const AGAIN_MS = 500;

/** Whether an event reports delayed events or their end, as restarts may cause. */
export const isNewsOfRestarts = (name: string) => DISTURBANCE !== undefined && (name === 'Degraded' || name === 'Restored');

/** Events that a listener receives again after a restart; without restarts none may repeat. */
export class Repetitions {
  private readonly ids = new Set<string>();

  /** Whether the event is a repetition, which is counted and ignored. */
  has({ id }: Pick<EventMeta, 'id'>): boolean {
    if (DISTURBANCE === undefined) return false;
    if (this.ids.has(id)) {
      count('events received again');
      return true;
    }
    this.ids.add(id);
    return false;
  }
}

/** Lets the socket resume after a restart; its owner drops repeated events by id. */
export function resumeAfterRestarts(socket: Socket): void {
  if (DISTURBANCE === undefined) return;
  const credentials = (socket.auth ?? {}) as { lastSequence?: string };
  let { lastSequence } = credentials;
  let connections = 0;
  socket.auth = (give) => give(lastSequence === undefined ? credentials : { ...credentials, lastSequence });
  socket.on('connect', () => {
    connections += 1;
    if (connections > 1) count('sockets that came back');
    // The position is stored in case the connection breaks before the first event.
    socket.emit('position', ({ sequence }: { sequence: string }) => (lastSequence ??= sequence));
  });
  // The socket does not reconnect after a disconnect by the server.
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), AGAIN_MS);
  });
  socket.onAny((name: string, _data, meta: EventMeta | undefined) => {
    if (name === 'Gap') count('gaps');
    lastSequence = meta?.sequence ?? lastSequence;
  });
}

export class EventListener {
  readonly received: ReceivedEvent[] = [];
  readonly socket: Socket;
  private readonly repetitions = new Repetitions();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((name: string, data: Record<string, unknown>, meta: EventMeta) => {
      if (!isNewsOfRestarts(name) && !this.repetitions.has(meta)) this.received.push({ name, data, meta });
    });
    resumeAfterRestarts(socket);
  }

  async connected(): Promise<this> {
    await until('the event client is connected', () => this.socket.connected);
    return this;
  }

  /** Returns the events that name the uuid, in the order of arrival. */
  about(uuid: string): ReceivedEvent[] {
    return this.received.filter(({ data }) => Object.values(data).includes(uuid));
  }

  async event(name: string, uuid: string): Promise<ReceivedEvent> {
    const find = () => this.about(uuid).find((event) => event.name === name);
    await until(`the event ${name} about ${uuid}`, () => find() !== undefined);
    return find() as ReceivedEvent;
  }

  close(): void {
    this.socket.disconnect();
  }
}
