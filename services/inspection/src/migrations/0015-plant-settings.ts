import type { Migration } from '@sinebar/database';

/** Creates the settings of the plant with their history; the newest row holds. */
export const plantSettings: Migration = {
  name: '0015-plant-settings',
  up: async (session) => {
    await session.query(`
      CREATE TABLE plant_settings (
        revision int PRIMARY KEY,
        changed_at timestamptz(3) NOT NULL,
        -- Empty without sign-in.
        changed_by text NOT NULL,
        reason text NOT NULL,
        state jsonb NOT NULL
      )`);
  },
};
