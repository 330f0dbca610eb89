import type { PendingChange } from '@sinebar/contracts';
import type { NotedItem } from './note-store.ts';

/** Makes the event of one note. */
export function noteChange(
  type: 'NoteCreated' | 'NoteModified' | 'NoteDeleted',
  uuid: string,
  { kind, uuid: item, partUuid, partPath }: NotedItem,
): PendingChange {
  const payload = { NoteUuid: uuid, PartUuid: partUuid, ...(kind === 'characteristic' && { CharacteristicUuid: item }) };
  return { type, subject: uuid, path: partPath, partUuid, events: [payload] };
}
