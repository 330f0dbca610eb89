import { withTimeout } from '@sinebar/concurrency';
import type pg from 'pg';
import { clientConfig, type ServerAddress } from '../connection/connection-settings.ts';
import type { DatabaseLog } from '../log.ts';
import { askServer, findOutcome, type LostTransaction, type TransactionOutcome } from '../connection/transaction-outcome.ts';
import { openPool, type OpenedPool } from './open-pool.ts';

const CONNECT_TIMEOUT_MS = 3000;
const ANSWER_TIMEOUT_MS = 5000;

/** Opens a few connections beside the pools, so that cancelling, outcome requests and pings work while the pools are full. */
export class ControlConnections {
  private readonly address: ServerAddress;
  private readonly opened: OpenedPool;
  private readonly log: DatabaseLog;
  private readonly outcomeTimeoutMs: number;

  /** @param outcomeTimeoutMs time limit of `awaitOutcome` */
  constructor(address: ServerAddress, outcomeTimeoutMs: number, log: DatabaseLog) {
    this.outcomeTimeoutMs = outcomeTimeoutMs;
    this.address = { ...address, connectTimeoutMs: CONNECT_TIMEOUT_MS };
    this.log = log;
    this.opened = openPool(
      {
        ...clientConfig(this.address),
        max: 2,
        idleTimeoutMillis: 30_000,
        query_timeout: ANSWER_TIMEOUT_MS,
        statement_timeout: ANSWER_TIMEOUT_MS,
      },
      {},
      log,
    );
  }

  /** Cancels the statement of a server process. When this resolves, the signal has arrived: later statements are not affected. */
  async cancel(processId: number): Promise<void> {
    await this.query('SELECT pg_cancel_backend($1::int)', [processId]);
  }

  /** Whether the server answers within `timeoutMs`. Never rejects. */
  async ping(timeoutMs: number): Promise<boolean> {
    try {
      await withTimeout(this.query('SELECT 1', [], timeoutMs), timeoutMs);
      return true;
    } catch {
      return false;
    }
  }

  /** Closes a connection that failed or did not answer in time. */
  private async query(text: string, values: unknown[], timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
    const client = await this.opened.pool.connect();
    let failed = true;
    try {
      await client.query({ text, values, query_timeout: timeoutMs } as pg.QueryConfig);
      failed = false;
    } finally {
      client.release(failed);
    }
  }

  /** Finds the outcome of a transaction whose connection was lost in COMMIT; waits while it is still in progress. */
  awaitOutcome(transaction: LostTransaction): Promise<TransactionOutcome> {
    return findOutcome((elapsedMs) => askServer(this.address, transaction, elapsedMs), this.outcomeTimeoutMs, this.log);
  }

  async close(): Promise<void> {
    await this.opened.end();
  }
}
