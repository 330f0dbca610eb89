import type { EventConnection, EventMeta, EventName, EventPayloads, SinebarClient } from '@sinebar/client';

/** One change on the server. */
export type LiveEvent = { [N in EventName]: { name: N; payload: EventPayloads[N]; meta: EventMeta } }[EventName];

/** `paused` by the reader; `behind`: the server's broker is unreachable, events come later; `lost`: there is no connection. */
export type LiveState = 'connecting' | 'live' | 'paused' | 'behind' | 'lost';

export interface LiveSnapshot {
  state: LiveState;
  /** When this state began, ms since 1970. */
  since: number;
  /** Events that came while paused, which no listener has received. */
  held: number;
}

interface LiveListener {
  onEvents: (events: readonly LiveEvent[]) => void;
  /** Events were lost: what is shown has to be read again. */
  onGap?: (() => void) | undefined;
}

/** Events come at most this often, ms: a burst is one change of the page. */
const BATCH_MS = 50;
/** The most events that are held while paused; beyond it everything is read again. */
const MAX_HELD = 5_000;

/** Change events of the server, in batches, across lost connections; the reader can pause them. */
export class LiveEvents {
  private readonly client: SinebarClient;
  private readonly listeners = new Set<LiveListener>();
  private readonly watchers = new Set<() => void>();
  private connection: EventConnection | undefined;
  private connectionState: Exclude<LiveState, 'paused'> = 'connecting';
  private isPaused = false;
  private hasGap = false;
  private events: LiveEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private current: LiveSnapshot = { state: 'connecting', since: Date.now(), held: 0 };

  constructor(client: SinebarClient) {
    this.client = client;
  }

  readonly snapshot = (): LiveSnapshot => this.current;

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** @returns a function that ends the calls */
  listen(listener: LiveListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Connects, and stays connected until {@link stop}. */
  start(): void {
    if (this.connection !== undefined) return;
    const connection = this.client.events({
      onGap: () => this.gap(),
      onState: ({ state }) => {
        if (this.connection !== connection) return;
        const next = { connected: 'live', restored: 'live', degraded: 'behind', disconnected: 'lost' } as const;
        this.connectionState = next[state];
        this.tell();
      },
    });
    this.connection = connection;
    connection.onAny((name, payload, meta) => this.take({ name, payload, meta } as LiveEvent));
    const ended = () => {
      if (this.connection !== connection) return;
      this.connectionState = 'lost';
      this.tell();
    };
    connection.closed.catch(ended);
    connection.connect().catch(ended);
  }

  async stop(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.close();
  }

  pause(): void {
    this.isPaused = true;
    this.tell();
  }

  /** Delivers what was held, and continues. */
  resume(): void {
    this.isPaused = false;
    this.flush();
  }

  private take(event: LiveEvent): void {
    if (this.isPaused && this.events.length >= MAX_HELD) {
      this.events = [];
      this.hasGap = true;
    }
    this.events.push(event);
    this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private gap(): void {
    this.events = [];
    this.hasGap = true;
    this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isPaused) {
      const { events, hasGap } = this;
      this.events = [];
      this.hasGap = false;
      for (const { onEvents, onGap } of [...this.listeners]) {
        if (hasGap) onGap?.();
        if (events.length > 0) onEvents(events);
      }
    }
    this.tell();
  }

  private tell(): void {
    const state = this.isPaused && this.connectionState === 'live' ? 'paused' : this.connectionState;
    const held = this.isPaused ? this.events.length : 0;
    if (state === this.current.state && held === this.current.held) return;
    this.current = { state, held, since: state === this.current.state ? this.current.since : Date.now() };
    for (const watcher of this.watchers) watcher();
  }
}
