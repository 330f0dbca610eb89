import { abortable, errorCode, pause, settlesWithin } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import type { ConnectionPool, PooledConnection } from './connection-pool.ts';
import type { ControlConnections } from './control-connections.ts';
import { closeAbruptly, isReadyForQuery } from '../connection/driver-internals.ts';
import type { WorkOptions } from '../database.ts';
import { failureFields, type DatabaseLog } from '../log.ts';
import { runQuery } from '../connection/run-query.ts';
import { isConnectionFailure, translateError } from '../connection/translate-error.ts';

/** Extra time after the server's statement limit; then the connection counts as dead. */
const SILENCE_MS = 10_000;
/** Time for which work may continue after an abort before its connection is closed. */
const ABORT_GRACE_MS = 5000;
const CANCEL_INTERVAL_MS = 250;
const CLEAN_UP_TIMEOUT_MS = 5000;
/** Constant reason: without one every abort creates an exception. */
const WORK_ENDED = 'the work has ended';
/** SQLSTATE of statements after the one that failed. */
const IN_FAILED_TRANSACTION = '25P02';

export interface LeaseDependencies {
  pool: ConnectionPool;
  control: ControlConnections;
  log: DatabaseLog;
}

/**
 * State of a lease:
 * - `working` takes statements;
 * - `cancelling` refuses them with the reason of the aborted signal;
 * - `finishing` sends its last statement, and ignores the signal;
 * - `ended` takes no statement.
 */
type LeaseState = 'working' | 'cancelling' | 'finishing' | 'ended';

/**
 * A pooled connection for one piece of work.
 * On abort the running statement is cancelled on the server; the connection is released only after the cancel request was answered, because
 * a late one would hit the next user.
 */
export class Lease {
  readonly client: pg.Client;
  /** The last failure of a statement, untranslated: the cause of a failed transaction, even if the work caught it. */
  failure: unknown;
  private readonly connection: PooledConnection;
  private readonly deps: LeaseDependencies;
  private readonly options: WorkOptions;
  private readonly workEnded = new AbortController();
  private readonly onAbort = () => {
    this.state = 'cancelling';
    this.cancellation = this.cancelUntilEnd();
  };
  private state: LeaseState = 'working';
  private cancellation: Promise<void> = Promise.resolve();
  /** Aborted when the work ignores its aborted signal: the lease no longer waits for it. */
  private readonly abandoned = new AbortController();
  private tail: Promise<unknown> = Promise.resolve();
  private isConnectionClosed = false;

  private constructor(deps: LeaseDependencies, connection: PooledConnection, options: WorkOptions) {
    this.client = connection.client;
    this.connection = connection;
    this.deps = deps;
    this.options = options;
  }

  /**
   * Takes a connection, runs `work` and releases the connection: an open transaction is rolled back; if that fails, the connection is
   * closed.
   * @throws the error of `work`, translated; the signal's reason once it is aborted.
   */
  static async use<T>(deps: LeaseDependencies, options: WorkOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
    const connection = await deps.pool.acquire(options.signal);
    const lease = new Lease(deps, connection, options);
    options.signal.addEventListener('abort', lease.onAbort, { once: true });
    // The signal was aborted before the listener was added.
    if (options.signal.aborted) lease.onAbort();
    try {
      return await abortable(work(lease), lease.abandoned.signal);
    } catch (error) {
      if (lease.isAborted) throw options.signal.reason;
      throw translateError(error);
    } finally {
      await lease.end();
    }
  }

  /** Whether a failure may come from the aborted signal. */
  private get isAborted(): boolean {
    return this.options.signal.aborted && this.state !== 'finishing';
  }

  get processId(): number {
    return this.connection.processId;
  }

  /** Start of the server to which the connection belongs. */
  get serverLife(): string {
    return this.connection.serverLife;
  }

  /** Sets the time limit of autocommit statements; needs a round trip only when it changes. */
  async limitStatements(): Promise<void> {
    const { statementTimeoutMs } = this.options;
    if (this.connection.statementTimeoutMs === statementTimeoutMs) return;
    await this.execute({ text: `SET statement_timeout = ${wholeMs(statementTimeoutMs)}` });
    this.connection.statementTimeoutMs = statementTimeoutMs;
  }

  /**
   * Begins a transaction in one round trip.
   * @param opening statements without parameters that run first
   * @returns the rows of each
   */
  async begin(modes: string, opening: readonly string[] = []): Promise<object[][]> {
    const begun: unknown = await this.execute({ text: [`BEGIN ${modes}`, ...this.limitStatement, ...opening].join(';') });
    // The driver returns one result for one statement, a list for several.
    const results = (Array.isArray(begun) ? begun : [begun]) as pg.QueryResult<object>[];
    return results.slice(results.length - opening.length).map(({ rows }) => rows);
  }

  /** Returns no statement when the connection already has this limit. */
  private get limitStatement(): string[] {
    const { statementTimeoutMs } = this.options;
    return this.connection.statementTimeoutMs === statementTimeoutMs
      ? []
      : [`SET LOCAL statement_timeout = ${wholeMs(statementTimeoutMs)}`];
  }

