import type { Server } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import type { Bus } from '@sinebar/message-bus';
import { createHttpApp, createHttpServer, listen, loadSettings } from '@sinebar/service-kit';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { composeEvents, type EventsParts } from './compose.js';
import { eventsSettings } from './config.js';
import type { Handshake } from './features/sockets/socket-gateway.js';
import { silentLog } from './test-changes.test-case.js';

export interface TestGateway {
  url: string;
  server: Server;
  parts: EventsParts;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState' | 'status'>;
  env?: Record<string, string>;
  admit?: (handshake: Handshake) => Principal;
  authenticate?: () => Promise<Principal>;
}

/** A gateway on a server of its own, with the same HTTP shell as the product. */
export async function startGateway({ bus, env = {}, admit, authenticate }: TestGatewayOptions): Promise<TestGateway> {
  const settings = loadSettings(eventsSettings, env).values;
  const parts = composeEvents({ bus, log: silentLog, settings, ...(admit && { admit }) });
  const server = createHttpServer(createHttpApp({ routes: parts.routes, log: silentLog, ...(authenticate && { authenticate }) }));
  parts.attach?.(server);
  await parts.start();
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    parts,
    stop: async () => {
      await parts.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Received {
  name: string;
  data: Record<string, unknown>;
  meta: { id: string; time: string; sequence: string };
}

const WAIT_MS = 10_000;

/** A stock client that keeps what it receives. */
export class TestClient {
  readonly received: Received[] = [];
  readonly socket: Socket;
  private readonly waiting = new Set<() => void>();

  constructor(url: string, options: Partial<ManagerOptions & SocketOptions> = {}) {
    this.socket = io(url, { forceNew: true, reconnectionDelay: 20, reconnectionDelayMax: 50, ...options });
    const look = () => this.waiting.forEach((check) => check());
    this.socket.on('connect', look);
    this.socket.onAny((name: string, data: Record<string, unknown>, meta: Received['meta']) => {
      this.received.push({ name, data, meta });
      look();
    });
  }

  get names(): string[] {
    return this.received.map(({ name }) => name);
  }

  /** The uuids of parts and measurements in the order in which they came. */
  get uuids(): unknown[] {
    return this.received.map(({ data }) => data['MeasurementUuid'] ?? data['PartUuid']);
  }

  async connected(): Promise<this> {
    await this.until('connected', () => this.socket.connected);
    return this;
  }

  async has(count: number): Promise<void> {
    await this.until(`${count} events`, () => this.received.length >= count);
  }

  async ask(name: string, ...args: unknown[]): Promise<unknown> {
    return (await this.socket.timeout(5_000).emitWithAck(name, ...args)) as unknown;
  }

  /** Looks whenever the client connects or receives something. */
  private async until(what: string, reached: () => boolean): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let check = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no ${what} after ${WAIT_MS} ms, but ${this.names.join(', ') || 'nothing'}`)), WAIT_MS);
        check = () => reached() && resolve();
        this.waiting.add(check);
        check();
      });
    } finally {
      clearTimeout(timer);
      this.waiting.delete(check);
    }
  }
}

/** Both documented ways to connect. */
export const WAYS: [string, (url: string, options?: Partial<ManagerOptions & SocketOptions>) => TestClient][] = [
  ['io("<server>/events")', (url, options) => new TestClient(`${url}/events`, options)],
  ['io("<server>", {path: "/events"})', (url, options) => new TestClient(url, { path: '/events', ...options })],
];
