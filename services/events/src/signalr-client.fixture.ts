import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { HubConnectionBuilder, HttpTransportType, LogLevel, type HubConnection, type IHttpConnectionOptions } from '@microsoft/signalr';
import { EVENT_NAMES } from '@sinebar/contracts';
import { eventually } from '@sinebar/testing';

export const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
export type TransportOfTests = (typeof TRANSPORTS)[number];

export interface HubClientOptions extends IHttpConnectionOptions {
  /** Delays before each reconnection, milliseconds; without them the client does not reconnect. */
  retryMs?: number[];
}

/** The stock JavaScript client with a record of what it receives. */
export class TestHubClient {
  readonly received: { name: string; data: Record<string, unknown> }[] = [];
  /** Numbers of arguments with which the handlers were called. */
  readonly argumentCounts = new Set<number>();
  readonly ends: (Error | undefined)[] = [];
  reconnections = 0;
  readonly connection: HubConnection;

  constructor(url: string, transport: TransportOfTests, { retryMs, ...options }: HubClientOptions = {}) {
    const builder = new HubConnectionBuilder()
      .withUrl(`${url}/events`, { transport: HttpTransportType[transport], logger: LogLevel.None, ...options })
      .configureLogging(LogLevel.None);
    this.connection = (retryMs ? builder.withAutomaticReconnect(retryMs) : builder).build();
    for (const name of EVENT_NAMES) {
      this.connection.on(name, (...args: Record<string, unknown>[]) => {
        this.argumentCounts.add(args.length);
        this.received.push({ name, data: args[0] ?? {} });
      });
    }
    this.connection.onclose((error) => this.ends.push(error));
    this.connection.onreconnected(() => (this.reconnections += 1));
  }

  /** Uuids of parts and measurements in the order of arrival. */
  get uuids(): unknown[] {
    return this.received.map(({ data }) => data['measurementUuid'] ?? data['partUuid']);
  }

  async has(count: number): Promise<void> {
    await eventually(() => expectAtLeast(this.received.length, count));
  }

  async hasEnded(): Promise<Error | undefined> {
    await eventually(() => expectAtLeast(this.ends.length, 1));
    return this.ends[0];
  }
}

function expectAtLeast(actual: number, wanted: number): void {
  if (actual < wanted) throw new Error(`expected ${wanted}, there are ${actual}`);
}

/** A client without a library: sends negotiation and requests itself. */
export class RawHub {
  readonly url: string;
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.headers = headers;
  }

  negotiate(query = '?negotiateVersion=1', headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/events/negotiate${query}`, { method: 'POST', headers: { ...this.headers, ...headers } });
  }

  async token(): Promise<string> {
    return ((await (await this.negotiate()).json()) as { connectionToken: string }).connectionToken;
  }

  ask(method: string, token: string, options: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/events?id=${token}`, { ...options, method, headers: { ...this.headers, ...(options.headers as object) } });
  }

  send(token: string, ...messages: unknown[]): Promise<Response> {
    return this.ask('POST', token, { body: messages.map((message) => `${JSON.stringify(message)}${END}`).join('') });
  }

  /** A long-polling connection after its handshake, whose answer was fetched. */
  async poll(): Promise<string> {
    const token = await this.token();
    await this.ask('GET', token);
    await this.send(token, HANDSHAKE);
    await (await this.ask('GET', token)).text();
    return token;
  }
}

/** Ends every message. */
export const END = '\u001e';
export const HANDSHAKE = { protocol: 'json', version: 1 };

/** Splits a text into its messages. */
export function messagesIn(text: string): Record<string, unknown>[] {
  return text
    .split(END)
    .slice(0, -1)
    .map((message) => JSON.parse(message) as Record<string, unknown>);
}

/** One address that forwards to one gateway at a time, like a proxy when a replica stops. */
export async function switchableLine(first: string): Promise<{ url: string; switchTo: (url: string) => void; close: () => void }> {
  let target = Number(new URL(first).port);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchTo: (url) => (target = Number(new URL(url).port)),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