  /** Runs one statement after the earlier ones. @throws the translated failure; the signal's reason once it is aborted. */
  execute(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const run = this.tail.then(async () => {
      this.options.signal.throwIfAborted();
      return await this.send(statement);
    });
    this.tail = run.catch(() => undefined);
    return run;
  }

  /** As `execute`, but ignores the signal from here on. Resolves to one result for each statement in `text`. */
  async executeToTheEnd(text: string): Promise<pg.QueryResult[]> {
    // Waits for statements that the work did not await: none may run outside the transaction.
    await this.tail;
    this.options.signal.throwIfAborted();
    this.options.signal.removeEventListener('abort', this.onAbort);
    const sent = this.send({ text });
    this.state = 'finishing';
    const results: unknown = await sent;
    return (Array.isArray(results) ? results : [results]) as pg.QueryResult[];
  }

  private async send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.state !== 'working') throw new Error('a statement was given to a session whose work had ended');
    const { statementTimeoutMs, signal } = this.options;
    const limit = statementTimeoutMs > 0 ? setTimeout(() => this.closeConnection(), statementTimeoutMs + SILENCE_MS) : undefined;
    try {
      return await runQuery(this.client, this.commented(statement));
    } catch (error) {
      if (errorCode(error) !== IN_FAILED_TRANSACTION) this.failure = error;
      if (this.isAborted) throw signal.reason;
      throw translateError(error);
    } finally {
      clearTimeout(limit);
    }
  }

  /**
   * Adds the trace as a comment. Prepared statements have none, because a name needs a constant text; BEGIN and COMMIT around them have it.
   */
  private commented(statement: pg.QueryConfig): pg.QueryConfig {
    const { traceparent } = this.options;
    if (traceparent === undefined || statement.name !== undefined) return statement;
    return { ...statement, text: `${statement.text} /*traceparent='${safe(traceparent)}'*/` };
  }

  /** Whether the connection still answers, so that the failure came from the server. */
  async answers(): Promise<boolean> {
    if (isConnectionFailure(this.failure)) return false;
    const answer = this.client.query('');
    return (await settlesWithin(answer, CLEAN_UP_TIMEOUT_MS)) && (await answer.then(() => true).catch(() => false));
  }

  /** Repeats the cancel request until the work ends, because a request that overtakes its statement finds nothing to cancel. */
  private async cancelUntilEnd(): Promise<void> {
    const { control, log } = this.deps;
    const { signal: workEnded } = this.workEnded;
    const giveUpAt = Date.now() + ABORT_GRACE_MS;
    try {
      while (!workEnded.aborted && Date.now() < giveUpAt) {
        await control.cancel(this.processId);
        await pause(CANCEL_INTERVAL_MS, workEnded);
      }
    } catch (error) {
      log.warn(failureFields(error), 'a statement could not be cancelled; its connection is closed instead');
      this.closeConnection();
      await pause(giveUpAt - Date.now(), workEnded);
    }
    if (workEnded.aborted) return;
    log.warn({}, 'work ignored its aborted signal; its connection is closed');
    this.closeConnection();
    this.abandoned.abort(this.options.signal.reason);
  }

  /** Remembers the closing, because the driver reports it only with the socket's next event. */
  private closeConnection(): void {
    this.isConnectionClosed = true;
    closeAbruptly(this.client);
  }

  private async end(): Promise<void> {
    this.options.signal.removeEventListener('abort', this.onAbort);
    this.state = 'ended';
    this.workEnded.abort(WORK_ENDED);
    await this.cancellation;
    const { pool, log } = this.deps;
    if (await this.cleanUp()) {
      pool.release(this.connection);
    } else {
      log.warn({}, 'a database connection could not be reset and is closed');
      pool.discard(this.connection);
    }
  }

  /** Rolls the connection back to idle. @returns false when that failed. */
  private async cleanUp(): Promise<boolean> {
    if (this.isConnectionClosed || isConnectionFailure(this.failure)) return false;
    try {
      // After a failed statement, or with a running one of the work (an open cursor), the driver waits here for the server.
      if (!isReadyForQuery(this.client)) await this.quickly('');
      if (this.client.getTransactionStatus() !== 'I') await this.quickly('ROLLBACK');
      return this.client.getTransactionStatus() === 'I';
    } catch {
      return false;
    }
  }

  private async quickly(text: string): Promise<void> {
    const done = this.client.query(text);
    if (!(await settlesWithin(done, CLEAN_UP_TIMEOUT_MS))) {
      done.catch(() => undefined);
      throw new ServiceError('Unavailable', 'The database does not answer. Try again in a few seconds.', { retryAfterSeconds: 5 });
    }
    await done;
  }
}

function safe(traceparent: string): string {
  if (!/^[0-9a-f-]+$/.test(traceparent)) throw new Error('not a trace context');
  return traceparent;
}

function wholeMs(ms: number): number {
  if (!Number.isFinite(ms) || ms < 0) throw new Error(`not a time limit in milliseconds: ${ms}`);
  return Math.ceil(ms);
}
