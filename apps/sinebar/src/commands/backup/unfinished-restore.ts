import type pg from 'pg';
import { unfinishedRestore } from '@sinebar/database';

/** Record of an unfinished restore in the database; services check for it at their start. */
export interface UnfinishedRestore {
  /** True if rows and files are complete and only the old event stream is left to remove. */
  isFilled: boolean;
  /** Epoch of the old stream, `null` when there was none. */
  streamEpoch: string | null;
}

export async function readUnfinishedRestore(client: pg.Client, plant: string): Promise<UnfinishedRestore | undefined> {
  const { table } = unfinishedRestore(plant);
  const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  if (found[0]?.exists !== true) return undefined;
  const { rows } = await client.query<UnfinishedRestore>(`SELECT is_filled AS "isFilled", stream_epoch AS "streamEpoch" FROM ${table}`);
  return rows[0];
}

export async function beginRestore(client: pg.Client, plant: string, streamEpoch: string | null): Promise<void> {
  const { schema, table } = unfinishedRestore(plant);
  await client.query('BEGIN');
  await client.query(`CREATE SCHEMA "${schema}"`);
  await client.query(`CREATE TABLE ${table} (is_filled boolean NOT NULL, stream_epoch text)`);
  await client.query(`INSERT INTO ${table} VALUES (false, $1)`, [streamEpoch]);
  await client.query('COMMIT');
}

/** Marks the restore as filled, in the transaction that inserts the rows. */
export async function noteFilled(client: pg.Client, plant: string): Promise<void> {
  await client.query(`UPDATE ${unfinishedRestore(plant).table} SET is_filled = true`);
}

export async function endRestore(client: pg.Client, plant: string): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS "${unfinishedRestore(plant).schema}" CASCADE`);
}
