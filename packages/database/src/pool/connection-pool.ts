import { abortable } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import { applySettings, clientConfig, type ConnectionSettings, type ServerAddress } from '../connection/connection-settings.ts';
import { closeAbruptly } from '../connection/driver-internals.ts';
import type { PoolUsage } from '../database.ts';
import type { DatabaseLog } from '../log.ts';
import { translateError } from '../connection/translate-error.ts';
import { openPool, type OpenedPool } from './open-pool.ts';

/** A pooled connection and its known settings. */
export interface PooledConnection {
  readonly client: pg.PoolClient;
  readonly processId: number;
  /** Start of the server to which the connection belongs; it ends with the server. */
  readonly serverLife: string;
  /** `statement_timeout` of the session in milliseconds. */
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
/** Least time for the set-up statement of a new connection, when connecting took nearly all of the acquire timeout. */
const MIN_PREPARE_MS = 1000;

export class ConnectionPool {
  private readonly opened: OpenedPool;
  private readonly prepared = new WeakMap<pg.PoolClient, PooledConnection>();
  private readonly options: PoolOptions;
  /** Pending calls of `acquire`, including those whose caller has left. */
  private readonly acquiring = new Set<Promise<unknown>>();
  private inUse = 0;
  private closing = false;

  constructor(options: PoolOptions) {
    this.options = options;
    const { log, name } = options;
    this.opened = openPool(
      {
        ...clientConfig(options.address),
        max: options.size,
        connectionTimeoutMillis: options.acquireTimeoutMs,
        idleTimeoutMillis: IDLE_TIMEOUT_MS,
      },
      { pool: name },
      log,
    );
  }

  /**
   * Waits for a free connection, at most the acquire timeout.
   * @throws ServiceError `Overloaded` when all stay in use, `Unavailable` when the server cannot be reached; the signal's reason on abort.
   */
  async acquire(signal: AbortSignal): Promise<PooledConnection> {
    signal.throwIfAborted();
    if (this.closing) throw new Error('the database pool is closed');
    const pending = this.take();
    const settled = pending.then(
      () => undefined,
      () => undefined,
    );
    this.acquiring.add(settled);
    void settled.then(() => this.acquiring.delete(settled));
    try {
      return await abortable(pending, signal);
    } catch (error) {
      // A connection that arrives after the caller has left is released at once.
      if (signal.aborted) pending.then((late) => this.release(late)).catch(() => undefined);
      throw error;
    }
  }

  private async take(): Promise<PooledConnection> {
    const startedAt = performance.now();
    try {
      const client = await this.opened.pool.connect();
      const elapsedMs = performance.now() - startedAt;
      const connection = this.prepared.get(client) ?? (await this.prepare(client, this.options.acquireTimeoutMs - elapsedMs));
      this.inUse += 1;
      return connection;
    } catch (error) {
      throw this.acquireFailure(error);
    }
  }

  /** Prepares a new connection; closes it when the statement hangs or fails. */
  private async prepare(client: pg.PoolClient, timeLeftMs: number): Promise<PooledConnection> {
    const { settings } = this.options;
    const limit = setTimeout(() => closeAbruptly(client), Math.max(timeLeftMs, MIN_PREPARE_MS));
    try {
      const { processId, serverLife } = await applySettings(client, settings);
      const connection = { client, processId, serverLife, statementTimeoutMs: settings.statementTimeoutMs };
      this.prepared.set(client, connection);
      return connection;
    } catch (error) {
      closeAbruptly(client);
      client.release(true);
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  private acquireFailure(error: unknown): unknown {
    // A failed connect frees a connection; so if all are in use, the wait timed out.
    if (this.inUse < this.options.size) return translateError(error);
    return new ServiceError('Overloaded', 'The server is busy. Try again in a few seconds.', { retryAfterSeconds: 2, cause: error });
  }

  get full(): boolean {
    const { totalCount, idleCount, waitingCount } = this.opened.pool;
    return totalCount - idleCount + waitingCount >= this.options.size;
  }

  release(connection: PooledConnection): void {
    this.inUse -= 1;
    connection.client.release();
  }

  /** Closes the connection abruptly and removes it from the pool. */
  discard(connection: PooledConnection): void {
    this.inUse -= 1;
    closeAbruptly(connection.client);
    connection.client.release(true);
  }

  usage(): PoolUsage {
    return { used: this.inUse, free: this.opened.pool.idleCount, waiting: this.opened.pool.waitingCount };
  }

  /** Waits for the connections in use and for pending calls of `acquire`. */
  async close(): Promise<void> {
    this.closing = true;
    await Promise.all(this.acquiring);
    await this.opened.end();
  }
}
