import type { Migration } from '@sinebar/database';

/** Creates the table of imported files, so that the same content is not stored twice. */
export const imports: Migration = {
  name: '0009-imports',
  up: async (session) => {
    await session.query(`
      CREATE TABLE file_import (
        md5 text NOT NULL,
        place text NOT NULL,
        answer jsonb NOT NULL,
        imported_at timestamptz(3) NOT NULL,
        PRIMARY KEY (md5, place)
      )`);
  },
};
