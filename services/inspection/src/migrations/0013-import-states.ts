import type { Migration } from '@sinebar/database';

/** Adds the state of an import whose plan is stored and whose measurements are not. */
export const importStates: Migration = {
  name: '0013-import-states',
  up: async (session) => {
    await session.query(`
      ALTER TABLE file_import
        -- 'planned' or 'stored'; rows of the version before are stored.
        ADD COLUMN state text NOT NULL DEFAULT 'stored',
        -- Uuids of parts and characteristics by their index in the file, while it is planned.
        ADD COLUMN plan jsonb`);
  },
};
