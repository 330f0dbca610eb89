import type { Migration } from '@sinebar/database';

/** Creates background operations and the columns for removing measured values. */
export const pendingOperations: Migration = {
  name: '0006-pending-operations',
  up: async (session) => {
    await session.query(`
      CREATE TABLE pending_operation (
        uuid uuid PRIMARY KEY,
        -- Selection and rights of the one who asked, see AsyncDeletion.
        request jsonb NOT NULL,
        request_id text NOT NULL,
        requested_at timestamptz(3) NOT NULL,
        -- What was written later is not meant.
        last_measurement_id bigint NOT NULL,
        -- Measurements that the selection names, NULL until they are written into pending_operation_item.
        total bigint,
        done bigint NOT NULL DEFAULT 0,
        failures int NOT NULL DEFAULT 0,
        finished_at timestamptz(3),
        failure jsonb
      )`);
    await session.query('CREATE INDEX pending_operation_open ON pending_operation (requested_at, uuid) WHERE finished_at IS NULL');
    // Measurements that remain to be deleted, because the selection is evaluated only once.
    await session.query(`
      CREATE TABLE pending_operation_item (
        operation uuid NOT NULL REFERENCES pending_operation ON DELETE CASCADE,
        measurement_id bigint NOT NULL,
        PRIMARY KEY (operation, measurement_id)
      )`);

    // Marks a set with a deleted characteristic until the compaction has rewritten its measurements.
    await session.query('ALTER TABLE characteristic_set ADD COLUMN stale boolean NOT NULL DEFAULT false');
    await session.query('CREATE INDEX characteristic_set_stale ON characteristic_set (id) WHERE stale');
    // Equal keys share one index entry, about 7 bytes for each measurement.
    await session.query('CREATE INDEX measurement_set ON measurement (characteristic_set_id)');
    await session.query('CREATE INDEX measurement_with_extras ON measurement (id) WHERE extras IS NOT NULL');
  },
};
