import { settlesWithin } from '@sinebar/concurrency';
import pg from 'pg';
import { readInTurns } from '../connection/driver-internals.ts';
import { failureFields, type DatabaseLog } from '../log.ts';

export interface OpenedPool {
  pool: pg.Pool;
  /** Closes all connections. Resolves when the server has closed them too, or does not answer. */
  end: () => Promise<void>;
}

/** Longest wait for a server that closes connections, milliseconds. */
const CLOSE_MS = 2_000;

/**
 * Opens a pool of pg, whose own `end` does not wait: the connections break where the server stops right after it.
 * @param fields fields of what is logged about it
 */
export function openPool(config: pg.PoolConfig, fields: Readonly<Record<string, string>>, log: DatabaseLog): OpenedPool {
  const pool = new pg.Pool(config);
  const open = new Set<Promise<unknown>>();
  pool.on('connect', (client) => {
    // The pool listens to idle connections only; an error event of one in use would end the process.
    client.on('error', () => undefined);
    readInTurns(client);
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    open.add(closed);
    void closed.then(() => open.delete(closed));
  });
  pool.on('error', (error) => log.warn({ ...fields, ...failureFields(error) }, 'an idle database connection was lost'));
  return {
    pool,
    end: async () => {
      await pool.end();
      await settlesWithin(Promise.all(open), CLOSE_MS);
    },
  };
}
