import type { Migration } from '@sinebar/database';

/** Creates the figures of parts that are kept up to date while values are written (docs/decisions/0037-kept-figures.md). */
export const keptFigures: Migration = {
  name: '0010-kept-figures',
  up: async (session) => {
    await session.query(`
      CREATE TABLE kept_figures (
        part_id int PRIMARY KEY,
        -- Ids of the characteristics, each four bytes, little-endian.
        characteristics bytea NOT NULL,
        -- Figures of all measurements, by field and characteristic, each a float8, little-endian.
        total bytea NOT NULL,
        -- Figures of the measurements up to the place (settled_at, settled_id), which changes seldom touch; NULL without them.
        settled bytea,
        settled_at timestamptz,
        settled_id bigint
      )`);
    // Not compressed, so that the first fields are read alone. Citus does not take this command, and compresses.
    await session.query(`
      DO $$ BEGIN
        ALTER TABLE kept_figures
          ALTER COLUMN characteristics SET STORAGE EXTERNAL, ALTER COLUMN total SET STORAGE EXTERNAL, ALTER COLUMN settled SET STORAGE EXTERNAL;
      EXCEPTION WHEN feature_not_supported THEN NULL;
      END $$`);
    await session.query(`
      CREATE TABLE figure_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        part_id int NOT NULL,
        -- The oldest changed measurement of the part, or a place before it.
        measured_at timestamptz,
        measurement_id bigint NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    await session.query(`
      CREATE TABLE figure_state (
        id int PRIMARY KEY CHECK (id = 1),
        -- When all figures are computed; NULL once they are kept.
        fill_at timestamptz,
        -- When a process that tells what it changes was last running.
        seen_at timestamptz NOT NULL DEFAULT now()
      )`);
    // Processes of an earlier release may write for a while, and do not tell what they change.
    await session.query('INSERT INTO figure_state (id) VALUES (1)');
    await session.query(`UPDATE figure_state SET fill_at = now() + interval '1 hour' WHERE EXISTS (SELECT 1 FROM measurement)`);
  },
};
