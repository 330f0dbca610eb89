import { EVENT_NAMES, GAP_EVENT, type EventMeta, type EventName, type EventPayloads } from '@sinebar/contracts';
import { io, type Socket } from 'socket.io-client';
import type { Credentials, CredentialsKeeper } from '../http/credentials.ts';
import { SinebarError } from '../http/sinebar-error.ts';
import { PositionKeeper } from './position-keeper.ts';
import { SeenEvents } from './seen-events.ts';
import { memoryStore, type SequenceStore } from './sequence-store.ts';

/** Filters the events of a client; an empty filter selects everything. spec: decisions.md 7.2 */
export interface EventFilter {
  events?: readonly EventName[];
  /** Path of a part without type marker; selects the part and everything below it. */
  partPath?: string;
}

export type EventListener<N extends EventName> = (payload: EventPayloads[N], meta: EventMeta) => void | Promise<void>;
export type AnyEventListener = (name: EventName, payload: EventPayloads[EventName], meta: EventMeta) => void | Promise<void>;

/** State changes that a connection reports. */
export type ConnectionState =
  /** Connected, and all subscriptions made. */
  | { state: 'connected' }
  /** The connection was lost; it reconnects by itself. */
  | { state: 'disconnected'; reason: string }
  /** The server cannot reach its message broker: events are delayed. */
  | { state: 'degraded'; message: string }
  | { state: 'restored' };

export interface EventOptions {
  /** Store for the position of the program; default: in memory. */
  store?: SequenceStore;
  /** Initial filters; more with `subscribe`. None: everything that the user may see. */
  filters?: readonly EventFilter[];
  /**
   * Called when events were lost, because they are no longer kept or the program was too far behind.
   * The program must read its data again; later events wait until the returned promise resolves.
   */
  onGap?: () => void | Promise<void>;
  onState?: (state: ConnectionState) => void;
  /**
   * Called when a listener fails; the event then counts as handled.
   * Without this function the connection ends, and the event is delivered again at the next connection.
   */
  onListenerError?: (error: unknown, name: EventName, meta: EventMeta) => void;
  /** Allowed transports; default: long polling first, then WebSocket, as Socket.IO does. */
  transports?: readonly ('polling' | 'websocket')[];
}

export interface EventConnectionOptions extends EventOptions {
  /** Address of the server, without a trailing slash. */
  url: string;
  credentials: CredentialsKeeper;
}

type Received = { name: EventName; payload: EventPayloads[EventName]; meta: EventMeta } | { name: typeof GAP_EVENT; meta?: EventMeta };

/** Maximum events that wait for listeners; above it the connection pauses and later resumes from its position. */
const MAX_WAITING = 10_000;
const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * Delivers change events in order, each at least once, across lost connections.
 * A persistent store keeps this across restarts of the program. Register listeners, then connect. Listeners run one after the other: the
 * next event waits until all listeners of the previous one are done.
 * spec: decisions.md 7
 */
export class EventConnection {
  /** Resolves after {@link close}; rejects when the connection ends by itself, which ends a Node program that does not handle it. */
  readonly closed: Promise<void>;
  private readonly options: EventConnectionOptions;
  private readonly store: SequenceStore;
  private readonly keeper: PositionKeeper;
  private readonly seen = new SeenEvents();
  private readonly listeners = new Map<EventName | '*', Set<AnyEventListener>>();
  private readonly queue: Received[] = [];
  private filters: EventFilter[];
  private socket: Socket | undefined;
  private handling: Promise<void> = Promise.resolve();
  private isHandling = false;
  private isPaused = false;
  private received: string | undefined;
  private shown: Credentials | undefined;
  private refusals = 0;
  private isRenewing = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private end: { error?: unknown } | undefined;
  private settleClosed: { resolve: () => void; reject: (error: unknown) => void } | undefined;
  private settleConnect: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(options: EventConnectionOptions) {
    this.options = options;
    this.store = options.store ?? memoryStore();
    this.filters = [...(options.filters ?? [])];
    this.keeper = new PositionKeeper(this.store, (error) => this.finish({ error }));
    this.closed = new Promise((resolve, reject) => (this.settleClosed = { resolve, reject }));
  }

  /** Position of the program: the sequence of the last received event. */
  get lastSequence(): string | undefined {
    return this.received;
  }

  get isConnected(): boolean {
    return this.socket?.connected === true;
  }

  /** @returns a function that removes the listener */
  on<N extends EventName>(name: N, listener: EventListener<N>): () => void {
    return this.listen(name, (_name, payload, meta) => listener(payload as EventPayloads[N], meta));
  }

  /** Called for every event. @returns a function that removes the listener */
  onAny(listener: AnyEventListener): () => void {
    return this.listen('*', listener);
  }

