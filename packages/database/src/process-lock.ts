import { BackgroundLoop } from '@sinebar/concurrency';
import { commandText, StartRefusal } from '@sinebar/contracts';
import type pg from 'pg';
import { SOLE_PROCESS_LOCK_KEY } from './advisory-locks.ts';
import { failureFields, type DatabaseLog } from './log.ts';
import { applySettings, LOCK_HOLDER_KEEPALIVE } from './connection/connection-settings.ts';
import { closeAbruptly } from './connection/driver-internals.ts';
import { reachServer } from './connection/server-check.ts';

export interface ProcessLockOptions {
  /** Time in milliseconds to wait for a server that does not answer yet. */
  startTimeoutMs: number;
  log: DatabaseLog;
  signal?: AbortSignal;
  /** Called when another process has taken the database after the connection was lost. */
  onLost: (error: DatabaseInUseError) => void;
}

/** Another process keeps the database for itself. */
export class DatabaseInUseError extends StartRefusal {
  override readonly name = 'DatabaseInUseError';
}

const CHECK_MS = 2_000;
/** Time for the server to end a connection that was cut: the keepalive of {@link LOCK_HOLDER_KEEPALIVE} and the silence below. */
const OWN_LOCK_MS = 30_000;
const SILENCE_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Keeps a database for this process, whose events and files no other process shares.
 * The lock belongs to a connection, and a lost one is replaced.
 * @returns a function that releases the database
 * @throws DatabaseInUseError, and as {@link reachServer}
 */
export async function keepForThisProcess(url: string, options: ProcessLockOptions): Promise<() => Promise<void>> {
  let client: pg.Client | undefined = await takeDatabase(url, options);
  let lostAt = 0;
  const loop = new BackgroundLoop({
    intervalMs: CHECK_MS,
    step: async () => {
      client ??= await takeDatabase(url, { ...options, startTimeoutMs: 0 });
      await client.query('SELECT');
      lostAt = 0;
      return 'nothing';
    },
    onFailure: (error) => {
      if (client) closeAbruptly(client);
      client = undefined;
      lostAt ||= performance.now();
      options.log.warn(failureFields(error), 'the connection that keeps the database for this process was lost');
      // The server may not have ended the lost connection, which still holds the lock.
      if (error instanceof DatabaseInUseError && performance.now() - lostAt > OWN_LOCK_MS) options.onLost(error);
    },
  });
  loop.start();
  return async () => {
    await loop.stop();
    if (client) closeAbruptly(client);
  };
}

async function takeDatabase(url: string, { startTimeoutMs, log, signal }: Omit<ProcessLockOptions, 'onLost'>): Promise<pg.Client> {
  const address = { url, applicationName: 'sinebar process', connectTimeoutMs: 5_000 };
  const client = await reachServer(address, { timeoutMs: startTimeoutMs, log, signal });
  try {
    await applySettings(client, {
      schema: 'public',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: STATEMENT_TIMEOUT_MS,
      idleInTransactionTimeoutMs: STATEMENT_TIMEOUT_MS,
      keepaliveSeconds: LOCK_HOLDER_KEEPALIVE,
    });
    await client.query(`SET idle_session_timeout = ${SILENCE_MS}`);
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${SOLE_PROCESS_LOCK_KEY}) AS taken`);
    if (rows[0]?.taken === true) return client;
    throw new DatabaseInUseError(
      `The database ${client.database ?? ''} on ${client.host} is in use by another Sinebar process. Stop that one first, give this one ` +
        `another DATABASE_URL, or run the services, which share a database: ${commandText('start --services inspection,raw-data,events')}`,
    );
  } catch (error) {
    closeAbruptly(client);
    throw error;
  }
}
