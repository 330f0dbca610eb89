import { BackgroundLoop, backoffMs, settlesWithin, type StepOutcome } from '@sinebar/concurrency';
import type { ChangeEnvelope, Tracer } from '@sinebar/contracts';
import pg from 'pg';
import { applySettings, assertSchemaName, clientConfig, LOCK_HOLDER_KEEPALIVE } from '../connection/connection-settings.ts';
import { closeAbruptly } from '../connection/driver-internals.ts';
import { failureFields, SILENT_LOG, type DatabaseLog } from '../log.ts';
import { OutboxQueue } from './outbox-queue.ts';
import { relaySpans } from './relay-spans.ts';

export interface OutboxRelayOptions {
  url: string;
  schema: string;
  applicationName?: string;
  /** Stores the envelopes in the event stream in the given order. Called for one batch at a time; rows are removed when it resolves. */
  publish: (envelopes: ChangeEnvelope[]) => Promise<void>;
  /** Number of leading envelopes that are stored although `publish` failed with this error. */
  storedCountOf?: (error: unknown) => number;
  log?: DatabaseLog;
  /** Creates spans for messages of traced requests. */
  tracer?: Tracer | undefined;
  /** Interval of polling without a call of `wake`. */
  pollIntervalMs?: number;
  batchSize?: number;
  /** Time after which an unsettled `publish` counts as failed; the batch is published again under the same ids. */
  publishTimeoutMs?: number;
  /**
   * Idle time after which the server ends the connection, which releases the lock of a frozen process or one cut off behind a proxy.
   * Default 15,000; above the longest back-off.
   */
  silenceTimeoutMs?: number;
}

export interface RelayStatus {
  /** Whether this relay holds the lock; the others stand by. */
  active: boolean;
  /** Number of waiting rows, exact below the batch size, else an upper bound. */
  backlog: number;
  /** Age of the oldest waiting row, 0 without one. */
  oldestAgeMs: number;
  /** Message of the last failure; `undefined` after the next success. */
  lastError: string | undefined;
  /** Age of the oldest row of the last batch when it was published, milliseconds; 0 before the first. */
  lagMs: number;
  published: number;
  failureCount: number;
}

const LOCK_RETRY_MS = 1000;
const BACKOFF_MS = { first: 100, most: 2_000 } as const;
/** Consecutive failures after which the lock is released: a relay elsewhere may reach the stream. */
const FAILURES_PER_TURN = 6;
const STOP_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 15_000;

/** Some events of a batch could not be published; the cause gives the reason. */
class RelayError extends Error {
  override readonly name = 'RelayError';
  constructor(cause: unknown) {
    super('events could not be published', { cause });
  }
}

/**
 * Publishes committed events, oldest first, at least once.
 * One of the relays for an outbox is active; another continues within seconds when its connection ends (docs/architecture.md, rules that
 * keep data safe, 3).
 * No failure ends the loop; only `stop` does.
 */
export class OutboxRelay {
  private readonly options: OutboxRelayOptions;
  private readonly log: DatabaseLog;
  private readonly loop: BackgroundLoop;
  private client: pg.Client | undefined;
  private queue: OutboxQueue | undefined;
  private active = false;
  /** Consecutive failures. */
  private failures = 0;
  private published = 0;
  private lagMs = 0;
  private lastError: string | undefined;
  private waiting = { rows: 0, ageMs: 0, seenAt: 0 };

