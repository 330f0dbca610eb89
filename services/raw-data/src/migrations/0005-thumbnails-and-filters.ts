import type { Migration, Session } from '@sinebar/database';

/**
 * `thumbnail` has one row per content. `blob_removal.md5` is the MD5 of removed bytes: the last file with a content removes its thumbnail
 * too.
 * `target_identity` distinguishes targets that were created one after another under one uuid; it is NULL for older files.
 * The indexes serve the filters of listings (docs/decisions/0011-filters-by-index.md) and are built while uploads continue.
 */
export const thumbnailsAndFilters: Migration = {
  name: '0005-thumbnails-and-filters',
  transaction: false,
  up: async (session) => {
    await session.query(`
      CREATE TABLE IF NOT EXISTS thumbnail (
        md5 bytea PRIMARY KEY CHECK (length(md5) = 16),
        object_name uuid NOT NULL UNIQUE,
        mime_type text NOT NULL,
        size_bytes integer NOT NULL CHECK (size_bytes > 0)
      )`);
    await session.query('ALTER TABLE raw_data_object ADD COLUMN IF NOT EXISTS target_identity text');
    await session.query('ALTER TABLE blob_removal ADD COLUMN IF NOT EXISTS md5 bytea');
    // The extension is trusted: the right to create the schema is enough. It may already exist in any schema; Citus then takes the command
    // from its owner only.
    if ((await schemaOfTrigrams(session)) === undefined) await session.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    const trigrams = `${await schemaOfTrigrams(session)}.gin_trgm_ops`;
    await createIndex(session, 'md5', '(md5)');
    await createIndex(session, 'size_bytes', '(size_bytes)');
    await createIndex(session, 'created', '(created)');
    await createIndex(session, 'last_modified', '(last_modified)');
    await createIndex(session, 'mime_type', '((lower(mime_type) COLLATE "C"))');
    // A B-tree entry holds about 2,700 bytes; names may be longer.
    await createIndex(session, 'file_name', '((left(lower(file_name), 100) COLLATE "C"))');
    const terms = ['file_name', 'mime_type'].map((column) => `(lower(${column}) COLLATE "C") ${trigrams}`);
    await createIndex(session, 'trigrams', `USING gin (${terms.join(', ')})`);
  },
};

async function schemaOfTrigrams(session: Session): Promise<string | undefined> {
  const [row] = await session.query<{ schema: string }>(
    `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
     WHERE extname = 'pg_trgm'`,
  );
  return row?.schema;
}

/** Drops the index of an interrupted build first, which is maintained but never used. */
async function createIndex(session: Session, name: string, definition: string): Promise<void> {
  const index = `raw_data_object_${name}`;
  const broken = await session.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [index]);
  if (broken.length > 0) await session.query(`DROP INDEX ${index}`);
  await session.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index} ON raw_data_object ${definition}`);
}
