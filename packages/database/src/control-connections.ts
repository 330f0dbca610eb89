import pg from 'pg';
import { clientConfig, type ServerAddress } from './connection-settings.js';
import { failureFields, type DatabaseLog } from './log.js';
import { pause } from './waiting.js';

/** What became of a transaction; `unknown` when the server could not be asked, or does not remember. */
export type TransactionOutcome = 'committed' | 'aborted' | 'unknown';

const CONNECT_TIMEOUT_MS = 3000;
const ANSWER_TIMEOUT_MS = 5000;
/** The end of a server is noticed at its clients within this time. */
const CRASH_NOTICED_MS = 10_000;
/** A transaction still open this long after its client was lost is one whose server process has not noticed. */
const NOTICE_LOSS_MS = 2000;

/** A few connections beside the pools, so that cancelling, asking and probing work while the pools are full. */
export class ControlConnections {
  readonly #address: ServerAddress;
  readonly #pool: pg.Pool;
  readonly #log: DatabaseLog;
  readonly #outcomeTimeoutMs: number;

  /** @param outcomeTimeoutMs how long `outcomeOf` goes on asking */
  constructor(address: ServerAddress, outcomeTimeoutMs: number, log: DatabaseLog) {
    this.#outcomeTimeoutMs = outcomeTimeoutMs;
    this.#address = { ...address, connectTimeoutMs: CONNECT_TIMEOUT_MS };
    this.#log = log;
    this.#pool = new pg.Pool({
      ...clientConfig(this.#address),
      max: 2,
      idleTimeoutMillis: 30_000,
      query_timeout: ANSWER_TIMEOUT_MS,
      statement_timeout: ANSWER_TIMEOUT_MS,
    });
    // The pool listens to idle connections only; one that is lost while in use would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('error', (error) => this.#log.warn(failureFields(error), 'an idle database connection was lost'));
  }

  /** Cancels what the server process runs. When this resolves, the signal has arrived: a later statement of that process is not hit. */
  async cancel(processId: number): Promise<void> {
    await this.#query('SELECT pg_cancel_backend($1)', [processId]);
  }

  /** Whether the server answers within `timeoutMs`. Never rejects. */
  async ping(timeoutMs: number): Promise<boolean> {
    const limit = new AbortController();
    const answered = this.#query('SELECT 1', [], timeoutMs).then(
      () => true,
      () => false,
    );
    const late = pause(timeoutMs, limit.signal).then(() => false);
    try {
      return await Promise.race([answered, late]);
    } finally {
      limit.abort();
    }
  }

  /** A connection that failed or did not answer in time is closed, not put back. */
  async #query(text: string, values: unknown[], timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
    const client = await this.#pool.connect();
    let failed = true;
    try {
      await client.query({ text, values, query_timeout: timeoutMs } as pg.QueryConfig);
      failed = false;
    } finally {
      client.release(failed);
    }
  }

  /**
   * Finds out, on a new connection, what became of a transaction whose connection was lost; waits while it is still in progress.
   * @param processId the server process that ran it; ended when it still holds the transaction after two seconds
   */
  async outcomeOf(transactionId: string, processId: number): Promise<TransactionOutcome> {
    const started = Date.now();
    for (;;) {
      const elapsedMs = Date.now() - started;
      try {
        const status = await this.#statusOf(transactionId, processId, elapsedMs);
        if (status === 'committed' || status === 'aborted') return status;
        if (status === null) return 'unknown';
      } catch (error) {
        this.#log.warn(failureFields(error), 'could not ask the database what became of a transaction');
      }
      if (elapsedMs > this.#outcomeTimeoutMs) return 'unknown';
      await pause(100 + Math.min(elapsedMs / 10, 900));
    }
  }

  async #statusOf(transactionId: string, processId: number, elapsedMs: number): Promise<string | null> {
    const client = new pg.Client({ ...clientConfig(this.#address), query_timeout: ANSWER_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (elapsedMs > NOTICE_LOSS_MS) {
        // The transaction id makes sure that it is the same process, not a new one with its number.
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid = $2::xid8::xid', [
          processId,
          transactionId,
        ]);
      }
      const { rows } = await client.query<{ status: string | null; uptimeMs: number }>(
        `SELECT pg_xact_status($1::xid8) AS status, (extract(epoch FROM clock_timestamp() - greatest(pg_postmaster_start_time(),
           (SELECT max(backend_start) FROM pg_stat_activity WHERE backend_type = 'checkpointer'))) * 1000)::float8 AS "uptimeMs"`,
        [transactionId],
      );
      const [row] = rows;
      // A server that recovered from a crash gives numbers that did not reach its log to other transactions: "committed" may be said of one of those.
      if (row?.status === 'committed' && row.uptimeMs < elapsedMs + CRASH_NOTICED_MS) return null;
      return row?.status ?? null;
    } finally {
      client.connection.stream.destroy();
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
