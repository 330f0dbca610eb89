import type { EventPayloads, PendingChange } from '@sinebar/contracts';

/** Content of the event of an alarm, and the part at whose path its readers need their right. */
export interface AnnouncedAlarm extends Pick<EventPayloads['AlarmRaised'], 'Kind' | 'State'> {
  uuid: string;
  part: { uuid: string; /** Stored path. */ path: string };
  characteristicUuid: string | undefined;
}

type AlarmEvent = 'AlarmRaised' | 'AlarmChanged';

/** Alarms of one part that share a message, at most: the message stays well below the broker's limit of 1 MiB. */
const MAX_EVENTS_PER_MESSAGE = 1000;

/** Makes the event of one alarm. spec: decisions.md 12.1 */
export function alarmChange(type: AlarmEvent, alarm: AnnouncedAlarm): PendingChange {
  return { type, subject: alarm.uuid, path: alarm.part.path, partUuid: alarm.part.uuid, events: [payloadOf(alarm)] };
}

/** Makes the events of alarms of one part. spec: decisions.md 12.1 */
export function alarmChanges(type: AlarmEvent, alarms: readonly AnnouncedAlarm[]): PendingChange[] {
  return Array.from({ length: Math.ceil(alarms.length / MAX_EVENTS_PER_MESSAGE) }, (_, i) => {
    const some = alarms.slice(i * MAX_EVENTS_PER_MESSAGE, (i + 1) * MAX_EVENTS_PER_MESSAGE);
    const change = alarmChange(type, some[0]!);
    return some.length === 1 ? change : { ...change, type, subject: change.partUuid, events: some.map(payloadOf) };
  });
}

function payloadOf({ uuid, part, characteristicUuid, Kind, State }: AnnouncedAlarm): EventPayloads['AlarmRaised'] {
  return {
    AlarmUuid: uuid,
    PartUuid: part.uuid,
    ...(characteristicUuid !== undefined && { CharacteristicUuid: characteristicUuid }),
    Kind,
    State,
  };
}
