import type pg from 'pg';
import { UNFINISHED_RESTORE_SCHEMA, UNFINISHED_RESTORE_TABLE } from '@sinebar/database';

/** Record of an unfinished restore in the database; services check for it at their start. */
export interface UnfinishedRestore {
  /** True if rows and files are complete and only the old event stream is left to remove. */
  isFilled: boolean;
  /** Epoch of the old stream, `null` when there was none. */
  streamEpoch: string | null;
}

export async function readUnfinishedRestore(client: pg.Client): Promise<UnfinishedRestore | undefined> {
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    UNFINISHED_RESTORE_TABLE,
  ]);
  if (found[0]?.exists !== true) return undefined;
  const { rows } = await client.query<UnfinishedRestore>(
    `SELECT is_filled AS "isFilled", stream_epoch AS "streamEpoch" FROM ${UNFINISHED_RESTORE_TABLE}`,
  );
  return rows[0];
}

export async function beginRestore(client: pg.Client, streamEpoch: string | null): Promise<void> {
  await client.query('BEGIN');
  await client.query(`CREATE SCHEMA ${UNFINISHED_RESTORE_SCHEMA}`);
  await client.query(`CREATE TABLE ${UNFINISHED_RESTORE_TABLE} (is_filled boolean NOT NULL, stream_epoch text)`);
  await client.query(`INSERT INTO ${UNFINISHED_RESTORE_TABLE} VALUES (false, $1)`, [streamEpoch]);
  await client.query('COMMIT');
}

/** Marks the restore as filled, in the transaction that inserts the rows. */
export async function noteFilled(client: pg.Client): Promise<void> {
  await client.query(`UPDATE ${UNFINISHED_RESTORE_TABLE} SET is_filled = true`);
}

export async function endRestore(client: pg.Client): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${UNFINISHED_RESTORE_SCHEMA} CASCADE`);
}
