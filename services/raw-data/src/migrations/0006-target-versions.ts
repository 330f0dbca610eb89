import type { Migration } from '@sinebar/database';

/**
 * `target_version` is the version of the measurement's values for which a file of a value was written; NULL for older files and other
 * targets.
 */
export const targetVersions: Migration = {
  name: '0006-target-versions',
  up: async (session) => {
    await session.query('ALTER TABLE raw_data_object ADD COLUMN target_version integer');
  },
};
