import type { Migration } from '@sinebar/database';

/** Creates the models and assessments of characteristics that are kept up to date (docs/decisions/0063-kept-models.md). */
export const keptAssessments: Migration = {
  name: '0017-kept-assessments',
  up: async (session) => {
    await session.query(`
      CREATE TABLE kept_assessment (
        part_id int PRIMARY KEY,
        -- Ids of the characteristics, ascending, each four bytes, little-endian.
        characteristics bytea NOT NULL,
        -- Assessments by field and characteristic, each a float8, little-endian.
        fields bytea NOT NULL
      )`);
    // Not compressed, so that the first fields are read alone. Citus does not take this command, and compresses.
    await session.query(`
      DO $$ BEGIN
        ALTER TABLE kept_assessment ALTER COLUMN characteristics SET STORAGE EXTERNAL, ALTER COLUMN fields SET STORAGE EXTERNAL;
      EXCEPTION WHEN feature_not_supported THEN NULL;
      END $$`);
    await session.query(`
      CREATE TABLE kept_model (
        characteristic_id int PRIMARY KEY,
        -- Text, because jsonb changes numbers such as -0.
        state json NOT NULL
      )`);
    await session.query(`
      CREATE TABLE assessment_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        part_id int NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await session.query(`
      CREATE TABLE assessment_lease (
        id int PRIMARY KEY CHECK (id = 1),
        -- The process that assesses, and until when it has the right to.
        holder uuid NOT NULL,
        held_until timestamptz NOT NULL,
        -- The required index of the server with which everything was assessed.
        required float8
      )`);
    await session.query(`
      CREATE TABLE status_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        characteristic_id int NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        measurement_id bigint,
        -- now or process, and the statuses before and afterwards.
        kind text NOT NULL,
        before text NOT NULL,
        after text NOT NULL
      )`);
    await session.query('CREATE INDEX status_change_at ON status_change (changed_at, id)');
    await session.query('CREATE INDEX status_change_characteristic ON status_change (characteristic_id, changed_at)');
    await session.query('INSERT INTO assessment_change (part_id) SELECT part_id FROM kept_figures');
  },
};
