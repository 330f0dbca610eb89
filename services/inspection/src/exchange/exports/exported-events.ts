import { CAUSE_ATTRIBUTE } from '@sinebar/contracts';
import type { Session } from '@sinebar/database';
import type { FileCatalogEntry } from '@sinebar/exchange';

/** Causes that notes about values of parts name, as entries for the head of an AQDEF file. */
export async function readNotedCauses(session: Session, partIds: readonly number[]): Promise<FileCatalogEntry[]> {
  const rows = await session.query<{ cause: number; text: string }>(
    `SELECT DISTINCT ON (note.cause) note.cause, coalesce(note.cause_text, note.cause::text) AS text
     FROM note JOIN plan_item item ON item.id = note.item_id
     WHERE item.kind = 'characteristic' AND item.part_id = ANY($1::int[]) AND note.measurement_id IS NOT NULL AND note.cause IS NOT NULL
     ORDER BY note.cause, note.created_at DESC, note.id DESC`,
    [partIds],
  );
  return rows.map(({ cause, text }) => ({ attribute: CAUSE_ATTRIBUTE, number: String(cause), attributes: { [CAUSE_ATTRIBUTE]: text } }));
}

/** Reads the causes of notes as K0005 has them, by uuid of the measurement and id of the characteristic. */
export async function readValueEvents(session: Session, measurementUuids: readonly string[]): Promise<Map<string, Map<number, string>>> {
  const rows = await session.query<{ measurement: string; item: number; events: string }>(
    `SELECT m.uuid AS measurement, note.item_id AS item, string_agg(DISTINCT note.cause::text, ',') AS events
     FROM note JOIN measurement m ON m.id = note.measurement_id
     WHERE m.uuid = ANY($1::uuid[]) AND note.cause IS NOT NULL GROUP BY m.uuid, note.item_id`,
    [measurementUuids],
    { name: 'value-events' },
  );
  const events = new Map<string, Map<number, string>>();
  for (const { measurement, item, events: text } of rows) {
    const ofMeasurement = events.get(measurement) ?? new Map<number, string>();
    events.set(measurement, ofMeasurement.set(item, text));
  }
  return events;
}
