import { SOON_FRACTION } from './connection-settings.js';
import type { Session, TextRow } from '../database.js';
import type { Statement } from '../sql.js';

/** Leaves every value the text that PostgreSQL sends. */
export const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** Rows that are fetched at a time: two batches are in memory. */
export interface BatchSizes {
  batchRows: number;
  /** Rows of the first batch; a small number makes PostgreSQL plan the query for the first rows instead of all. */
  firstRows?: number;
}

/**
 * Runs a query in a transaction and yields its rows in batches, as the texts that PostgreSQL sends, so that memory does not grow with the result and a slow
 * reader slows the server. The time limit for statements holds for each batch, not for the whole. The next batch is fetched while the caller works on one; the
 * session can be used meanwhile, but for no other such stream. Ending the iteration early closes it.
 * @throws ServiceError as statements of the session do
 */
export function readRows(session: Session, statement: Statement, sizes: BatchSizes): AsyncGenerator<TextRow[]> {
  return fetched(session, statement, sizes, (fetch) => session.queryTexts(fetch));
}

/** As {@link readRows}, with rows as `Session.query` gives them. */
export function readObjects<R extends object>(session: Session, statement: Statement, sizes: BatchSizes): AsyncGenerator<R[]> {
  return fetched(session, statement, sizes, (fetch) => session.query<R>(fetch));
}

/** A cursor of SQL: the driver's keeps the connection to itself, and the server's time limit runs over all of its batches. */
async function* fetched<R>(
  session: Session,
  { text, values }: Statement,
  { batchRows, firstRows }: BatchSizes,
  run: (fetch: string) => Promise<R[]>,
): AsyncGenerator<R[]> {
  // Only where it has to be: a round trip is a tenth of the time to the first rows.
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
