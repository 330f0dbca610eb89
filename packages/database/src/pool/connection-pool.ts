import { abortable } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import pg from 'pg';
import { applySettings, clientConfig, type ConnectionSettings, type ServerAddress } from './connection-settings.js';
import { closeAbruptly } from './driver-internals.js';
import type { PoolUsage } from '../database.js';
import { failureFields, type DatabaseLog } from '../log.js';
import { translateError } from '../transaction/translate-error.js';

/** A pooled connection and what it is known to be set to. */
export interface PooledConnection {
  readonly client: pg.PoolClient;
  /** Number of the server process. */
  readonly processId: number;
  /** Which life of the server the connection belongs to; it does not outlast it. */
  readonly serverLife: string;
  /** The session's `statement_timeout`, milliseconds. */
  statementTimeoutMs: number;
}

export interface PoolOptions {
  address: ServerAddress;
  settings: ConnectionSettings;
  name: string;
  size: number;
  acquireTimeoutMs: number;
  log: DatabaseLog;
}

const IDLE_TIMEOUT_MS = 60_000;
/** Time for the set-up statement of a new connection, also where connecting has taken nearly all of the acquire timeout. */
const LEAST_PREPARE_MS = 1000;

/** A number of prepared connections that callers take and give back. */
export class ConnectionPool {
  readonly #pool: pg.Pool;
  readonly #prepared = new WeakMap<pg.PoolClient, PooledConnection>();
  readonly #options: PoolOptions;
  /** Calls of `acquire` that have no answer yet, also those whose caller has left. */
  readonly #acquiring = new Set<Promise<unknown>>();
  #inUse = 0;
  #closing = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { log, name } = options;
    this.#pool = new pg.Pool({
      ...clientConfig(options.address),
      max: options.size,
      connectionTimeoutMillis: options.acquireTimeoutMs,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
    });
    // The pool listens to idle connections only; an error event of one in use would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('error', (error) => log.warn({ pool: name, ...failureFields(error) }, 'an idle database connection was lost'));
  }

  /**
   * Waits for a free connection, at most the acquire timeout.
   * @throws ServiceError `Overloaded` when all stay in use, `Unavailable` when the server cannot be reached; the signal's reason on abort.
   */
  async acquire(signal: AbortSignal): Promise<PooledConnection> {
    signal.throwIfAborted();
    if (this.#closing) throw new Error('the database pool is closed');
    const pending = this.#take();
    const settled = pending.then(
      () => undefined,
      () => undefined,
    );
    this.#acquiring.add(settled);
    void settled.then(() => this.#acquiring.delete(settled));
    try {
      return await abortable(pending, signal);
    } catch (error) {
      // A connection that arrives after the caller has left goes back at once.
      if (signal.aborted) pending.then((late) => this.release(late)).catch(() => undefined);
      throw error;
    }
  }

  async #take(): Promise<PooledConnection> {
    const startedAt = performance.now();
    try {
      const client = await this.#pool.connect();
      const elapsedMs = performance.now() - startedAt;
      const connection = this.#prepared.get(client) ?? (await this.#prepare(client, this.#options.acquireTimeoutMs - elapsedMs));
      this.#inUse += 1;
      return connection;
    } catch (error) {
      throw this.#acquireFailure(error);
    }
  }

  /** Sets a new connection up. When the statement hangs or fails, closes the connection. */
  async #prepare(client: pg.PoolClient, timeLeftMs: number): Promise<PooledConnection> {
    const { settings } = this.#options;
    const limit = setTimeout(() => closeAbruptly(client), Math.max(timeLeftMs, LEAST_PREPARE_MS));
    try {
      const { processId, serverLife } = await applySettings(client, settings);
      const connection = { client, processId, serverLife, statementTimeoutMs: settings.statementTimeoutMs };
      this.#prepared.set(client, connection);
      return connection;
    } catch (error) {
      closeAbruptly(client);
      client.release(true);
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  #acquireFailure(error: unknown): unknown {
    // A failure to connect frees a place, so that all places in use mean that the caller has waited for one in vain.
    if (this.#inUse < this.#options.size) return translateError(error);
    return new ServiceError('Overloaded', 'The server is busy. Try again in a few seconds.', { retryAfterSeconds: 2, cause: error });
  }

  get full(): boolean {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return totalCount - idleCount + waitingCount >= this.#options.size;
  }

  release(connection: PooledConnection): void {
    this.#inUse -= 1;
    connection.client.release();
  }

  /** Closes the connection without a farewell and takes it out of the pool. */
  discard(connection: PooledConnection): void {
    this.#inUse -= 1;
    closeAbruptly(connection.client);
    connection.client.release(true);
  }

  usage(): PoolUsage {
    return { used: this.#inUse, free: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  /** Waits for the connections in use, also for those that callers wait for. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.#acquiring);
    await this.#pool.end();
  }
}
