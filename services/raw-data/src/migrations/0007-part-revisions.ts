import type { Migration } from '@sinebar/database';

/**
 * `revision` changes whenever the follower applies something that may change who owns the targets of a part, or where the part is.
 * It is the number of the transaction, so that no value comes back, not even after the row was removed and added again.
 */
export const partRevisions: Migration = {
  name: '0007-part-revisions',
  up: async (session) => {
    await session.query('ALTER TABLE part ADD COLUMN IF NOT EXISTS revision xid8 NOT NULL DEFAULT pg_current_xact_id()');
  },
};
