import type { Migration } from '@sinebar/database';

/** Creates the notes about parts and characteristics. Ids of items and measurements are never reused. */
export const notes: Migration = {
  name: '0016-notes',
  up: async (session) => {
    await session.query(`
      CREATE TABLE note (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        uuid uuid NOT NULL UNIQUE,
        item_id int NOT NULL,
        measurement_id bigint,
        -- The time that the note is about; to_at is NULL for one that goes on.
        from_at timestamptz(3),
        to_at timestamptz(3),
        text text NOT NULL,
        -- Key of an entry of the catalog of causes, and its text when the note was written.
        cause int,
        cause_text text,
        -- Names are empty without sign-in.
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        modified_by text NOT NULL,
        modified_at timestamptz(3)
      )`);
    await session.query('CREATE INDEX note_item ON note (item_id)');
    await session.query('CREATE INDEX note_measurement ON note (measurement_id) WHERE measurement_id IS NOT NULL');
    await session.query('CREATE INDEX note_created ON note (created_at DESC, id DESC)');
  },
};
