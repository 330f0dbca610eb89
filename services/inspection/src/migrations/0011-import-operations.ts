import type { Migration } from '@sinebar/database';

/** Creates the table of imports in the background. */
export const importOperations: Migration = {
  name: '0011-import-operations',
  up: async (session) => {
    await session.query(`
      CREATE TABLE import_operation (
        uuid uuid PRIMARY KEY,
        -- User key of the one who asked.
        requested_by text NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        -- The file is on the disk of one process, which writes the time here as long as it runs.
        alive_at timestamptz(3) NOT NULL,
        -- Bytes: the file is read once for its plan and errors, and once for its measurements.
        done bigint NOT NULL DEFAULT 0,
        total bigint NOT NULL,
        finished_at timestamptz(3),
        failure jsonb,
        answer jsonb
      )`);
  },
};
