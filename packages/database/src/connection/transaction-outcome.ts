import { errorCode, pause } from '@sinebar/concurrency';
import pg from 'pg';
import { clientConfig, SERVER_LIFE, type ServerAddress } from './connection-settings.ts';
import { closeAbruptly } from './driver-internals.ts';
import { failureFields, type DatabaseLog } from '../log.ts';

/** Outcome of a transaction; `unknown` when the server did not answer or cannot identify it. */
export type TransactionOutcome = 'committed' | 'aborted' | 'unknown';

/** A transaction whose connection was lost in COMMIT. */
export interface LostTransaction {
  /** Result of `pg_current_xact_id`, 64 bits as text. */
  id: string;
  processId: number;
  /** {@link SERVER_LIFE} when its connection was opened. */
  serverLife: string;
}

export interface TransactionReport {
  /** Whether the server has run without a crash or restart since the transaction got its id. */
  isSameLife: boolean;
  /** A standby may not have received the transaction yet. */
  isStandby: boolean;
  /** `future`: the server has not assigned this id yet; `forgotten`: too long ago. */
  status: 'committed' | 'aborted' | 'in progress' | 'future' | 'forgotten';
}

const ANSWER_TIMEOUT_MS = 5000;
/** Time after which the server has not noticed the lost client of an open transaction. */
const NOTICE_LOSS_MS = 2000;
/** SQLSTATE for an id that was not assigned yet. */
const INVALID_PARAMETER = '22023';

/**
 * Derives the outcome from a report; `undefined` when it is too early to tell (docs/decisions/0017-outcome-of-a-lost-commit.md).
 * After a crash the server assigns ids again that did not reach the disk: "committed" may then concern another transaction.
 * Every other report means that ours was not stored.
 */
export function outcomeFrom({ isSameLife, isStandby, status }: TransactionReport): TransactionOutcome | undefined {
  if (isStandby || status === 'in progress') return undefined;
  if (status === 'aborted') return 'aborted';
  if (status === 'committed') return isSameLife ? 'committed' : 'unknown';
  return status === 'future' && !isSameLife ? 'aborted' : 'unknown';
}

/**
 * Asks until the outcome is certain, or `timeoutMs` have passed.
 * @param ask receives the milliseconds since the connection was lost; it is repeated when it rejects
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
      log.warn(failureFields(error), 'the database did not report the outcome of a transaction');
    }
    if (elapsedMs > timeoutMs) return 'unknown';
    await pause(100 + Math.min(elapsedMs / 10, 900));
  }
}

/**
 * Asks on a new connection; after two seconds ends the server process that still holds the transaction.
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
    return { isSameLife, isStandby, status: await readStatus(client, transaction.id) };
  } finally {
    closeAbruptly(client);
  }
}

/** Ends the server process of a transaction, unless it waits for a standby: it would then count as committed without being replicated. */
async function endHolder(client: pg.Client, { id, processId }: LostTransaction): Promise<void> {
  // The transaction id ensures that it is the same process, not a new one with its id.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid = $1 AND backend_xid = $2::xid8::xid AND wait_event IS DISTINCT FROM 'SyncRep'`,
    [processId, id],
  );
}

async function readStatus(client: pg.Client, id: string): Promise<TransactionReport['status']> {
  try {
    const { rows } = await client.query<{ status: TransactionReport['status'] | null }>('SELECT pg_xact_status($1::xid8) AS status', [id]);
    return rows[0]?.status ?? 'forgotten';
  } catch (error) {
    if (errorCode(error) === INVALID_PARAMETER) return 'future';
    throw error;
  }
}
