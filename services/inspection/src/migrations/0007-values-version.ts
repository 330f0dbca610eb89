import type { Migration } from '@sinebar/database';

/**
 * Counts how often the values of a measurement were replaced.
 * Files of a removed value thereby differ from files of a value that was added again (docs/decisions/0012-identity-of-targets.md).
 */
export const valuesVersion: Migration = {
  name: '0007-values-version',
  up: async (session) => {
    await session.query('ALTER TABLE measurement ADD COLUMN values_version int NOT NULL DEFAULT 0');
  },
};
