import type { Migration } from '@sinebar/database';

/**
 * `part` mirrors the parts of the inspection service; `generation` is the refill that last saw the row, 0 for events and uploads.
 * `follow_position` has one row with the position in the event stream.
 */
export const partMirror: Migration = {
  name: '0003-part-mirror',
  up: async (session) => {
    await session.query(`
      CREATE TABLE IF NOT EXISTS part (
        uuid uuid PRIMARY KEY,
        path text COLLATE "C" NOT NULL,
        generation bigint NOT NULL DEFAULT 0
      )`);
    await session.query('CREATE INDEX IF NOT EXISTS part_path ON part (path)');
    await session.query(`
      CREATE TABLE IF NOT EXISTS deleted_target (
        entity text NOT NULL,
        target_uuid uuid NOT NULL,
        characteristic_uuid uuid NOT NULL,
        at timestamptz NOT NULL,
        PRIMARY KEY (entity, target_uuid, characteristic_uuid)
      )`);
    await session.query('CREATE INDEX IF NOT EXISTS deleted_target_at ON deleted_target (at)');
    await session.query(`
      CREATE TABLE IF NOT EXISTS follow_position (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        epoch text,
        sequence bigint NOT NULL DEFAULT 0,
        generation bigint NOT NULL DEFAULT 0
      )`);
    await session.query('INSERT INTO follow_position DEFAULT VALUES ON CONFLICT DO NOTHING');
  },
};
