import type { Migration } from '@sinebar/database';

/**
 * `target_version`: version of the measurement's values that a file of a value was written for; unknown for older files and for other
 * targets.
 */
export const targetVersions: Migration = {
  name: '0006-target-versions',
  up: async (session) => {
    await session.query('ALTER TABLE raw_data_object ADD COLUMN target_version integer');
  },
};
