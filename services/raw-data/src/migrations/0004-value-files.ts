import type { Migration } from '@sinebar/database';

/** Adds an index by which files of values are found when their characteristic is deleted. */
export const valueFiles: Migration = {
  name: '0004-value-files',
  up: async (session) => {
    await session.query(
      `CREATE INDEX IF NOT EXISTS raw_data_object_value_characteristic ON raw_data_object (characteristic_uuid) WHERE entity = 'Value'`,
    );
  },
};
