import { abortable, backoffMs, Notifier, pause, withTimeout } from '@sinebar/concurrency';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, errors, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { StartRefusal } from '@sinebar/contracts';
import { BusUnavailableError, type BusStatus } from '../bus.ts';
import { errorText, type BusLog } from '../bus-log.ts';
import { ensureStream, type StreamConfiguration } from './nats-stream.ts';

/** One connection, from a (re)connect to its loss. */
export interface Session {
  nc: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  /** Aborts with a BusUnavailableError when the connection is lost or closed. */
  lost: AbortSignal;
}

/** A session with a usable event stream. */
export interface StreamSession extends Session {
  /** Smallest number of messages to send as an atomic batch. */
  leastBatch: number;
}

/** The broker answers, but its version is not supported. */
export class UnsupportedBrokerError extends StartRefusal {
  override readonly name = 'UnsupportedBrokerError';
}

export interface LinkOptions {
  connection: NodeConnectionOptions;
  name: string;
  stream: StreamConfiguration;
  /** True if the limits in `stream` apply. */
  ownsStream: boolean;
  log: BusLog;
  /** Called with every new connection object, but not after a reconnect, which core subscriptions survive. */
  onConnection: (nc: NatsConnection) => void;
}

const OLDEST_MINOR = 10;
/** See `syncsBatches` of `ensureStream`; docs/decisions/0013-order-of-events.md. */
const MINOR_THAT_SYNCS_BATCHES = 15;
/** A cluster without a leader does not answer, and loses the request: repeat it instead of waiting longer. */
const API_TIMEOUT_MS = 2_000;
const DRAIN_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
const MAX_STREAM_RETRY_MS = 1_000;
const UNREACHABLE = 'The message broker cannot be reached.';
const CLOSED = 'The message bus is closed.';

/** Keeps one connection to the broker, and creates or checks the event stream after each connect. */
export class NatsLink {
  private readonly options: LinkOptions;
  private readonly closed = new AbortController();
  private readonly changed = new Notifier();
  private nc: NatsConnection | undefined;
  private currentSession: Session | undefined;
  private loseSession: AbortController | undefined;
  /** `undefined` while the stream cannot be used. */
  private leastBatch: number | undefined;
  private currentRefusal: UnsupportedBrokerError | undefined;
  private trouble = 'not connected yet';
  private isPreparing = false;

  constructor(options: LinkOptions) {
    this.options = options;
  }

  start(): void {
    void this.connectUntilDone();
  }

  /** @throws BusUnavailableError unless connected. */
  session(): Session {
    if (this.closed.signal.aborted) throw new BusUnavailableError(CLOSED);
    if (this.currentRefusal !== undefined) throw new BusUnavailableError(this.currentRefusal.message, this.currentRefusal);
    if (this.currentSession === undefined) throw new BusUnavailableError(UNREACHABLE);
    return this.currentSession;
  }

  /** @throws BusUnavailableError unless connected to a broker that has the event stream. */
  streamSession(): StreamSession {
    const session = this.session();
    if (this.leastBatch === undefined) throw new BusUnavailableError('The event stream of the message broker is not available.');
    return { ...session, leastBatch: this.leastBatch };
  }

  /** The current connection object, connected or not. */
  get connection(): NatsConnection | undefined {
    return this.nc;
  }

  get refusal(): UnsupportedBrokerError | undefined {
    return this.currentRefusal;
  }

  /** Resolves when the stream can be used, the broker was refused, the link is closed or `signal` aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    for (;;) {
      const version = this.changed.version;
      if (this.leastBatch !== undefined || this.currentRefusal !== undefined || this.closed.signal.aborted || signal.aborted) return;
      await this.changed.waitFor(version, signal);
    }
  }

  /** Resolves when the stream can be used or `signal` aborts. */
  async whenReady(signal: AbortSignal): Promise<void> {
    for (;;) {
      const version = this.changed.version;
      if (this.leastBatch !== undefined || signal.aborted) return;
      await this.changed.waitFor(version, signal);
    }
  }

