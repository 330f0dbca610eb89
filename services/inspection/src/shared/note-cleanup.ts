import { rawSql, sql, type Sql, type WriteSession } from '@sinebar/database';

/** Notes of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const MAX_EVENTS_PER_MESSAGE = 1000;

/** Deletes the notes about items and announces it. The items still exist. */
export async function deleteNotesOfItems(session: WriteSession, itemIds: readonly number[]): Promise<void> {
  await deleteNotes(session, sql`note.item_id = ANY(${itemIds}::int[])`);
}

/** Deletes the notes about measurements that no longer exist, and announces it. Ids of measurements are never reused. */
export async function deleteNotesOfDeleted(session: WriteSession): Promise<void> {
  await deleteNotes(
    session,
    sql`note.measurement_id IS NOT NULL AND NOT EXISTS (SELECT FROM measurement m WHERE m.id = note.measurement_id)`,
  );
}

async function deleteNotes(session: WriteSession, condition: Sql): Promise<void> {
  // Saves the work of announcing where there are no notes, as with most deletions.
  if ((await session.query(sql`SELECT FROM note WHERE ${condition} LIMIT 1`)).length === 0) return;
  await session.announceFrom({
    change: sql`DELETE FROM note USING plan_item item, plan_item part
      WHERE item.id = note.item_id AND part.id = item.part_id AND ${condition}
      RETURNING note.uuid, part.path, part.uuid AS part_uuid,
        CASE item.kind WHEN 'characteristic' THEN item.uuid END AS characteristic_uuid`,
    messages: sql`
      SELECT row_number() OVER (ORDER BY path, message) AS place, 'NoteDeleted' AS type,
        CASE count(*) WHEN 1 THEN min(uuid::text) ELSE part_uuid::text END AS subject, path, part_uuid,
        json_agg(json_strip_nulls(json_build_object('NoteUuid', uuid, 'PartUuid', part_uuid, 'CharacteristicUuid', characteristic_uuid)))
          AS events, count(*) AS count
      FROM (SELECT *, (row_number() OVER (PARTITION BY part_uuid) - 1) / ${rawSql(`${MAX_EVENTS_PER_MESSAGE}`)} AS message FROM changed) AS deleted
      GROUP BY part_uuid, path, message`,
  });
}
