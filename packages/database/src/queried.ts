import type pg from 'pg';

/**
 * Runs a statement. The driver's own promises tie every result to the one before, so that the collector takes the rows of a long answer for old: a tenth of
 * its time and 60 MB of memory.
 */
export function queried<R extends object>(client: pg.ClientBase, statement: pg.QueryConfig): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    client.query<R>(statement, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}
