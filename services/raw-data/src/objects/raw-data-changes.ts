import type { EventPayloads, PendingChange } from '@sinebar/contracts';
import type { RawDataObject } from './raw-data-object.ts';

/** Most payloads of one message: it stays below the size limit even with the longest names. */
const MAX_EVENTS_PER_MESSAGE = 200;

/** spec: decisions.md 7.1 */
export function rawDataCreated(object: RawDataObject, path: string): PendingChange {
  return { type: 'RawDataCreated', ...aboutObject(object, path), events: [{ ...payloadOf(object), Filename: object.fileName }] };
}

export function rawDataModified(before: RawDataObject, after: RawDataObject, path: string): PendingChange {
  const event: EventPayloads['RawDataModified'] = { ...payloadOf(after), OldFilename: before.fileName, NewFilename: after.fileName };
  return { type: 'RawDataModified', ...aboutObject(after, path), events: [event] };
}

/** Makes one event per file; files of one part share messages. @param pathOf stored path of an owning part */
export function rawDataDeleted(objects: readonly RawDataObject[], pathOf: (object: RawDataObject) => string): PendingChange[] {
  const changes: PendingChange[] = [];
  for (const ofPart of byPart(objects).values()) {
    for (let i = 0; i < ofPart.length; i += MAX_EVENTS_PER_MESSAGE) {
      const group = ofPart.slice(i, i + MAX_EVENTS_PER_MESSAGE);
      const first = group[0] as RawDataObject;
      const events = group.map((object) => ({ ...payloadOf(object), Filename: object.fileName }));
      const about = aboutObject(first, pathOf(first));
      changes.push({ type: 'RawDataDeleted', ...about, subject: group.length === 1 ? about.subject : first.partUuid, events });
    }
  }
  return changes;
}

function aboutObject(object: RawDataObject, path: string): { subject: string; path: string; partUuid: string } {
  return { subject: object.target.uuid, path, partUuid: object.partUuid };
}

function payloadOf(object: RawDataObject) {
  return { RawDataEntity: object.target.entity, TargetUuid: object.target.uuid, Key: object.key };
}

function byPart(objects: readonly RawDataObject[]): Map<string, RawDataObject[]> {
  const groups = new Map<string, RawDataObject[]>();
  for (const object of objects) {
    const group = groups.get(object.partUuid);
    if (group) group.push(object);
    else groups.set(object.partUuid, [object]);
  }
  return groups;
}
