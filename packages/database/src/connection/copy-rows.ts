import { finished } from 'node:stream/promises';
import { TurnLimit } from '@sinebar/concurrency';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Session } from '../database.ts';
import type { Sql } from '../sql.ts';
import { translateError } from './translate-error.ts';

/** Time that all readers of rows together take from one turn of the event loop: others wait for it in each of their steps. */
const READING_MS = 2;
const reading = new TurnLimit(READING_MS);

/**
 * Runs a query in a transaction and yields its rows in PostgreSQL's binary format, as `COPY … TO STDOUT (FORMAT binary)` sends them.
 * A chunk ends anywhere, also within a row. Reads many times as fast as rows of the driver; a slow reader slows the server.
 * The session runs no other statement meanwhile. Ending the iteration early reads the rest and drops it.
 * @throws ServiceError as statements of the session do
 */
export async function* copyRows(session: Session, statement: Sql): AsyncGenerator<Buffer> {
  const stream = session.client.query(copyTo(`COPY (${withLiterals(statement)}) TO STDOUT (FORMAT binary)`));
  // The driver serves the connection again only after the last row.
  const ended = finished(stream, { cleanup: true });
  ended.catch(() => undefined);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      await reading.wait();
      yield chunk as Buffer;
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    if (!stream.readableEnded && !stream.errored) {
      stream.resume();
      await ended.catch(() => undefined);
    }
  }
}

/** COPY takes no parameters, so the values stand in the text as literals of the driver. */
function withLiterals({ strings, bindings }: Sql): string {
  return strings.reduce((text, next, i) => text + literalOf(bindings[i - 1]) + next);
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'number' || typeof value === 'boolean') return pg.escapeLiteral(String(value));
  if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `ARRAY[${value.map(literalOf).join(', ')}]`;
  throw new TypeError(`a value of type ${typeof value} has no literal`);
}
