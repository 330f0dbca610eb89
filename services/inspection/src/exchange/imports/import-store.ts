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

/** Remembers a file, in the transaction that stores its measurements. */
export async function insertImport(session: WriteSession, { md5, place }: ImportedFile, answer: ImportAnswer, at: Date): Promise<void> {
  await session.query('INSERT INTO file_import (md5, place, answer, imported_at) VALUES ($1, $2, $3, $4)', [
    md5,
    place,
    JSON.stringify(answer),
    at,
  ]);
}
