import type { ImportAnswer } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';

/** A file, and the part below which it was imported. */
export interface ImportedFile {
  /** MD5 of the content, hexadecimal. */
  md5: string;
  /** Stored path. */
  place: string;
}

/** Finds what the import of the same content did. */
export async function findImport(session: Session, { md5, place }: ImportedFile): Promise<ImportAnswer | undefined> {
  const [row] = await session.query<{ answer: ImportAnswer }>('SELECT answer FROM file_import WHERE md5 = $1 AND place = $2', [md5, place]);
  return row?.answer;
}

/**
 * Claims a file for the transaction that stores its measurements, and waits for another one that stores the same file.
 * @returns false when the file is stored already
 */
export async function claimImport(session: WriteSession, { md5, place }: ImportedFile, at: Date): Promise<boolean> {
  const rows = await session.query(
    `INSERT INTO file_import (md5, place, answer, imported_at) VALUES ($1, $2, '{}', $3) ON CONFLICT DO NOTHING RETURNING md5`,
    [md5, place, at],
  );
  return rows.length > 0;
}

/** Notes what the import of a claimed file did. */
export async function noteImport(session: WriteSession, { md5, place }: ImportedFile, answer: ImportAnswer): Promise<void> {
  await session.query('UPDATE file_import SET answer = $3 WHERE md5 = $1 AND place = $2', [md5, place, JSON.stringify(answer)]);
}
