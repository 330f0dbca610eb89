import Cursor from 'pg-cursor';
import type { Session, TextRow } from './database.js';
import { translateError } from './translate-error.js';

/** Leaves every value the text that PostgreSQL sends. */
export const AS_TEXT = { getTypeParser: () => (value: string) => value };

/**
 * Runs a statement through a cursor and yields its rows in batches, so that memory does not grow with the result and a slow reader slows the server.
 * Ending the iteration early closes the cursor. Only one statement at a time runs on a session: use the session for nothing else meanwhile.
 * @throws ServiceError as statements of the session do
 */
export async function* readRows(session: Session, text: string, values: readonly unknown[], batchRows: number): AsyncGenerator<TextRow[]> {
  const cursor = session.client.query(new Cursor<TextRow>(text, [...values], { rowMode: 'array', types: AS_TEXT }));
  try {
    for (;;) {
      const rows = await cursor.read(batchRows);
      if (rows.length > 0) yield rows;
      if (rows.length < batchRows) return;
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    await cursor.close();
  }
}
