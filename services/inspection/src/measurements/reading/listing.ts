import type { Writable } from 'node:stream';
import { readRows, sql, type Session, type Sql, type TextRow } from '@sinebar/database';
import { jsonArray, JsonBuffer } from '@sinebar/http';

/** `wide` rows have all values. */
export type RowWidth = 'narrow' | 'wide';

/** Most rows of an answer that is built in memory; a longer one is streamed on a connection of its own. */
export const MAX_WHOLE_ANSWER_ROWS = { narrow: 200, wide: 10 };
/** Rows of the first batch of a streamed answer; few, so that it starts early. */
const FIRST_ROWS = { narrow: 200, wide: 2 };
/** Rows of one batch; two are in memory at a time. */
const BATCH_ROWS = { narrow: 1000, wide: 50 };
/** Rows that are written at a time, about one chunk of the answer: it is compressed and sent while the next rows are rendered. */
const WRITTEN_ROWS = { narrow: 250, wide: 10 };

/** A list answer that is rendered from the rows of one statement. */
export interface Listing {
  width: RowWidth;
  /** @param maxRows rows that the caller reads at most */
  statement(maxRows?: number): Sql;
  /** Writes the rows as items; may run statements in the session. */
  render(session: Session, rows: readonly TextRow[], out: JsonBuffer): Promise<void>;
}

/** Builds the answer in memory. @returns `undefined` for more than {@link MAX_WHOLE_ANSWER_ROWS} */
export async function wholeAnswer(session: Session, listing: Listing): Promise<Buffer | undefined> {
  const maxRows = MAX_WHOLE_ANSWER_ROWS[listing.width] + 1;
  const rows = await session.queryTexts(sql`${listing.statement(maxRows)} LIMIT ${maxRows}::bigint`);
  if (rows.length === maxRows) return undefined;
  const out = new JsonBuffer();
  out.text('[');
  await listing.render(session, rows, out);
  out.text(']');
  return out.take();
}

/** Writes the answer while its rows are read. */
export function streamAnswer(session: Session, listing: Listing, sink: Writable, signal: AbortSignal): Promise<void> {
  return jsonArray(sink, signal, (out) => renderedBatches(session, listing, out));
}

async function* renderedBatches(session: Session, listing: Listing, out: JsonBuffer): AsyncGenerator<void> {
  const { width } = listing;
  const sizes = { firstRows: FIRST_ROWS[width], batchRows: BATCH_ROWS[width] };
  for await (const rows of readRows(session, listing.statement(), sizes)) {
    for (let first = 0; first < rows.length; first += WRITTEN_ROWS[width]) {
      await listing.render(session, rows.slice(first, first + WRITTEN_ROWS[width]), out);
      yield;
    }
  }
}
