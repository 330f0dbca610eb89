import { PathScope } from '@sinebar/access-control';
import { pathCondition, sql, type WriteSession } from '@sinebar/database';

/**
 * Deletes the alarms and planned stops of items, with all that is kept about them, and what is typed for first articles.
 * spec: decisions.md 12.7, 13.5
 */
export async function deleteAlarms(session: WriteSession, itemIds: readonly number[]): Promise<void> {
  await session.query(
    `WITH alarms AS (DELETE FROM alarm WHERE part_id = ANY($1::int[]) OR characteristic_id = ANY($1::int[]) RETURNING id),
       points AS (DELETE FROM alarm_point WHERE alarm_id IN (SELECT id FROM alarms) OR characteristic_id = ANY($1::int[])),
       steps AS (DELETE FROM alarm_step WHERE alarm_id IN (SELECT id FROM alarms)),
       notices AS (DELETE FROM alarm_notice WHERE alarm_id IN (SELECT id FROM alarms)),
       mutes AS (DELETE FROM alarm_mute WHERE part_id = ANY($1::int[])),
       articles AS (DELETE FROM first_article WHERE part_id = ANY($1::int[])),
       changes AS (DELETE FROM alarm_change WHERE part_id = ANY($1::int[]))
     DELETE FROM kept_limits WHERE characteristic_id = ANY($1::int[])`,
    [itemIds],
    { name: 'alarms-delete' },
  );
}

/** Leads the alarms of moved characteristics to the parts that these belong to now. @param paths stored paths of what was moved */
export async function moveAlarms(session: WriteSession, paths: readonly string[]): Promise<void> {
  await session.query(
    sql`UPDATE alarm SET part_id = item.part_id FROM plan_item item
      WHERE item.id = alarm.characteristic_id AND item.part_id <> alarm.part_id AND ${pathCondition(PathScope.of(paths), 'item.path')}`,
  );
}
