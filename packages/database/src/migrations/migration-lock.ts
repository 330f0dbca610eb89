import { pause } from '@sinebar/concurrency';
import { ServiceError } from '@sinebar/contracts';
import type pg from 'pg';
import { MIGRATION_LOCK_KEY } from '../advisory-locks.ts';
import type { DatabaseLog } from '../log.ts';

const LOCK_POLL_MS = 250;

/**
 * Takes the migration lock, which the end of the connection releases.
 * Polls instead of waiting: a waiting statement holds a snapshot, for which CREATE INDEX CONCURRENTLY of the lock holder would wait: a
 * deadlock.
 * @throws ServiceError `Unavailable` after the time limit; the signal's reason
 */
export async function takeMigrationLock(
  client: pg.Client,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  log: DatabaseLog,
): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${MIGRATION_LOCK_KEY}) AS locked`);
    if (rows[0]?.locked === true) return;
    signal?.throwIfAborted();
    if (Date.now() > giveUpAt) throw new ServiceError('Unavailable', 'Another process has been migrating the database for too long.');
    if (attempt % 40 === 39) log.info({}, 'waiting for another process that migrates the database');
    await pause(LOCK_POLL_MS, signal);
  }
}
