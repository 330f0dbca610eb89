import { ServiceError } from '@sinebar/contracts';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { applySettings, clientConfig, type ConnectionSettings, type ServerAddress } from './connection-settings.js';
import type { PoolUsage } from '../database.js';
import { failureFields, type DatabaseLog } from '../log.js';
import { isError, translateError } from '../transaction/translate-error.js';
import { unlessAborted } from './waiting.js';

/** A pooled connection and what it is known to be set to. */
export interface PooledConnection {
  readonly client: pg.Client;
  /** Which life of the server the connection belongs to; it does not outlast it. */
  readonly serverLife: string;
  /** The session's `statement_timeout`, milliseconds. */
  statementTimeoutMs: number;
}

/** The parts of knex's client that the pool stands on; its own types leave them open. */
interface KnexClient {
  acquireConnection(): Promise<pg.Client>;
  releaseConnection(connection: pg.Client): Promise<void>;
  pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number; numPendingValidations(): number };
}

/** knex throws a connection away at its next turn when this property is set. */
type Disposable = pg.Client & { __knex__disposed?: unknown };

export interface PoolOptions {
  address: ServerAddress;
  settings: ConnectionSettings;
  name: string;
  size: number;
  acquireTimeoutMs: number;
  log: DatabaseLog;
}

const IDLE_TIMEOUT_MS = 60_000;

/** A number of prepared connections that callers take and give back. */
export class ConnectionPool {
  readonly #knex: Knex;
  readonly #client: KnexClient;
  readonly #connections = new WeakMap<pg.Client, PooledConnection>();
  readonly #options: PoolOptions;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { log, name } = options;
    const report = (sentence: unknown) => log.warn({ pool: name, reason: String(sentence).split('\n')[0] }, 'a database connection failed');
    this.#knex = knex({
      client: 'pg',
      // Given, so that knex does not ask each new pool's server for it; it decides nothing that is used here.
      version: '15.0',
      connection: clientConfig(options.address) as Knex.PgConnectionConfig,
      acquireConnectionTimeout: options.acquireTimeoutMs,
      pool: {
        min: 0,
        max: options.size,
        createTimeoutMillis: options.acquireTimeoutMs + 5000,
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
        afterCreate: (client: pg.Client, done: (error: Error | null) => void) => {
          this.#prepare(client).then(() => done(null), done);
        },
      },
      log: { warn: report, error: report, deprecate: report, debug: () => undefined },
    });
    this.#client = this.#knex.client as KnexClient;
  }

  /** A set-up statement that hangs is ended by closing the connection: the pool does not wait for it for ever. */
  async #prepare(client: pg.Client): Promise<void> {
    const { settings, acquireTimeoutMs } = this.#options;
    const limit = setTimeout(() => client.connection.stream.destroy(), acquireTimeoutMs);
    try {
      const serverLife = await applySettings(client, settings);
      this.#connections.set(client, { client, serverLife, statementTimeoutMs: settings.statementTimeoutMs });
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  /**
   * Waits for a free connection, at most the acquire timeout.
   * @throws ServiceError `Overloaded` when all stay in use, `Unavailable` when the server cannot be reached; the signal's reason on abort.
   */
  async acquire(signal: AbortSignal): Promise<PooledConnection> {
    signal.throwIfAborted();
    const pending = this.#client.acquireConnection();
    try {
      const client = await unlessAborted(pending, signal);
      const connection = this.#connections.get(client);
      if (!connection) throw new Error('a connection came out of the pool that was not prepared');
      return connection;
    } catch (error) {
      if (!signal.aborted) throw this.#acquireFailure(error);
      // What arrives after the caller has gone goes straight back.
      pending.then((late) => this.#client.releaseConnection(late)).catch(() => undefined);
      throw error;
    }
  }

  #acquireFailure(error: unknown): unknown {
    if (!isError(error) || error.name !== 'KnexTimeoutError') return translateError(error);
    const full = this.#client.pool.numUsed() >= this.#options.size;
    return full
      ? new ServiceError('Overloaded', 'The server is busy. Try again in a few seconds.', { retryAfterSeconds: 2, cause: error })
      : new ServiceError('Unavailable', 'The database does not answer. Try again in a few seconds.', {
          retryAfterSeconds: 5,
          cause: error,
        });
  }

  get full(): boolean {
    const { pool } = this.#client;
    return pool.numUsed() + pool.numPendingAcquires() >= this.#options.size;
  }

  async release(connection: PooledConnection): Promise<void> {
    await this.#client.releaseConnection(connection.client);
  }

  /** Closes the connection without a farewell and takes it out of the pool. */
  async discard(connection: PooledConnection): Promise<void> {
    closeAbruptly(connection.client);
    await this.#client.releaseConnection(connection.client);
  }

  usage(): PoolUsage {
    const { pool } = this.#client;
    return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
  }

  /** Waits for the connections in use. */
  async close(): Promise<void> {
    try {
      await this.#knex.destroy();
    } catch (error) {
      this.#options.log.warn({ pool: this.#options.name, ...failureFields(error) }, 'the database pool did not close cleanly');
    }
  }
}

/** Ends a connection whose state is unknown; every statement on it fails at once. A farewell could wait for ever on a dead network. */
export function closeAbruptly(client: pg.Client): void {
  (client as Disposable).__knex__disposed ??= 'closed because its state was unknown';
  client.connection.stream.destroy();
}
