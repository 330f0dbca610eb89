import { errorCode, pause } from '@sinebar/concurrency';
import pg from 'pg';
import { clientConfig, type ServerAddress } from '../pool/connection-settings.js';
import { closeAbruptly } from '../pool/driver-internals.js';
import { failureFields, type DatabaseLog } from '../log.js';
import { SERVER_LIFE } from '../pool/server-life.js';

/** Outcome of a transaction; `unknown` when the server could not be asked, or cannot tell it from another one. */
export type TransactionOutcome = 'committed' | 'aborted' | 'unknown';

/** A transaction whose connection was lost in COMMIT. */
export interface LostTransaction {
  /** Result of `pg_current_xact_id`, 64 bits as text. */
  id: string;
  /** The server process that ran it. */
  processId: number;
  /** {@link SERVER_LIFE} as its connection saw it. */
  serverLife: string;
}

/** Report of a server about a transaction. */
export interface TransactionReport {
  /** Whether it has been running, without a loss of its memory, since the transaction got its number. */
  isSameLife: boolean;
  /** A standby may not have heard of the transaction yet. */
  isStandby: boolean;
  /** `future`: the server has not given this number to any transaction; `forgotten`: too long ago. */
  status: 'committed' | 'aborted' | 'in progress' | 'future' | 'forgotten';
}

const ANSWER_TIMEOUT_MS = 5000;
/** A transaction still open this long after its client was lost is one whose server process has not noticed. */
const NOTICE_LOSS_MS = 2000;
/** SQLSTATE of a question about a number that has not been given yet. */
const INVALID_PARAMETER = '22023';

/**
 * Derives the outcome from a report; `undefined` when it is too early to tell (docs/decisions/0017-outcome-of-a-lost-commit.md).
 * A crash takes back the numbers that did not reach the disk, and the server gives them to others: after one, "committed" may be said of another transaction,
 * while everything else says that ours left no trace.
 */
export function outcomeFrom({ isSameLife, isStandby, status }: TransactionReport): TransactionOutcome | undefined {
  if (isStandby || status === 'in progress') return undefined;
  if (status === 'aborted') return 'aborted';
  if (status === 'committed') return isSameLife ? 'committed' : 'unknown';
  return status === 'future' && !isSameLife ? 'aborted' : 'unknown';
}

/**
 * Asks until the outcome is certain, or `timeoutMs` have passed.
 * @param ask is given the milliseconds since the connection was lost; when it rejects it is asked again
 */
export async function findOutcome(
  ask: (elapsedMs: number) => Promise<TransactionReport>,
  timeoutMs: number,
  log: DatabaseLog,
): Promise<TransactionOutcome> {
  const started = Date.now();
  for (;;) {
    const elapsedMs = Date.now() - started;
    try {
      const outcome = outcomeFrom(await ask(elapsedMs));
      if (outcome) return outcome;
    } catch (error) {
      log.warn(failureFields(error), 'could not ask the database what became of a transaction');
    }
    if (elapsedMs > timeoutMs) return 'unknown';
    await pause(100 + Math.min(elapsedMs / 10, 900));
  }
}

/**
 * Asks on a new connection, and ends the server process that still holds the transaction after two seconds.
 * @throws when the server does not answer
 */
export async function askServer(address: ServerAddress, transaction: LostTransaction, elapsedMs: number): Promise<TransactionReport> {
  const client = new pg.Client({ ...clientConfig(address), query_timeout: ANSWER_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ life: string; isStandby: boolean }>(
      `SELECT ${SERVER_LIFE} AS life, pg_is_in_recovery() AS "isStandby"`,
    );
    const isStandby = rows[0]?.isStandby !== false;
    const isSameLife = rows[0]?.life === transaction.serverLife;
    if (isSameLife && elapsedMs > NOTICE_LOSS_MS) await endHolder(client, transaction);
    return { isSameLife, isStandby, status: await statusOf(client, transaction.id) };
  } finally {
    closeAbruptly(client);
  }
}

/** A commit that waits for a standby is left alone: cut short it would count as committed although the standby may not have it. */
async function endHolder(client: pg.Client, { id, processId }: LostTransaction): Promise<void> {
  // The transaction id makes sure that it is the same process, not a new one with its number.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid = $2::xid8::xid AND wait_event IS DISTINCT FROM 'SyncRep'`,
    [processId, id],
  );
}

async function statusOf(client: pg.Client, id: string): Promise<TransactionReport['status']> {
  try {
    const { rows } = await client.query<{ status: TransactionReport['status'] | null }>('SELECT pg_xact_status($1::xid8) AS status', [id]);
    return rows[0]?.status ?? 'forgotten';
  } catch (error) {
    if (errorCode(error) === INVALID_PARAMETER) return 'future';
    throw error;
  }
}
