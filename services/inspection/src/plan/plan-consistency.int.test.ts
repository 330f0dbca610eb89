import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient, sql } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

describeWith(['postgres'], 'the check of a plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
    const [uuid] = await plan.create('P:/a/', 'PP:/a/b/', 'PC:/a/x/', 'PCC:/a/x/y/');
    await plan.put('part', [{ uuid, path: 'P:/A/' }]).expect(200);
    await expectConsistentPlan(inspection);
  });
  afterAll(() => inspection.stop());

  /** Generated columns cannot be restored. */
  const writtenColumns = async (table: string) =>
    (
      await sql<{ name: string }>(
        inspection,
        `SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table],
      )
    )
      .map(({ name }) => name)
      .join(', ');

  it.each<[string, RegExp]>([
    [`UPDATE plan_item SET path = 'pb/' WHERE name = 'b'`, /the stored path is pb\//],
    [`UPDATE plan_item SET marked_path = 'PP:/a/b/' WHERE name = 'b'`, /the path is PP:\/a\/b\/, not PP:\/A\/b\//],
    [`UPDATE plan_item SET depth = 7 WHERE name = 'y'`, /the depth is 7, not 3/],
    [`UPDATE plan_item SET part_id = 1 WHERE name = 'y'`, /the owning part is 1/],
    [`UPDATE plan_item SET part_id = 1 WHERE name = 'b'`, /the owning part is 1/],
    [`UPDATE plan_item SET folded_name = 'B' WHERE name = 'b'`, /the folded name is B, not b/],
    [`UPDATE plan_item SET parent_id = 999 WHERE name = 'x'`, /the parent is 999, not there/],
    [`UPDATE plan_item SET parent_id = NULL WHERE name = 'b'`, /there are 2 roots/],
    [`UPDATE plan_item SET version = 99 WHERE name = 'b'`, /the version is 99/],
    [`UPDATE plan_item SET plan_version = 99 WHERE name = 'b'`, /the version is/],
    [`UPDATE plan_item SET attributes = '{"1001": 5}' WHERE name = 'b'`, /an attribute is/],
    [`UPDATE plan_item_history SET item_id = 999`, /history of the item 999/],
    [`UPDATE plan_item_history SET version = 99`, /the state 99 of its history is not older/],
    [`DELETE FROM plan_item WHERE name = 'x'`, /the parent is/],
  ])('finds %s', async (corruption, message) => {
    const tables = ['plan_item', 'plan_item_history'];
    for (const table of tables) await sql(inspection, `CREATE TABLE kept_${table} AS TABLE ${table}`);
    try {
      await sql(inspection, corruption);
      await expect(expectConsistentPlan(inspection)).rejects.toThrow(message);
    } finally {
      for (const table of tables) {
        await sql(inspection, `DELETE FROM ${table}`);
        await sql(
          inspection,
          `INSERT INTO ${table} (${await writtenColumns(table)}) SELECT ${await writtenColumns(table)} FROM kept_${table}`,
        );
        await sql(inspection, `DROP TABLE kept_${table}`);
      }
    }
    await expectConsistentPlan(inspection);
  });
});