  /** Call it when the broker reports that the stream is missing or another one: it is created or checked again, as after a connect. */
  streamMissing({ lost }: Session): void {
    if (this.currentSession?.lost !== lost || this.leastBatch === undefined) return;
    this.leastBatch = undefined;
    void this.prepareStream(this.currentSession);
  }

  status(): BusStatus {
    if (this.closed.signal.aborted) return { connected: false, description: CLOSED };
    if (this.currentRefusal !== undefined) return { connected: false, description: this.currentRefusal.message };
    if (this.currentSession === undefined) return { connected: false, description: `${UNREACHABLE} (${this.trouble})` };
    const broker = `nats-server ${this.currentSession.nc.info?.version ?? ''} at ${this.currentSession.nc.getServer()}`;
    return this.leastBatch !== undefined
      ? { connected: true, description: `Connected to ${broker}, stream ${this.options.stream.name}.` }
      : { connected: false, description: `Connected to ${broker}, but the event stream is not available. (${this.trouble})` };
  }

  async close(): Promise<void> {
    this.closed.abort();
    const nc = this.nc;
    const connected = this.currentSession !== undefined;
    try {
      // The last messages, such as replies, must reach the broker. The drain of a broken connection would never end.
      if (nc !== undefined && connected) await withTimeout(nc.drain(), DRAIN_TIMEOUT_MS);
    } catch (error) {
      this.options.log.warn({ error: errorText(error) }, 'the connection to the message broker was closed before everything was sent');
    }
    await nc?.close();
    this.endSession(CLOSED);
  }

  /** Not a `BackgroundLoop`: it ends with the first success, as `prepareStream` does, and starts again when the connection is lost. */
  private async connectUntilDone(): Promise<void> {
    const { connection, name, log, onConnection } = this.options;
    for (let failures = 1; !this.closed.signal.aborted; failures += 1) {
      try {
        // The client could wait for the first connect by itself, but closing the bus would not end that wait.
        const nc = await connect({
          ...connection,
          name,
          timeout: CONNECT_TIMEOUT_MS,
          waitOnFirstConnect: false,
          reconnect: true,
          maxReconnectAttempts: -1,
          ignoreAuthErrorAbort: true,
          reconnectTimeWait: FIRST_RETRY_MS,
          reconnectJitter: FIRST_RETRY_MS,
          reconnectJitterTLS: FIRST_RETRY_MS,
          pingInterval: 10_000,
          maxPingOut: 2,
          noAsyncTraces: true,
        });
        if (this.isClosed()) {
          await nc.close();
          return;
        }
        this.nc = nc;
        void this.watch(nc);
        this.connected(nc);
        onConnection(nc);
        return;
      } catch (error) {
        this.trouble = describeFailure(error);
        if (failures === 1) log.warn({ reason: this.trouble }, 'the message broker is unreachable; retrying');
        await pause(backoffMs(failures, FIRST_RETRY_MS, MAX_RETRY_MS), this.closed.signal);
      }
    }
  }

