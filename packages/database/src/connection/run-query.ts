import type pg from 'pg';

/**
 * Runs a statement by callback: with the driver's promises, rows of a long answer survive collections of young objects
 * (docs/decisions/0023-reading-measured-values.md).
 */
export function runQuery<R extends object>(client: pg.ClientBase, statement: pg.QueryConfig): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    client.query<R>(statement, (error: Error | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });
}
