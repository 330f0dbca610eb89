import type { IncomingMessage, Server } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import { NO_AUTHENTICATION, type Authenticator, type Credentials, type SignIn } from '@sinebar/authentication';
import { ServiceError } from '@sinebar/contracts';
import type { Bus } from '@sinebar/message-bus';
import { BrowserGuard, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import { loadSettings, type Logger } from '@sinebar/runtime';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { composeEvents, type EventsOptions, type EventsService } from './compose.ts';
import { eventsSettings } from './config.ts';
import { silentLog } from './test-changes.fixture.ts';

export interface TestGateway {
  url: string;
  server: Server;
  service: EventsService;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  bus: Pick<Bus, 'subscribe' | 'streamState' | 'streamUsage' | 'status'>;
  env?: Record<string, string>;
  authenticator?: Authenticator;
  log?: Logger;
  authenticationTypes?: EventsOptions['authenticationTypes'];
  hubTimes?: EventsOptions['hubTimes'];
  nowMs?: () => number;
}

/** Authenticates by name alone: `Bearer anna` never expires, `Bearer anna@1767225600000` expires at that time. */
export class TestAuthenticator implements Authenticator {
  readonly securityEnabled = true;
  readonly users = new Map<string, Principal>();
  private readonly listeners = new Set<() => void>();

  constructor(users: Readonly<Record<string, Principal>> = {}) {
    for (const [name, principal] of Object.entries(users)) this.set(name, principal);
  }

  set(name: string, principal: Principal): void {
    this.users.set(name, { ...principal, name });
  }

  authenticate({ authorization }: Credentials): Promise<SignIn> {
    const match = /^Bearer ([\w-]+)(?:@(\d+))?$/.exec(authorization ?? '');
    const principal = this.users.get(match?.[1] ?? '');
    if (!principal) return Promise.reject(new ServiceError('Unauthenticated', 'these credentials are not known'));
    const expiresAt = match?.[2] === undefined ? undefined : new Date(Number(match[2]));
    return new Promise((resolve) => resolve(this.renew({ principal, expiresAt })));
  }

  renew({ principal, expiresAt }: SignIn): SignIn {
    const today = this.users.get(principal.name);
    if (!today) throw new ServiceError('Unauthenticated', 'this user is no longer known');
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw new ServiceError('Unauthenticated', 'The token has expired. Sign in again.');
    return { principal: today, expiresAt };
  }

  onPolicyChange(listener: () => void): { stop(): void } {
    this.listeners.add(listener);
    return { stop: () => this.listeners.delete(listener) };
  }

  changePolicy(change: () => void): void {
    change();
    for (const listener of this.listeners) listener();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A gateway on a server of its own, with the same HTTP shell as the product. */
export async function startGateway({
  bus,
  env = {},
  authenticator = NO_AUTHENTICATION,
  log = silentLog,
  ...more
}: TestGatewayOptions): Promise<TestGateway> {
  const settings = loadSettings(eventsSettings, env).values;
  const service = composeEvents({ bus, log, settings, authenticator, ...more });
  const authenticate = async (request: IncomingMessage) =>
    (await authenticator.authenticate({ authorization: request.headers.authorization, address: '' })).principal;
  const guard = new BrowserGuard({ ...settings, isOpen: false });
  const app = createHttpApp({ routes: service.routes, log, authenticate, guard });
  const server = createHttpServer(app);
  service.attach?.(server, guard);
  await service.start();
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    service,
    stop: async () => {
      await service.stop();
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

const WAIT_MS = 30_000;

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

  /** Uuids of parts and measurements in the order of arrival. */
  get uuids(): unknown[] {
    return this.received.map(({ data }) => data['MeasurementUuid'] ?? data['PartUuid']);
  }

  /** Waits for the first event of this name. */
  async event(name: string): Promise<Received> {
    const find = () => this.received.find((event) => event.name === name);
    await this.until(name, () => find() !== undefined);
    return find() as Received;
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

  /** Checks whenever the client connects or receives something. */
  private async until(what: string, reached: () => boolean): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let check = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const late = () =>
          new Error(`no ${what} after ${WAIT_MS} ms; the last of ${this.names.length} events: ${this.names.slice(-5).join(', ')}`);
        timer = setTimeout(() => reject(late()), WAIT_MS);
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
