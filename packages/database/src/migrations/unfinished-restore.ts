import type { Database } from '../database.js';
import { UnsuitableDatabaseError } from '../pool/server-check.js';

export const UNFINISHED_RESTORE_SCHEMA = 'sinebar_restore';
/** Exists while a backup is restored; also after a restore that was killed. */
export const UNFINISHED_RESTORE_TABLE = `${UNFINISHED_RESTORE_SCHEMA}.unfinished`;

const STATEMENT_TIMEOUT_MS = 10_000;

/** @throws UnsuitableDatabaseError when the database holds a partial restore, or a state that does not match its event stream */
export async function refuseUnfinishedRestore(database: Database): Promise<void> {
  const options = { signal: new AbortController().signal, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const [row] = await database.read(options, (session) =>
    session.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [UNFINISHED_RESTORE_TABLE]),
  );
  if (row?.exists !== true) return;
  throw new UnsuitableDatabaseError(
    'A backup is being restored into this database, or a restore of it was interrupted. Run npm run restore again to its end; of a data folder, empty the folder first.',
  );
}
