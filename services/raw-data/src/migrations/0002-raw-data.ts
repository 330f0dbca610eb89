import type { Migration } from '@sinebar/database';

/**
 * `characteristic_uuid` is the second half of a value's identifier, and the nil uuid for other targets.
 * A nullable column would need `IS NOT DISTINCT FROM`, which uses no index.
 */
export const rawDataTables: Migration = {
  name: '0002-raw-data',
  up: async (session) => {
    await session.query(`
      CREATE TABLE IF NOT EXISTS raw_data_object (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        entity text NOT NULL CHECK (entity IN ('Part', 'Characteristic', 'Measurement', 'Value')),
        target_uuid uuid NOT NULL,
        characteristic_uuid uuid NOT NULL,
        part_uuid uuid NOT NULL,
        key integer NOT NULL CHECK (key >= 0),
        file_name text NOT NULL,
        mime_type text NOT NULL,
        size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
        md5 bytea NOT NULL CHECK (length(md5) = 16),
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        object_name uuid NOT NULL UNIQUE,
        UNIQUE (entity, target_uuid, characteristic_uuid, key)
      )`);
    await session.query('CREATE INDEX IF NOT EXISTS raw_data_object_part_uuid ON raw_data_object (part_uuid)');
    await session.query(`
      CREATE TABLE IF NOT EXISTS blob_removal (
        object_name uuid PRIMARY KEY,
        due timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0
      )`);
    await session.query('CREATE INDEX IF NOT EXISTS blob_removal_due ON blob_removal (due)');
    await session.query(`
      CREATE TABLE IF NOT EXISTS sweep_run (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        at timestamptz NOT NULL DEFAULT '-infinity'
      )`);
    await session.query('INSERT INTO sweep_run DEFAULT VALUES ON CONFLICT DO NOTHING');
  },
};