  /** The client reports a disconnect for every failed attempt, and may repeat a reconnect: only changes count. */
  private async watch(nc: NatsConnection): Promise<void> {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') this.endSession('The connection to the message broker was lost.');
      else if (status.type === 'reconnect' && this.loseSession === undefined) this.connected(nc);
      else if (status.type === 'error') {
        this.trouble = describeFailure(status.error);
        // The failure to prepare the stream is one sentence: a refused request is reported here for each attempt.
        const log = this.isPreparing ? this.options.log.debug.bind(this.options.log) : this.options.log.warn.bind(this.options.log);
        log({ reason: this.trouble }, 'the message broker reported an error');
      }
    }
    if (this.isClosed()) return;
    // The client gave up although its settings forbid it; a new connection is made.
    this.endSession('The connection to the message broker was closed.');
    this.options.log.error({}, 'the connection to the message broker ended; connecting again');
    await pause(FIRST_RETRY_MS, this.closed.signal);
    await this.connectUntilDone();
  }

  private connected(nc: NatsConnection): void {
    const version = nc.info?.version ?? '';
    this.currentRefusal = isSupported(version)
      ? undefined
      : new UnsupportedBrokerError(`The message broker is nats-server ${version}; 2.${OLDEST_MINOR}.0 or newer is needed.`);
    if (this.currentRefusal !== undefined) {
      this.options.log.error({}, this.currentRefusal.message);
      this.changed.notify();
      return;
    }
    this.options.log.info({ server: nc.getServer(), version }, 'connected to the message broker');
    const lost = new AbortController();
    void this.openSession(nc, lost);
  }

  private async openSession(nc: NatsConnection, lost: AbortController): Promise<void> {
    this.loseSession = lost;
    // Without the check of the account, one more request that can fail: the request for the stream reports the same.
    const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: API_TIMEOUT_MS });
    if (lost.signal.aborted) return;
    const session: Session = { nc, js: jetstream(nc, { timeout: API_TIMEOUT_MS }), jsm, lost: lost.signal };
    this.currentSession = session;
    await this.prepareStream(session);
  }

  private async prepareStream(session: Session): Promise<void> {
    const { stream, ownsStream, log } = this.options;
    const syncsBatches = isAtLeast(session.nc.info?.version ?? '', MINOR_THAT_SYNCS_BATCHES);
    this.isPreparing = true;
    for (let failures = 1; !session.lost.aborted; failures += 1) {
      try {
        const ensured = ensureStream(session.jsm, { configuration: stream, ownsStream, syncsBatches, log });
        this.leastBatch = await abortable(ensured, session.lost);
        this.isPreparing = false;
        this.changed.notify();
        if (failures > 1) log.info({}, `the event stream ${stream.name} is available`);
        return;
      } catch (error) {
        if (session.lost.aborted) return;
        this.trouble = describeFailure(error);
        const fields = { reason: this.trouble, failures };
        if (failures === 1) log.error(fields, waitingSentence(stream.name, ownsStream));
        else log.debug(fields, 'the event stream is still not available');
        await pause(backoffMs(failures, FIRST_RETRY_MS, MAX_STREAM_RETRY_MS), session.lost);
      }
    }
  }

  private endSession(reason: string): void {
    if (this.loseSession === undefined) return;
    const lost = this.loseSession;
    this.loseSession = undefined;
    this.isPreparing = false;
    this.currentSession = undefined;
    this.leastBatch = undefined;
    this.trouble = 'the connection was lost';
    if (!this.isClosed()) this.options.log.warn({}, reason);
    lost.abort(new BusUnavailableError(reason));
    this.changed.notify();
  }

  private isClosed(): boolean {
    return this.closed.signal.aborted;
  }
}

/** The only sentence about a stream that cannot be prepared, however long that lasts. */
function waitingSentence(name: string, ownsStream: boolean): string {
  const who = ownsStream
    ? 'Check the permissions and the space of the message broker'
    : 'The inspection service creates it: check that it runs, and its log';
  return `The event stream ${name} cannot be used and is tried again each second. ${who}.`;
}

/** Messages of the client name hosts and ports, never credentials: the addresses contain none. */
function describeFailure(error: unknown): string {
  if (error instanceof errors.AuthorizationError) return 'the broker refused the credentials';
  return errorText(error);
}

export function isSupported(version: string): boolean {
  return isAtLeast(version, OLDEST_MINOR);
}

/** True for version 2.`least` or newer. A pre-release counts as its version. */
function isAtLeast(version: string, least: number): boolean {
  const match = /^(\d+)\.(\d+)\./.exec(version);
  const [major = 0, minor = 0] = match ? [Number(match[1]), Number(match[2])] : [];
  return major > 2 || (major === 2 && minor >= least);
}
