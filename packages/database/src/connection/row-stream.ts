import { SOON_FRACTION } from './connection-settings.ts';
import type { Session, TextRow } from '../database.ts';
import type { Statement } from '../sql.ts';

/** Keeps every value as the text of PostgreSQL. */
export const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** Rows that are fetched at a time; two batches are in memory. */
export interface BatchSizes {
  batchRows: number;
  /** Rows of the first batch; a small number makes PostgreSQL plan the query for the first rows instead of all. */
  firstRows?: number;
}

/**
 * Runs a query in a transaction and yields its rows in batches, as texts. Memory does not grow with the result, and a slow reader slows the
 * server.
 * The time limit for statements applies to each batch. The next batch is fetched while the caller works on one.
 * The session can be used meanwhile, but for no second stream. Ending the iteration early closes it.
 * @throws ServiceError as statements of the session do
 */
export function readRows(session: Session, statement: Statement, sizes: BatchSizes): AsyncGenerator<TextRow[]> {
  return fetched(session, statement, sizes, (fetch) => session.queryTexts(fetch));
}

/** As {@link readRows}, with rows as `Session.query` gives them. */
export function readObjects<R extends object>(session: Session, statement: Statement, sizes: BatchSizes): AsyncGenerator<R[]> {
  return fetched(session, statement, sizes, (fetch) => session.query<R>(fetch));
}

/** Uses a cursor of SQL: the driver's blocks the connection, and the server's time limit runs over all of its batches. */
async function* fetched<R>(
  session: Session,
  { text, values }: Statement,
  { batchRows, firstRows }: BatchSizes,
  run: (fetch: string) => Promise<R[]>,
): AsyncGenerator<R[]> {
  // Set only when needed: the round trip delays the first rows.
  if (firstRows === undefined) await session.query('SET LOCAL cursor_tuple_fraction = 1');
  await session.query(`DECLARE row_stream NO SCROLL CURSOR FOR ${text}`, values);
  if (firstRows === undefined) await session.query(`SET LOCAL cursor_tuple_fraction = ${SOON_FRACTION}`);
  const fetch = (count: number) => {
    const rows = run(`FETCH ${count} FROM row_stream`);
    // A reader that stopped does not use this batch.
    rows.catch(() => undefined);
    return rows;
  };
  try {
    let count = firstRows ?? batchRows;
    let next = fetch(count);
    for (;;) {
      const rows = await next;
      const isLast = rows.length < count;
      count = batchRows;
      if (!isLast) next = fetch(count);
      if (rows.length > 0) yield rows;
      if (isLast) return;
    }
  } finally {
    // After a failure the transaction is lost, and the cursor with it.
    await session.query('CLOSE row_stream').catch(() => undefined);
  }
}
