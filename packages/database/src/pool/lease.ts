import { abortable, errorCode, pause, settlesWithin } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import type { ConnectionPool, PooledConnection } from './connection-pool.js';
import type { ControlConnections } from './control-connections.js';
import { closeAbruptly, isReadyForQuery } from './driver-internals.js';
import type { WorkOptions } from '../database.js';
import { failureFields, type DatabaseLog } from '../log.js';
import { runQuery } from './run-query.js';
import { isConnectionFailure, translateError } from '../transaction/translate-error.js';

/** The server ends a statement at its own limit; silence for this much longer means that the connection is dead. */
const SILENCE_MS = 10_000;
/** How long work may go on after its signal was aborted before its connection is closed under it. */
const ABORT_GRACE_MS = 5000;
const CANCEL_INTERVAL_MS = 250;
const CLEAN_UP_TIMEOUT_MS = 5000;
/** A reason of its own, since without one every abort makes an exception. */
const WORK_ENDED = 'the work has ended';
/** SQLSTATE of statements after the one that failed. */
const IN_FAILED_TRANSACTION = '25P02';

export interface LeaseDependencies {
  pool: ConnectionPool;
  control: ControlConnections;
  log: DatabaseLog;
}

/**
 * A pooled connection for the time of one piece of work. On abort what runs is cancelled on the server, and the connection goes back only when the
 * cancel request has been answered: a late one would hit the next user.
 */