  constructor(options: OutboxRelayOptions) {
    assertSchemaName(options.schema);
    this.options = options;
    this.log = options.log ?? SILENT_LOG;
    this.loop = new BackgroundLoop({
      step: () => this.step(),
      intervalMs: options.pollIntervalMs ?? 200,
      retryMs: (failures) => backoffMs(failures, BACKOFF_MS.first, BACKOFF_MS.most) * (0.75 + Math.random() * 0.25),
      onFailure: (error, failures) => this.noteFailure(error, failures),
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Starts a read of the outbox at once. */
  wake(): void {
    // A relay that stands by reads the outbox as soon as it has the lock.
    if (this.active) this.loop.wake();
  }

  /** Ends after the current batch, at the latest after ten seconds. */
  async stop(): Promise<void> {
    const stopped = this.loop.stop().then(() => this.client?.end());
    if (!(await settlesWithin(stopped, STOP_TIMEOUT_MS))) {
      this.log.warn({}, 'the outbox relay did not stop in time; its connection is closed');
    }
    this.disconnect();
  }

  status(): RelayStatus {
    const { rows, ageMs, seenAt } = this.waiting;
    return {
      active: this.active,
      backlog: rows,
      oldestAgeMs: rows === 0 ? 0 : Math.round(ageMs + performance.now() - seenAt),
      lastError: this.lastError,
      lagMs: this.lagMs,
      published: this.published,
      failureCount: this.loop.failureCount,
    };
  }

  private async step(): Promise<StepOutcome> {
    try {
      const queue = (this.queue ??= await this.connect());
      if (!this.active && !(await this.takeOver(queue))) return { waitMs: LOCK_RETRY_MS * (0.8 + Math.random() * 0.4) };
      return await this.relayOnce(queue);
    } catch (error) {
      if (!(error instanceof RelayError)) this.disconnect();
      throw error;
    }
  }

  private disconnect(): void {
    this.active = false;
    if (this.client) closeAbruptly(this.client);
    this.client = undefined;
    this.queue = undefined;
  }

  private async connect(): Promise<OutboxQueue> {
    const { url, schema, applicationName = `sinebar-outbox-${schema}`, batchSize = 500 } = this.options;
    const client = new pg.Client({ ...clientConfig({ url, applicationName, connectTimeoutMs: 5000 }), query_timeout: 15_000 });
    client.on('error', () => undefined);
    this.client = client;
    await client.connect();
    await applySettings(client, {
      schema,
      statementTimeoutMs: 10_000,
      lockTimeoutMs: 5000,
      idleInTransactionTimeoutMs: 10_000,
      keepaliveSeconds: LOCK_HOLDER_KEEPALIVE,
    });
    await client.query(`SET idle_session_timeout = ${this.options.silenceTimeoutMs ?? SILENCE_TIMEOUT_MS}`);
    // It commits only the removal of published rows: after a crash they are published again under the same id, so no batch waits for a
    // disk.
    await client.query('SET synchronous_commit = off');
    return new OutboxQueue(client, schema, batchSize);
  }

  private async takeOver(queue: OutboxQueue): Promise<boolean> {
    const { taken, rows, ageMs } = await queue.take();
    this.noteWaiting(rows, ageMs);
    this.active = taken;
    if (taken) this.log.info({ schema: this.options.schema }, 'this process publishes the events of the outbox');
    // Standing by is not a failure, and the connection works.
    else this.noteSuccess();
    return taken;
  }

  /** @throws RelayError when not all of the batch could be published; the connection stays usable */
  private async relayOnce(queue: OutboxQueue): Promise<StepOutcome> {
    const batch = await queue.oldest();
    const readAt = performance.now();
    this.noteWaiting(batch.waiting, batch.ageMs);
    if (batch.rows.length === 0) {
      await queue.done(batch, 0);
      this.noteSuccess();
      return 'nothing';
    }
    let stored = batch.rows.length;
    let failure: unknown;
    const envelopes = batch.rows.map((row) => JSON.parse(row.envelope) as ChangeEnvelope);
    const spans = relaySpans(this.options.tracer, envelopes);
    try {
      await this.publish(queue, envelopes);
      spans.published();
    } catch (error) {
      spans.failed(error);
      stored = this.storedBefore(error, batch.rows.length);
      failure = error;
    }
    this.published += stored;
    if (stored > 0) this.lagMs = Math.round(batch.ageMs + performance.now() - readAt);
    // Removes the stored rows of a failed batch too; the next batch starts with the oldest row left.
    await queue.done(batch, stored);
    spans.end();
    if (stored === batch.rows.length) {
      this.noteSuccess();
      this.noteWaiting(Math.max(batch.waiting - stored, 0), 0);
      // What was committed meanwhile has woken the relay.
      return batch.isFull ? 'more' : 'nothing';
    }
    if ((this.failures + 1) % FAILURES_PER_TURN === 0) {
      await queue.release();
      this.active = false;
    }
    throw new RelayError(failure);
  }

  /** Checks the connection regularly while it publishes: the lock ends with it, and the relay must then stop. */
  private async publish(queue: OutboxQueue, envelopes: ChangeEnvelope[]): Promise<void> {
    const published = this.options.publish(envelopes);
    const { publishTimeoutMs = 30_000, silenceTimeoutMs = SILENCE_TIMEOUT_MS } = this.options;
    const giveUpAt = performance.now() + publishTimeoutMs;
    for (;;) {
      const leftMs = giveUpAt - performance.now();
      if (leftMs <= 0) throw new Error(`the event stream has not answered for ${publishTimeoutMs} ms`);
      if (await settlesWithin(published, Math.min(leftMs, silenceTimeoutMs / 3))) return await published;
      await queue.keepAlive();
    }
  }

  private storedBefore(error: unknown, batchSize: number): number {
    const stored = this.options.storedCountOf?.(error) ?? 0;
    // A failed batch is never stored as a whole; any other count is invalid and means none.
    return Number.isInteger(stored) && stored > 0 && stored < batchSize ? stored : 0;
  }

  private noteFailure(error: unknown, failures: number): void {
    const isOfPublishing = error instanceof RelayError;
    const fields = failureFields(isOfPublishing ? error.cause : error);
    this.failures = failures;
    this.lastError = fields.reason;
    // Logs when the number of failures doubles, because an outage of hours must not fill the log.
    if (!Number.isInteger(Math.log2(failures))) return;
    this.log.warn(
      { schema: this.options.schema, failures, ...fields },
      isOfPublishing ? 'publishing events failed and is retried' : 'the outbox relay lost its database connection and connects again',
    );
  }

  private noteSuccess(): void {
    this.failures = 0;
    this.lastError = undefined;
  }

  private noteWaiting(rows: number, ageMs: number): void {
    this.waiting = { rows, ageMs, seenAt: performance.now() };
  }
}
