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
    for (const [table, columns] of Object.entries(USER_COLUMNS)) {
      const found = await client.query('SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2', [schema, table]);
      // The plant is of an earlier release.
      if (found.rowCount === 0) continue;
      let count = 0;
      if (table === 'saved_view') {
        count += (await client.query(OWN_VIEWS, [user])).rowCount ?? 0;
        await client.query(OWNERS, [user]);
      }
      for (const column of columns)
        count += (await client.query(`UPDATE ${table} SET ${column} = '' WHERE ${column} = $1`, [user])).rowCount ?? 0;
      if (table === 'evaluation_history') count += (await client.query(EXCLUSIONS_IN_HISTORY, [user])).rowCount ?? 0;
      counts.push({ table, count });
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
