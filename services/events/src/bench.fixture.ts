import { createInProcessBus, MemoryMessageLog, type Bus } from '@sinebar/message-bus';
import { cuttableProxy, eventually, type CuttableProxy } from '@sinebar/testing';
import { startGateway, TestClient, type TestGateway, type TestGatewayOptions } from './gateway.fixture.ts';

/** A bus with the gateways and clients of a test; `end` closes all of them. */
export class TestBench {
  readonly log = new MemoryMessageLog({ maxMessages: 100_000 });
  readonly bus: Bus = createInProcessBus({ log: this.log });
  private readonly clients: TestClient[] = [];
  private readonly gateways: TestGateway[] = [];
  private readonly proxies: CuttableProxy[] = [];

  /** Resolves when the gateway is healthy. */
  async start(options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
    const gateway = await startGateway({ bus: this.bus, ...options });
    this.gateways.push(gateway);
    await eventually(async () => (await gateway.service.health()).every(({ healthy }) => healthy));
    return gateway;
  }

  /** Starts a proxy in front of a gateway, which can stop what the gateway sends. */
  async proxy(url: string): Promise<{ proxy: CuttableProxy; url: string }> {
    const proxy = await cuttableProxy('127.0.0.1', Number(new URL(url).port));
    this.proxies.push(proxy);
    return { proxy, url: `http://127.0.0.1:${proxy.port}` };
  }

  /** A stock client in the namespace `/events`; not connected yet. */
  client(url: string, options: ConstructorParameters<typeof TestClient>[1] = {}): TestClient {
    const client = new TestClient(`${url}/events`, options);
    this.clients.push(client);
    return client;
  }

  open(url: string, options: ConstructorParameters<typeof TestClient>[1] = {}): Promise<TestClient> {
    return this.client(url, options).connected();
  }

  /** Returns the message of `connect_error` for a refused client. */
  async refusal(url: string, options: ConstructorParameters<typeof TestClient>[1] = {}): Promise<Error & { data?: unknown }> {
    const { socket } = this.client(url, { reconnection: false, ...options });
    return await new Promise((resolve, reject) => {
      socket.once('connect_error', resolve);
      socket.once('connect', () => reject(new Error('was let in')));
    });
  }

  async end(): Promise<void> {
    for (const { socket } of this.clients) socket.disconnect();
    for (const proxy of this.proxies) await proxy.close();
    for (const gateway of this.gateways) await gateway.stop();
    await this.bus.close();
  }
}

/** A client that uses HTTP long polling only on request, so its events wait in the server. */
export class PollingClient {
  private readonly url: string;

  private constructor(url: string) {
    this.url = url;
  }

  static async open(server: string, auth: object = {}): Promise<PollingClient> {
    const url = `${server}/events/?EIO=4&transport=polling`;
    const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1)) as { sid: string };
    const client = new PollingClient(`${url}&sid=${sid}`);
    await client.post(`40/events,${JSON.stringify(auth)}`);
    return client;
  }

  async post(text: string): Promise<Response> {
    return await fetch(this.url, { method: 'POST', body: text });
  }

  /** Returns names and first arguments of received events; waits for the first one. */
  async poll(): Promise<[string, Record<string, unknown>][]> {
    const text = await (await fetch(this.url)).text();
    return text
      .split('\u001e')
      .filter((packet) => packet.startsWith('42/events,'))
      .map((packet) => JSON.parse(packet.slice('42/events,'.length)) as [string, Record<string, unknown>]);
  }
}
