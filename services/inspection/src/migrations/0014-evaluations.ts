import type { Migration } from '@sinebar/database';

/** Creates the evaluations of parts and characteristics. Ids of items and measurements are never reused. */
export const evaluations: Migration = {
  name: '0014-evaluations',
  up: async (session) => {
    await session.query(`
      CREATE TABLE evaluation (
        item_id int PRIMARY KEY,
        revision int NOT NULL,
        -- The own members without the exclusions.
        state jsonb NOT NULL
      )`);
    await session.query(`
      CREATE TABLE evaluation_history (
        item_id int NOT NULL,
        revision int NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        -- Empty without sign-in.
        changed_by text NOT NULL,
        reason text NOT NULL,
        -- The own members with the exclusions; NULL after a deletion.
        state jsonb,
        PRIMARY KEY (item_id, revision)
      )`);
    await session.query(`
      CREATE TABLE evaluation_exclusion (
        item_id int NOT NULL,
        measurement_id bigint NOT NULL,
        reason text NOT NULL,
        excluded_by text NOT NULL,
        excluded_at timestamptz(3) NOT NULL,
        PRIMARY KEY (item_id, measurement_id)
      )`);
  },
};
