import type { ImportAnswer } from '@sinebar/contracts';
import { literal, type Session, type WriteSession } from '@sinebar/database';
import type { Configuration, ConfigurationReader } from '../../configuration/configuration.ts';
import type { PlanAnswer } from './plan/import-draft.ts';

/** A file, and the part below which it was imported. */
export interface ImportedFile {
  /** MD5 of the content and of how it is read, hexadecimal. */
  md5: string;
  /** Stored path. */
  partPath: string;
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

/** What earlier imports of the same content have stored. */
export interface EarlierImport {
  /** Answer of the import that has stored all. */
  stored: ImportAnswer | undefined;
  /** The import that has stored its plan only. */
  planned: PlannedImport | undefined;
}

/** Reads the configuration, and what earlier imports of the same content did, at the same moment. */
export async function findEarlier(
  session: Session,
  configurations: ConfigurationReader,
  file: ImportedFile,
): Promise<EarlierImport & { configuration: Configuration }> {
  const { configuration, row } = await configurations.readStateWith(
    session,
    `SELECT answer, plan FROM file_import
     WHERE place = $2 AND (md5 = $1 AND state = 'stored' OR md5 = $3 AND state = 'planned') ORDER BY state DESC LIMIT 1`,
    [file.md5, file.partPath, plannedKey(file)],
    'earlier-import',
  );
  const [answer, plan] = (row ?? []).map((text) => (text == null ? undefined : (JSON.parse(text) as unknown)));
  if (plan === undefined) return { configuration, stored: answer as ImportAnswer | undefined, planned: undefined };
  const { parts, characteristics } = plan as StoredPlan;
  const planned = { answer: answer as PlanAnswer, parts: new Map(parts), characteristics: new Map(characteristics) };
  return { configuration, stored: undefined, planned };
}

/** An {@link ImportedPlan} as JSON. */
interface StoredPlan {
  parts: [number, string][];
  characteristics: [number, string][];
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
      file.partPath,
      JSON.stringify(answer),
      JSON.stringify({ parts: [...parts], characteristics: [...characteristics] }),
      at,
    ],
  );
}

/**
 * Lists the opening statements of a transaction that stores measurements: they claim the file, and wait for another import of it.
 * Then {@link isClaimed} says whether it is stored already.
 */
export function claimStatements({ md5, partPath }: ImportedFile, at: Date): string[] {
  return [
    // The other one may take longer than locks usually do; the deadline of the request ends the wait.
    'SET LOCAL lock_timeout = 0',
    `INSERT INTO file_import (md5, place, answer, imported_at) VALUES (${[md5, partPath, '{}', at.toISOString()].map(literal).join(', ')})
     ON CONFLICT DO NOTHING RETURNING md5`,
    'SET LOCAL lock_timeout = DEFAULT',
  ];
}

/** @param session in a transaction that {@link claimStatements} opened */
export function isClaimed({ opening: [, claimed = []] }: WriteSession): boolean {
  return claimed.length > 0;
}

/** Notes what the import of a claimed file did. */
export async function noteImport(session: WriteSession, file: ImportedFile, answer: ImportAnswer): Promise<void> {
  await session.query(
    `WITH planned AS (DELETE FROM file_import WHERE md5 = $4 AND place = $2)
     UPDATE file_import SET answer = $3 WHERE md5 = $1 AND place = $2`,
    [file.md5, file.partPath, JSON.stringify(answer), plannedKey(file)],
    { name: 'note-import' },
  );
}

/** The version before takes every row of a file for one whose measurements are stored, so that a planned one has a key of its own. */
function plannedKey({ md5 }: ImportedFile): string {
  return `planned ${md5}`;
}