export class Lease {
  readonly client: pg.Client;
  /** The last failure of a statement, untranslated: what a transaction failed of, also when the work kept quiet about it. */
  failure: unknown;
  readonly #connection: PooledConnection;
  readonly #deps: LeaseDependencies;
  readonly #options: WorkOptions;
  readonly #workEnded = new AbortController();
  readonly #onAbort = () => {
    this.#cancelling = this.#cancelUntilEnd();
  };
  #cancelling: Promise<void> | undefined;
  /** Aborted when the work ignores that its signal was aborted: it is no longer waited for. */
  readonly #abandoned = new AbortController();
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;
  #isConnectionClosed = false;
  #finishing = false;

  private constructor(deps: LeaseDependencies, connection: PooledConnection, options: WorkOptions) {
    this.client = connection.client;
    this.#connection = connection;
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Takes a connection, runs `work` and gives the connection back clean: whatever transaction is open by then is rolled back; if that fails, it is closed.
   * @throws what `work` throws, translated; the signal's reason once it is aborted.
   */
  static async use<T>(deps: LeaseDependencies, options: WorkOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
    const connection = await deps.pool.acquire(options.signal);
    const lease = new Lease(deps, connection, options);
    options.signal.addEventListener('abort', lease.#onAbort, { once: true });
    // Aborted between the pool's answer and the listener.
    if (options.signal.aborted) lease.#onAbort();
    try {
      return await abortable(work(lease), lease.#abandoned.signal);
    } catch (error) {
      if (options.signal.aborted && !lease.#finishing) throw options.signal.reason;
      throw translateError(error);
    } finally {
      await lease.#end();
    }
  }

  /** Number of the server process. */
  get processId(): number {
    return this.#connection.processId;
  }

  /** Which life of the server the connection belongs to. */
  get serverLife(): string {
    return this.#connection.serverLife;
  }

  /** Gives autocommit statements their time limit; a round trip only when the connection has another one now. */
  async limitStatements(): Promise<void> {
    const { statementTimeoutMs } = this.#options;
    if (this.#connection.statementTimeoutMs === statementTimeoutMs) return;
    await this.execute({ text: `SET statement_timeout = ${wholeMs(statementTimeoutMs)}` });
    this.#connection.statementTimeoutMs = statementTimeoutMs;
  }

  /**
   * Begins a transaction in one round trip.
   * @param opening statements without parameters that run in it first
   * @returns the rows of each
   */
  async begin(modes: string, opening: readonly string[] = []): Promise<object[][]> {
    const begun: unknown = await this.execute({ text: [`BEGIN ${modes}`, ...this.#limitStatement, ...opening].join(';') });
    // One statement has a result of its own, several have a list.
    const results = (Array.isArray(begun) ? begun : [begun]) as pg.QueryResult<object>[];
    return results.slice(results.length - opening.length).map(({ rows }) => rows);
  }

  /** None when the connection has this limit already. */
  get #limitStatement(): string[] {
    const { statementTimeoutMs } = this.#options;
    return this.#connection.statementTimeoutMs === statementTimeoutMs
      ? []
      : [`SET LOCAL statement_timeout = ${wholeMs(statementTimeoutMs)}`];
  }

  /** Runs one statement after those already given. @throws the translated failure; the signal's reason once it is aborted. */
  execute(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const run = this.#tail.then(async () => {
      this.#options.signal.throwIfAborted();
      return await this.#send(statement);
    });
    this.#tail = run.catch(() => undefined);
    return run;
  }

  /** As `execute`, but not to be cancelled: from here on the signal is ignored. Resolves to one result for each statement in `text`. */
  async executeToTheEnd(text: string): Promise<pg.QueryResult[]> {
    // Statements that the work did not wait for belong to it all the same; behind the last statement nothing may follow outside the transaction.
    await this.#tail;
    this.#options.signal.throwIfAborted();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    const sent = this.#send({ text });
    this.#finishing = true;
    this.#closed = true;
    const results: unknown = await sent;
    return (Array.isArray(results) ? results : [results]) as pg.QueryResult[];
  }

  async #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#closed) throw new Error('a statement was given to a session whose work had ended');
    const { statementTimeoutMs, signal } = this.#options;
    const limit = statementTimeoutMs > 0 ? setTimeout(() => this.#closeConnection(), statementTimeoutMs + SILENCE_MS) : undefined;
    try {
      return await runQuery(this.client, this.#commented(statement));
    } catch (error) {
      if (errorCode(error) !== IN_FAILED_TRANSACTION) this.failure = error;
      if (this.#cancelling) throw signal.reason;
      throw translateError(error);
    } finally {
      clearTimeout(limit);
    }
  }

  /** A name stands for one text: what is prepared has no comment, but is logged between BEGIN and COMMIT, which have one. */
  #commented(statement: pg.QueryConfig): pg.QueryConfig {
    const { traceparent } = this.#options;
    if (traceparent === undefined || statement.name !== undefined) return statement;
    return { ...statement, text: `${statement.text} /*traceparent='${safe(traceparent)}'*/` };
  }

  /** Whether the connection still answers, so that a failure was the server's definite word. */
  async answers(): Promise<boolean> {
    if (isConnectionFailure(this.failure)) return false;
    const answer = this.client.query('');
    return (await settlesWithin(answer, CLEAN_UP_TIMEOUT_MS)) && (await answer.then(() => true).catch(() => false));
  }

  /** A request that overtakes its statement on the way finds nothing to cancel, so it is repeated until the work ends. */
  async #cancelUntilEnd(): Promise<void> {
    const { control, log } = this.#deps;
    const { signal: workEnded } = this.#workEnded;
    const giveUpAt = Date.now() + ABORT_GRACE_MS;
    try {
      while (!workEnded.aborted && Date.now() < giveUpAt) {
        await control.cancel(this.processId);
        await pause(CANCEL_INTERVAL_MS, workEnded);
      }
    } catch (error) {
      log.warn(failureFields(error), 'a statement could not be cancelled; its connection is closed instead');
      this.#closeConnection();
      await pause(giveUpAt - Date.now(), workEnded);
    }
    if (workEnded.aborted) return;
    log.warn({}, 'work went on after its signal was aborted; its connection is closed');
    this.#closeConnection();
    this.#abandoned.abort(this.#options.signal.reason);
  }

  /** The driver notices only with the socket's next event, so that the lease has to remember it. */
  #closeConnection(): void {
    this.#isConnectionClosed = true;
    closeAbruptly(this.client);
  }

  async #end(): Promise<void> {
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#closed = true;
    this.#workEnded.abort(WORK_ENDED);
    await this.#cancelling;
    const { pool, log } = this.#deps;
    if (await this.#cleanUp()) {
      pool.release(this.#connection);
    } else {
      log.warn({}, 'a database connection could not be brought back to a known state and is closed');
      pool.discard(this.#connection);
    }
  }

  /** Brings the connection back to idle, outside any transaction. @returns false when that failed. */
  async #cleanUp(): Promise<boolean> {
    if (this.#isConnectionClosed || isConnectionFailure(this.failure)) return false;
    try {
      // After a failed statement, or one of the work's own that still runs (a cursor left open), the driver waits here for the server.
      if (!isReadyForQuery(this.client)) await this.#quickly('');
      if (this.client.getTransactionStatus() !== 'I') await this.#quickly('ROLLBACK');
      return this.client.getTransactionStatus() === 'I';
    } catch {
      return false;
    }
  }

  async #quickly(text: string): Promise<void> {
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