  /**
   * Resolves when the server has accepted the connection; a lost connection is then restored by itself, without limit.
   * @throws SinebarError when the server refuses; the signal's reason
   */
  async connect({ signal }: { signal?: AbortSignal } = {}): Promise<this> {
    if (this.socket || this.end) throw new Error('A connection can be opened only once. Make another one.');
    signal?.throwIfAborted();
    this.received = await this.store.load();
    this.shown = await this.options.credentials.get();
    const stop = () => this.finish({ error: signal?.reason });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        this.settleConnect = { resolve, reject };
        this.open();
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    return this;
  }

  /** @throws SinebarError with the server's sentence */
  async subscribe(filter: EventFilter): Promise<void> {
    await this.ask('subscribe', filter);
    this.filters.push(filter);
  }

  /** Removes a filter, or all of them. @throws SinebarError with the server's sentence */
  async unsubscribe(filter: EventFilter = {}): Promise<void> {
    await this.ask('unsubscribe', filter);
    const key = JSON.stringify(filter);
    this.filters = key === '{}' ? [] : this.filters.filter((known) => JSON.stringify(known) !== key);
  }

  /** Ends the connection and discards waiting events. Resolves when the running listeners are done and the position is saved. */
  async close(): Promise<void> {
    this.finish({});
    await this.handling;
    await this.keeper.settled();
  }

  private listen(name: EventName | '*', listener: AnyEventListener): () => void {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    return () => void known.delete(listener);
  }

  private open(): void {
    const { url, transports } = this.options;
    const { protocol, host, pathname } = new URL(url);
    const socket = io(`${protocol}//${host}/events`, {
      path: `${pathname.replace(/\/$/, '')}/socket.io`,
      forceNew: true,
      ...(transports && { transports: [...transports] }),
      auth: (give) => give({ ...this.shown, ...(this.received !== undefined && { lastSequence: this.received }) }),
    });
    this.socket = socket;
    socket.on('connect', () => void this.connected(socket));
    socket.on('connect_error', (error: Error & { data?: { code?: string } }) => void this.refused(socket, error));
    socket.on('disconnect', (reason) => this.disconnected(socket, reason));
    for (const name of EVENT_NAMES)
      socket.on(name, (payload: EventPayloads[EventName], meta: EventMeta) => this.take({ name, payload, meta }));
    socket.on(GAP_EVENT, (_payload: unknown, meta?: EventMeta) => this.take({ name: GAP_EVENT, ...(meta && { meta }) }));
    socket.on('Degraded', ({ message }: { message: string }) => this.options.onState?.({ state: 'degraded', message }));
    socket.on('Restored', () => this.options.onState?.({ state: 'restored' }));
    socket.on('TokenExpiring', () => void this.reauthenticate(socket));
    socket.on('ConnectionEnded', ({ code, message }: { code: string; message: string }) => {
      // The server ends the connection after this event, and Socket.IO does not reconnect then.
      const error = new SinebarError(message, { status: 0, code });
      void this.refused(socket, Object.assign(error, { data: { code } }));
    });
  }

  private async connected(socket: Socket): Promise<void> {
    try {
      // The server knows no filters at first: `wants` drops events that arrive before the subscriptions exist.
      for (const filter of this.filters) await this.ask('subscribe', filter);
      // The start position is kept in case the connection breaks before the first event.
      if (this.received === undefined) this.beginAt(await this.position());
    } catch (error) {
      if (socket.connected) this.finish({ error });
      return;
    }
    this.refusals = 0;
    this.settleConnect?.resolve();
    this.settleConnect = undefined;
    this.options.onState?.({ state: 'connected' });
  }

  private disconnected(socket: Socket, reason: string): void {
    if (this.end) return;
    this.options.onState?.({ state: 'disconnected', reason });
    if (reason === 'io server disconnect') this.connectAgain(socket);
  }

  /** Handles a refused or ended connection: asks for credentials once more; retries later when the server is busy or unreachable. */
  private async refused(socket: Socket, error: Error & { data?: { code?: string } }): Promise<void> {
    const code = error.data?.code;
    if (this.end) return;
    if (code === undefined) {
      // There was no answer: Socket.IO retries by itself.
      this.options.onState?.({ state: 'disconnected', reason: error.message });
      return;
    }
    this.refusals += 1;
    if (code === 'Unavailable' || code === 'Overloaded' || code === 'TooManyRequests') {
      this.connectAgain(socket);
      return;
    }
    const { credentials } = this.options;
    if (code !== 'Unauthenticated' || !credentials.canAskAgain || this.refusals > 1) {
      this.finish({ error: new SinebarError(error.message, { status: 0, code }) });
      return;
    }
    this.isRenewing = true;
    try {
      this.shown = await credentials.renew('refused', this.shown);
    } catch (failure) {
      this.finish({ error: failure });
    } finally {
      this.isRenewing = false;
    }
    this.connectAgain(socket);
  }

