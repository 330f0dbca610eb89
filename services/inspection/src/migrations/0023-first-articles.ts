import type { Migration } from '@sinebar/database';

/** Creates what is typed once for the first article inspection of a part (docs/decisions/0075-kept-reports.md). */
export const firstArticles: Migration = {
  name: '0023-first-articles',
  up: async (session) => {
    await session.query(`
      CREATE TABLE first_article (
        part_id int PRIMARY KEY,
        -- Texts by the names of the fields.
        fields jsonb NOT NULL
      )`);
  },
};
