import type { Migration } from '@sinebar/database';

/** Creates the views of the console that users have named. */
export const savedViews: Migration = {
  name: '0018-saved-views',
  up: async (session) => {
    await session.query(`
      CREATE TABLE saved_view (
        uuid uuid PRIMARY KEY,
        -- User key of the one who saved it, and the name; both are empty without sign-in.
        owner text NOT NULL,
        saved_by text NOT NULL,
        saved_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        address text NOT NULL,
        shared boolean NOT NULL
      )`);
    await session.query('CREATE INDEX saved_view_owner ON saved_view (owner)');
  },
};