  private connectAgain(socket: Socket): void {
    if (this.end || this.isPaused || this.isRenewing || this.retry !== undefined) return;
    const delayMs = this.refusals <= 1 ? RETRY_MS : Math.min(RETRY_MS * 2 ** (this.refusals - 1), MAX_RETRY_MS);
    this.retry = setTimeout(() => {
      this.retry = undefined;
      if (!this.end && !socket.connected) socket.connect();
    }, delayMs);
  }

  /** Replaces credentials that expire soon, on the same connection. */
  private async reauthenticate(socket: Socket): Promise<void> {
    const { credentials } = this.options;
    if (!credentials.canAskAgain) return;
    try {
      const fresh = await credentials.renew('expiring', this.shown);
      if (this.end || !socket.connected) return;
      this.shown = fresh;
      await this.ask('reauthenticate', fresh ?? {});
    } catch {
      // The connection ends with the old credentials; new ones are requested then.
    }
  }

  private beginAt(sequence: string): void {
    // An event received meanwhile has a later position.
    if (this.received !== undefined || sequence === '') return;
    this.received = sequence;
    this.keeper.note(sequence);
  }

  /** Asks the server for the current position. @returns the empty text when the server cannot tell at the moment */
  private async position(): Promise<string> {
    const answer = await this.request('position').catch(() => undefined);
    return (answer as { sequence: string } | undefined)?.sequence ?? '';
  }

  private async ask(what: 'subscribe' | 'unsubscribe' | 'reauthenticate', content: EventFilter | Credentials | object): Promise<void> {
    await this.request(what, content);
  }

  /** @throws SinebarError with the server's sentence, or when there is no answer */
  private async request(what: string, ...content: object[]): Promise<unknown> {
    if (!this.socket?.connected)
      throw new SinebarError('There is no connection at the moment. Wait until it is restored.', { status: 0, code: 'Unreachable' });
    let answer: object;
    try {
      answer = (await this.socket.timeout(ANSWER_TIMEOUT_MS).emitWithAck(what, ...content)) as object;
    } catch (cause) {
      throw new SinebarError(`The server did not answer ${what}. Try again.`, { status: 0, code: 'Unreachable', cause });
    }
    if ('error' in answer) throw new SinebarError(String(answer.error), { status: 0, code: 'InvalidRequest' });
    return answer;
  }

  private take(received: Received): void {
    if (this.end || this.isPaused) return;
    if (received.meta?.sequence) this.received = received.meta.sequence;
    this.queue.push(received);
    if (!this.isHandling) {
      this.isHandling = true;
      this.handling = this.handle();
    }
    if (this.queue.length < MAX_WAITING || !this.socket) return;
    // Events in flight are ignored: the server sends them again after the last accepted one.
    this.isPaused = true;
    this.socket.disconnect();
  }

  private async handle(): Promise<void> {
    for (let next = this.queue.shift(); next && !this.end; next = this.queue.shift()) {
      try {
        if (next.name === GAP_EVENT) await this.options.onGap?.();
        else if (this.seen.add(next.meta.id) && this.wants(next.name)) await this.handOut(next);
      } catch (error) {
        this.finish({ error });
        break;
      }
      if (next.meta?.sequence) this.keeper.note(next.meta.sequence);
    }
    this.isHandling = false;
    if (!this.isPaused || this.end) return;
    this.isPaused = false;
    this.socket?.connect();
  }

  private async handOut({ name, payload, meta }: Extract<Received, { name: EventName }>): Promise<void> {
    for (const listener of [...(this.listeners.get(name) ?? []), ...(this.listeners.get('*') ?? [])]) {
      try {
        await listener(name, payload, meta);
      } catch (error) {
        if (!this.options.onListenerError) throw error;
        this.options.onListenerError(error, name, meta);
      }
    }
  }

  private wants(name: EventName): boolean {
    return this.filters.length === 0 || this.filters.some(({ events }) => events === undefined || events.includes(name));
  }

  private finish(end: { error?: unknown }): void {
    if (this.end) return;
    this.end = end;
    clearTimeout(this.retry);
    this.socket?.disconnect();
    const connecting = this.settleConnect;
    this.settleConnect = undefined;
    // During `connect` its caller gets the error; later an unhandled rejection must stay visible.
    if (connecting) this.closed.catch(() => undefined);
    if ('error' in end) {
      connecting?.reject(end.error);
      this.settleClosed?.reject(end.error);
    } else {
      connecting?.reject(new Error('The connection was closed before it was made.'));
      this.settleClosed?.resolve();
    }
  }
}
