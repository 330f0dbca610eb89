import { errorCode } from '@sinebar/concurrency';
import pg from 'pg';
import type { StopSteps } from '../processes.ts';
import { messageOf } from './refusal.ts';

/** Environment of PostgreSQL: no secrets of Sinebar, and no `PG…` variable that would redirect it. */
export const CHILD_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/** Fast shutdown, which ends sessions, then immediate shutdown. @param graceMs time for the fast shutdown */
export function postgresStopSteps(graceMs = 20_000): StopSteps {
  return [
    ['SIGINT', graceMs],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ];
}

/**
 * Probes the server.
 * `refused`: nothing listens; `starting`: it accepts no sessions yet (crash recovery), or is shutting down.
 * @throws when it answers with anything else, such as a wrong password
 */
export async function probeServer(url: string, statement = 'SELECT 1'): Promise<'ready' | 'starting' | 'refused'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
    return 'ready';
  } catch (error) {
    if (errorCode(error) === 'ECONNREFUSED') return 'refused';
    if (errorCode(error) === '57P03' || errorCode(error) === 'ECONNRESET' || /terminated|timeout/.test(messageOf(error))) return 'starting';
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
