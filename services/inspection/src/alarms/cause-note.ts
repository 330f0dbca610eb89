import type { PendingChange } from '@sinebar/contracts';
import type { Session, WriteSession } from '@sinebar/database';
import { noteChange } from '../notes/note-events.ts';
import { findNote, findNotedItem, insertNote, keepMeasurement, updateNote, type NotedItem, type WrittenNote } from '../notes/note-store.ts';
import type { StoredAlarm, WrittenAlarm } from './alarm-store.ts';

/**
 * Writes the cause of a closed alarm as a note, so that it stands on the chart.
 * The note has the uuid of the alarm: a cause that changes later changes this note, and a second closing writes no other.
 * Nothing is written where somebody has noted the same cause about the same measurement.
 * @returns the events of the note. spec: decisions.md 12.5
 */
export async function writeCauseNote(session: WriteSession, { alarm }: StoredAlarm, written: WrittenAlarm): Promise<PendingChange[]> {
  const { state, cause, causeText, actionText, note, user, at } = written;
  if (state !== 'closed' || cause === undefined) return [];
  const { uuid, partUuid, characteristicUuid, measurementUuid, raised } = alarm;
  const item = await findNotedItem(
    session,
    characteristicUuid === undefined ? { kind: 'part', uuid: partUuid } : { kind: 'characteristic', uuid: characteristicUuid },
  );
  if (!item) return [];
  const measurementId = measurementUuid === undefined ? undefined : await keepMeasurement(session, measurementUuid, item.partId);
  const time = measurementId === undefined ? { from: alarm.since ?? raised, to: at.toISOString() } : {};
  const text = [actionText, note].filter((each) => each !== undefined && each !== '').join('. ');
  const content: WrittenNote = {
    uuid,
    content: { text: text === '' ? (causeText ?? String(cause)) : text, cause, ...time },
    measurementId,
    causeText,
    user,
    at,
  };
  const stored = await findNote(session, uuid);
  if (stored) {
    await updateNote(session, content);
    return [noteChange('NoteModified', uuid, stored.item)];
  }
  if (await isNoted(session, item, content)) return [];
  await insertNote(session, item.id, content);
  return [noteChange('NoteCreated', uuid, item)];
}

async function isNoted(session: Session, { id }: NotedItem, { measurementId, content }: WrittenNote): Promise<boolean> {
  if (measurementId === undefined) return false;
  const found = await session.query('SELECT FROM note WHERE item_id = $1 AND measurement_id = $2 AND cause = $3 AND text = $4 LIMIT 1', [
    id,
    measurementId,
    content.cause,
    content.text,
  ]);
  return found.length > 0;
}
