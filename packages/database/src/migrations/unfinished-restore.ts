import { commandText, schemaOfPlant } from '@sinebar/contracts';
import type { Database } from '../database.ts';
import { UnsuitableDatabaseError } from '../connection/server-check.ts';

const STATEMENT_TIMEOUT_MS = 10_000;

/** Table of the record that a backup is being restored into a plant. The table exists meanwhile, and after a restore that was killed. */
export function unfinishedRestore(plant: string): { schema: string; table: string } {
  const schema = schemaOfPlant('sinebar_restore', plant);
  return { schema, table: `"${schema}".unfinished` };
}

/** @throws UnsuitableDatabaseError when the plant holds a partial restore, or a state that does not match its event stream */
export async function refuseUnfinishedRestore(database: Database, plant: string): Promise<void> {
  const options = { signal: new AbortController().signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const [row] = await database.read(options, (session) =>
    session.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [unfinishedRestore(plant).table]),
  );
  if (row?.exists !== true) return;
  throw new UnsuitableDatabaseError(
    'A backup is being restored into this database, or a restore of it was interrupted. ' +
      `Run ${commandText('restore')} again to its end; of a data folder, empty the folder first.`,
  );
}
