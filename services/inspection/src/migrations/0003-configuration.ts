import type { Migration } from '@sinebar/database';

/** Creates attribute definitions, catalogs, and the progress of the removal of deleted attributes. */
export const configuration: Migration = {
  name: '0003-configuration',
  up: async (session) => {
    await session.query(`
      CREATE TABLE catalog (
        uuid uuid PRIMARY KEY,
        name text NOT NULL,
        valid_attributes int[] NOT NULL,
        position bigint GENERATED ALWAYS AS IDENTITY
      )`);
    await session.query(`
      CREATE TABLE catalog_entry (
        catalog uuid NOT NULL REFERENCES catalog ON DELETE CASCADE,
        key smallint NOT NULL CHECK (key >= 0),
        attributes jsonb NOT NULL,
        PRIMARY KEY (catalog, key)
      )`);
    await session.query(`
      CREATE TABLE attribute_definition (
        key int PRIMARY KEY CHECK (key BETWEEN 0 AND 65535),
        entity text NOT NULL CHECK (entity IN ('part', 'characteristic', 'measurement', 'value', 'catalog')),
        description text NOT NULL,
        type text NOT NULL CHECK (type IN ('AlphaNumeric', 'Integer', 'Float', 'DateTime', 'Catalog')),
        length int,
        catalog uuid REFERENCES catalog,
        CHECK ((type = 'Catalog') = (catalog IS NOT NULL)),
        CHECK ((type = 'AlphaNumeric') = (length IS NOT NULL))
      )`);
    // Progress of the background job that removes the values of these keys, which are no longer shown.
    // The tables before the number `stage` are done, and of this table the rows up to `position`, a primary key as text.
    await session.query(`
      CREATE TABLE attribute_purge (
        entity text NOT NULL,
        key int NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        stage int NOT NULL DEFAULT 0,
        position text,
        PRIMARY KEY (entity, key)
      )`);
    await session.query(
      `ALTER TABLE server_state ADD COLUMN configuration_version int NOT NULL DEFAULT 0, ADD COLUMN catalog_version int NOT NULL DEFAULT 0`,
    );

    // Terms of the index that searches for equal texts; the operator @> needs no recheck.
    // A term is the key, "=", and the first 200 characters of the lower-case value: an index entry holds at most about 2,700 bytes.
    await session.query(`
      CREATE FUNCTION attribute_terms(attributes jsonb) RETURNS text[]
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      AS $$ SELECT array_agg(key || '=' || left(lower(value), 200)) FROM jsonb_each_text(attributes) $$`);
    await session.query(
      `CREATE INDEX plan_item_attribute_terms ON plan_item USING gin (attribute_terms(attributes)) WITH (fastupdate = off)`,
    );
    await session.query(`CREATE INDEX catalog_entry_attribute_terms ON catalog_entry USING gin (attribute_terms(attributes))`);
  },
};
