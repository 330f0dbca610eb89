import type { Migration } from '@sinebar/database';

/** Which version of the values of its measurement a file of a value was written for; unknown of older files and of those of other targets. */
export const targetVersions: Migration = {
  name: '0006-target-versions',
  up: async (session) => {
    await session.query('ALTER TABLE raw_data_object ADD COLUMN target_version integer');
  },
};
