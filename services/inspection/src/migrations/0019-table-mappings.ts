import type { Migration } from '@sinebar/database';

/** Creates the mappings of tables that are kept by name. */
export const tableMappings: Migration = {
  name: '0019-table-mappings',
  up: async (session) => {
    await session.query(`
      CREATE TABLE table_mapping (
        name text PRIMARY KEY,
        -- Text, because the order of members belongs to the identity of imports.
        mapping json NOT NULL,
        -- Empty without sign-in.
        saved_by text NOT NULL,
        saved_at timestamptz(3) NOT NULL
      )`);
  },
};
