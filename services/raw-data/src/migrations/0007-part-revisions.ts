import type { Migration } from '@sinebar/database';

/**
 * `revision` changes whenever the follower applies a change that may affect the place of a part or the owners of its targets.
 * It is the number of the transaction, so values never repeat, even after the row was removed and added again.
 */
export const partRevisions: Migration = {
  name: '0007-part-revisions',
  up: async (session) => {
    await session.query('ALTER TABLE part ADD COLUMN IF NOT EXISTS revision xid8 NOT NULL DEFAULT pg_current_xact_id()');
  },
};
