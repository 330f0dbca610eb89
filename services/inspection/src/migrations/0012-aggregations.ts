import type { Migration } from '@sinebar/database';

/** Creates an index of the few aggregations: measurements are counted by indexes, without their rows. */
export const aggregations: Migration = {
  name: '0012-aggregations',
  transaction: false,
  up: async (session) => {
    // The index of an interrupted build is maintained but never used.
    const broken = await session.query(`SELECT FROM pg_index WHERE indexrelid = to_regclass('measurement_aggregation') AND NOT indisvalid`);
    if (broken.length > 0) await session.query('DROP INDEX measurement_aggregation');
    await session.query('CREATE INDEX CONCURRENTLY IF NOT EXISTS measurement_aggregation ON measurement (part_id) WHERE aggregation');
  },
};
