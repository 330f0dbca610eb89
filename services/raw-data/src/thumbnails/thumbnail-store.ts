import type { Session } from '@sinebar/database';
import { BlobRemovalStore } from '../blobs/blob-removal-store.ts';

export interface Thumbnail {
  /** Name in the blob store. */
  objectName: string;
  mimeType: string;
  sizeBytes: number;
}

interface Row {
  object_name: string;
  mime_type: string;
  size_bytes: number;
}

const COLUMNS = 'object_name, mime_type, size_bytes';
const UNUSED = 'NOT EXISTS (SELECT FROM raw_data_object WHERE raw_data_object.md5 = thumbnail.md5)';

/** Statements on thumbnails by the MD5 of their files (32 hexadecimal digits). */
export class ThumbnailStore {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  async find(md5: string): Promise<Thumbnail | undefined> {
    const text = `SELECT ${COLUMNS} FROM thumbnail WHERE md5 = decode($1, 'hex')`;
    const [row] = await this.session.query<Row>(text, [md5], { name: 'thumbnail-find' });
    return row && toThumbnail(row);
  }

  /**
   * Stores a thumbnail, unless there is one or no file has this content any more.
   * Locks the file, so that its deletion waits and then finds the thumbnail.
   * @returns whether it was stored
   */
  async add(md5: string, { objectName, mimeType, sizeBytes }: Thumbnail): Promise<boolean> {
    const rows = await this.session.query(
      `WITH file AS (SELECT FROM raw_data_object WHERE md5 = decode($1, 'hex') LIMIT 1 FOR SHARE)
       INSERT INTO thumbnail (md5, object_name, mime_type, size_bytes) SELECT decode($1, 'hex'), $2::uuid, $3, $4::integer FROM file
       ON CONFLICT (md5) DO NOTHING RETURNING object_name`,
      [md5, objectName, mimeType, sizeBytes],
    );
    return rows.length > 0;
  }

  /** Deletes the row of a thumbnail whose bytes are lost. */
  async forget(objectName: string): Promise<void> {
    await this.session.query('DELETE FROM thumbnail WHERE object_name = $1::uuid', [objectName]);
  }

  /** Deletes thumbnails without a file and orders the removal of their bytes. @param md5s contents to check; all by default */
  async removeUnused(md5s?: readonly Buffer[]): Promise<void> {
    const rows = await this.session.query<{ object_name: string }>(
      `DELETE FROM thumbnail WHERE ($1::bytea[] IS NULL OR md5 = ANY($1::bytea[])) AND ${UNUSED} RETURNING object_name`,
      [md5s ?? null],
    );
    await new BlobRemovalStore(this.session).order(rows.map(({ object_name }) => object_name));
  }
}

function toThumbnail(row: Row): Thumbnail {
  return { objectName: row.object_name, mimeType: row.mime_type, sizeBytes: row.size_bytes };
}

/** Deletes the thumbnails of contents without a file, in the transaction of the caller. */
export function removeUnusedThumbnails(session: Session, contents: readonly Buffer[]): Promise<void> {
  return new ThumbnailStore(session).removeUnused(contents);
}
