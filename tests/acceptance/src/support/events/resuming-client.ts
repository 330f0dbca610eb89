import { Agent } from 'node:http';
import { EVENT_NAMES, type EventMeta } from '@sinebar/contracts';
import type { Socket } from 'socket.io-client';
import { WAYS, type ReceivedEvent } from './event-listener.ts';
import { credentialsOf, READERS, type Reader } from './event-readers.ts';
import { keyOf, keyOfEvent } from './event-verdict.ts';

const AGAIN_MS = 500;

/** Makes an agent with a loopback address of its own, because the proxy ignores headers about the client's address. */
function agentFrom(localAddress: string): boolean {
  // The client accepts an agent, as its documentation says, but its types do not.
  return new Agent({ localAddress }) as unknown as boolean;
}

/** A client like a user's: it stores the last sequence and reconnects with it without limit. */
export class ResumingClient {
  readonly received: ReceivedEvent[] = [];
  readonly reader: Reader;
  connections = 0;
  private readonly socket: Socket;
  private readonly keys = new Set<string>();
  private lastSequence: string | undefined;
  private again: NodeJS.Timeout | undefined;

  /** @param number determines transport, user and address; the proxy chooses the replica by the address */
  constructor(url: string, number: number) {
    const way = WAYS[number % WAYS.length] as (typeof WAYS)[number];
    this.reader = READERS[Math.floor(number / WAYS.length) % READERS.length] as Reader;
    const credentials = credentialsOf(this.reader);
    this.socket = way.connect(url, {
      auth: (give: (auth: object) => void) =>
        give(this.lastSequence === undefined ? credentials : { ...credentials, lastSequence: this.lastSequence }),
      ...(new URL(url).hostname === '127.0.0.1' && { agent: agentFrom(`127.1.${number >> 8}.${number & 255}`) }),
      reconnectionDelayMax: 2000,
    });
    this.socket.on('connect', () => {
      this.connections += 1;
      if (this.lastSequence !== undefined) return;
      // The position is stored in case the connection breaks before the first event.
      this.socket.emit('position', ({ sequence }: { sequence: string }) => (this.lastSequence ??= sequence));
    });
    // The socket does not reconnect after a disconnect by the server.
    for (const event of ['disconnect', 'connect_error']) {
      this.socket.on(event, () => {
        if (this.socket.active) return;
        clearTimeout(this.again);
        this.again = setTimeout(() => this.socket.connect(), AGAIN_MS);
      });
    }
    this.socket.onAny((name: string, data: Record<string, unknown>, meta: EventMeta | undefined) => {
      this.lastSequence = meta?.sequence ?? this.lastSequence;
      // Only a Gap is recorded of the events about the connection: after it events may be missing.
      if (name !== 'Gap' && !EVENT_NAMES.some((known) => known === name)) return;
      this.received.push({ name, data, meta: meta ?? { id: '', time: '', sequence: '' } });
      this.keys.add(keyOfEvent({ name, data }));
    });
  }

  get state(): string {
    const { connections, received, socket } = this;
    return `${this.reader.name}, ${socket.connected ? 'connected' : 'not connected'}, ${connections} connections, ${received.length} events`;
  }

  /** True once the client has a position to resume from. */
  get isPlaced(): boolean {
    return this.lastSequence !== undefined;
  }

  has(name: string, uuid: string): boolean {
    return this.keys.has(keyOf(name, uuid));
  }

  close(): void {
    clearTimeout(this.again);
    this.socket.off('disconnect').off('connect_error').disconnect();
    clearTimeout(this.again);
  }
}
