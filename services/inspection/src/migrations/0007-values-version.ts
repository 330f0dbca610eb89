import type { Migration } from '@sinebar/database';

/** How often the values of a measurement were replaced: tells files of a value that was taken away from those of one that came back (docs/decisions/0012-identity-of-targets.md). */
export const valuesVersion: Migration = {
  name: '0007-values-version',
  up: async (session) => {
    await session.query('ALTER TABLE measurement ADD COLUMN values_version int NOT NULL DEFAULT 0');
  },
};
