import type { ImportAnswer } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';
import type { PlanAnswer } from './plan/import-draft.ts';

/** A file, and the part below which it was imported. */
export interface ImportedFile {
  /** MD5 of the content and of how it is read, hexadecimal. */
  md5: string;
  /** Stored path. */
  place: string;
}

/** Uuids of parts and characteristics by their index in the file. */
export interface ImportedPlan {
  parts: ReadonlyMap<number, string>;
  characteristics: ReadonlyMap<number, string>;
}

/** An import whose plan is stored and whose measurements are not. */
export interface PlannedImport extends ImportedPlan {
  answer: PlanAnswer;
}

/** Time after which an import that nobody continued is forgotten; its plan stays. */
const PLANNED_RETENTION = `interval '30 days'`;

/** Finds what the import of the same content did. */
export async function findImport(session: Session, { md5, place }: ImportedFile): Promise<ImportAnswer | undefined> {
  const [row] = await session.query<{ answer: ImportAnswer }>(
    `SELECT answer FROM file_import WHERE md5 = $1 AND place = $2 AND state = 'stored'`,
    [md5, place],
  );
  return row?.answer;
}

/** Finds the import of the same content that has stored its plan only. */
export async function findPlanned(session: Session, file: ImportedFile): Promise<PlannedImport | undefined> {
  const [row] = await session.query<{ answer: PlanAnswer; plan: { parts: [number, string][]; characteristics: [number, string][] } }>(
    `SELECT answer, plan FROM file_import WHERE md5 = $1 AND place = $2 AND state = 'planned'`,
    [plannedKey(file), file.place],
  );
  return row && { answer: row.answer, parts: new Map(row.plan.parts), characteristics: new Map(row.plan.characteristics) };
}

/** Notes what an import did to the plan, in the transaction that did it. */
export async function notePlanned(
  session: WriteSession,
  file: ImportedFile,
  { answer, parts, characteristics }: PlannedImport,
  at: Date,
): Promise<void> {
  await session.query(`DELETE FROM file_import WHERE state = 'planned' AND imported_at < $1::timestamptz - ${PLANNED_RETENTION}`, [at]);
  await session.query(
    `INSERT INTO file_import (md5, place, answer, plan, state, imported_at) VALUES ($1, $2, $3, $4, 'planned', $5)
     ON CONFLICT (md5, place) DO UPDATE SET answer = EXCLUDED.answer, plan = EXCLUDED.plan, imported_at = EXCLUDED.imported_at`,
    [
      plannedKey(file),
      file.place,
      JSON.stringify(answer),
      JSON.stringify({ parts: [...parts], characteristics: [...characteristics] }),
      at,
    ],
  );
}

/**
 * Claims a file for the transaction that stores its measurements, and waits for another one that stores the same file.
 * @returns false when the file is stored already
 */
export async function claimImport(session: WriteSession, file: ImportedFile, at: Date): Promise<boolean> {
  // The other one may take longer than locks usually do; the deadline of the request ends the wait.
  await session.query(`SET LOCAL lock_timeout = 0`);
  const rows = await session.query(
    `INSERT INTO file_import (md5, place, answer, imported_at) VALUES ($1, $2, '{}', $3) ON CONFLICT DO NOTHING RETURNING md5`,
    [file.md5, file.place, at],
  );
  await session.query(`SET LOCAL lock_timeout = DEFAULT`);
  return rows.length > 0;
}

/** Notes what the import of a claimed file did. */
export async function noteImport(session: WriteSession, file: ImportedFile, answer: ImportAnswer): Promise<void> {
  await session.query('UPDATE file_import SET answer = $3 WHERE md5 = $1 AND place = $2', [file.md5, file.place, JSON.stringify(answer)]);
  await session.query('DELETE FROM file_import WHERE md5 = $1 AND place = $2', [plannedKey(file), file.place]);
}

/** The version before takes every row of a file for one whose measurements are stored, so that a planned one has a key of its own. */
function plannedKey({ md5 }: ImportedFile): string {
  return `planned ${md5}`;
}
