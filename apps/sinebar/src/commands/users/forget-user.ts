import { schemaOfPlant } from '@sinebar/contracts';
import { INSPECTION_SCHEMA } from '@sinebar/inspection';
import type pg from 'pg';

/** Columns of the inspection service that hold the name of a user, by table; without a name they are empty. */
export const USER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  evaluation_history: ['changed_by'],
  evaluation_exclusion: ['excluded_by'],
  plant_settings: ['changed_by'],
  note: ['created_by', 'modified_by'],
  saved_view: ['saved_by'],
  table_mapping: ['saved_by'],
  alarm: ['acknowledged_by', 'closed_by'],
  alarm_step: ['made_by'],
  alarm_mute: ['created_by'],
  report: ['made_by'],
};

/** Tables with comments, which may begin with the name of a user: `[user]: reason`. */
export const COMMENT_TABLES = ['plan_item', 'plan_item_history', 'measurement'] as const;

/** Leaves the reason; `$1` is what stands before it. */
const commentsOf = (table: string) => `UPDATE ${table} SET comment = nullif(regexp_replace(comment, $1, ''), '') WHERE comment ~ $1`;

/** Makes answers of the plan that clients have kept outdated; like a change of the plan it locks this row before those of items. */
const NEW_REVISION = 'UPDATE server_state SET revision = revision + 1, inspection_plan_at = now()';

/** Own views are seen by nobody else. */
const OWN_VIEWS = 'DELETE FROM saved_view WHERE saved_by = $1 AND NOT shared';
const OWNERS = `UPDATE saved_view SET owner = '' WHERE saved_by = $1`;

/** Kept reports have the name of who had them made in their pages. */
const REPORT_CONTENT = 'DELETE FROM report_content WHERE report_uuid IN (SELECT uuid FROM report WHERE made_by = $1)';
const REPORTS = 'DELETE FROM report WHERE made_by = $1';

/** Subscriptions of a user, whom nobody can tell any more, with their messages. */
const SUBSCRIPTIONS = [
  ...['alarm_delivery', 'alarm_due'].map(
    (table) => `DELETE FROM ${table} WHERE subscription_id IN (SELECT id FROM alarm_subscription WHERE owner IN
      (SELECT user_key FROM alarm_owner WHERE name = $1))`,
  ),
  `DELETE FROM alarm_subscription_secret WHERE subscription_uuid IN (SELECT uuid FROM alarm_subscription WHERE owner IN
    (SELECT user_key FROM alarm_owner WHERE name = $1))`,
  'DELETE FROM alarm_subscription WHERE owner IN (SELECT user_key FROM alarm_owner WHERE name = $1)',
];
/** Schedules of a user, with what they made. */
const SCHEDULES = [
  `DELETE FROM report_sending WHERE run_uuid IN (SELECT uuid FROM report_run WHERE schedule_uuid IN (SELECT uuid FROM report_schedule
    WHERE owner IN (SELECT user_key FROM alarm_owner WHERE name = $1)))`,
  ...['report_run', 'report_schedule_secret'].map(
    (table) => `DELETE FROM ${table} WHERE schedule_uuid IN (SELECT uuid FROM report_schedule WHERE owner IN
      (SELECT user_key FROM alarm_owner WHERE name = $1))`,
  ),
  'DELETE FROM report_schedule WHERE owner IN (SELECT user_key FROM alarm_owner WHERE name = $1)',
];
const SUBSCRIBERS = 'alarm_owner';
const SUBSCRIBER = `DELETE FROM ${SUBSCRIBERS} WHERE name = $1`;

/** Removes the name from the exclusions that a history holds. */
const EXCLUSIONS_IN_HISTORY = `
  UPDATE evaluation_history SET state = jsonb_set(state, '{exclusions}', (
    SELECT jsonb_agg(CASE WHEN exclusion ->> 'user' = $1 THEN exclusion - 'user' ELSE exclusion END ORDER BY position)
    FROM jsonb_array_elements(state -> 'exclusions') WITH ORDINALITY AS listed (exclusion, position)))
  WHERE state -> 'exclusions' @> jsonb_build_array(jsonb_build_object('user', $1::text))`;

/**
 * Removes the name of a user from all histories and comments of a plant, in one transaction.
 * @param dryRun only counts
 * @returns the count of entries with the name, by table
 */
export async function forgetUser(
  client: pg.ClientBase,
  plant: string,
  user: string,
  dryRun: boolean,
): Promise<{ table: string; count: number }[]> {
  const schema = schemaOfPlant(INSPECTION_SCHEMA, plant);
  const counts: { table: string; count: number }[] = [];
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL search_path = "${schema}"`);
    const exists = async (table: string) =>
      (await client.query('SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [schema, table])).rowCount !== 0;
    for (const [table, columns] of Object.entries(USER_COLUMNS)) {
      // The plant is of an earlier release.
      if (!(await exists(table))) continue;
      let count = 0;
      if (table === 'saved_view') {
        count += (await client.query(OWN_VIEWS, [user])).rowCount ?? 0;
        await client.query(OWNERS, [user]);
      }
      if (table === 'report') {
        await client.query(REPORT_CONTENT, [user]);
        count += (await client.query(REPORTS, [user])).rowCount ?? 0;
      }
      for (const column of columns)
        count += (await client.query(`UPDATE ${table} SET ${column} = '' WHERE ${column} = $1`, [user])).rowCount ?? 0;
      if (table === 'evaluation_history') count += (await client.query(EXCLUSIONS_IN_HISTORY, [user])).rowCount ?? 0;
      counts.push({ table, count });
    }
    if (await exists('report_schedule')) for (const statement of SCHEDULES) await client.query(statement, [user]);
    if (await exists(SUBSCRIBERS)) {
      for (const statement of SUBSCRIPTIONS) await client.query(statement, [user]);
      counts.push({ table: SUBSCRIBERS, count: (await client.query(SUBSCRIBER, [user])).rowCount ?? 0 });
    }
    await client.query(NEW_REVISION);
    const before = `^\\s*\\[${user.replaceAll(/[\\^$.|?*+()[\]{}-]/g, '\\$&')}\\]\\s*:\\s*`;
    for (const table of COMMENT_TABLES) counts.push({ table, count: (await client.query(commentsOf(table), [before])).rowCount ?? 0 });
    await client.query(dryRun ? 'ROLLBACK' : 'COMMIT');
    return counts;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
