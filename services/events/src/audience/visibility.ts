import { PathScope, type PartRight, type Principal } from '@sinebar/access-control';
import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';

/** What somebody may read, by kind of entity. */
export interface ReadRights {
  plan: PathScope;
  measurement: PathScope;
  rawData: PathScope;
}

/** Which sides of a change may be read: where the entity is now, and where it was before a move. */
export interface VisibleSides {
  current: boolean;
  former: boolean;
}

export function readRightsOf(principal: Principal): ReadRights {
  return {
    plan: principal.scopeOf('plan:read'),
    measurement: principal.scopeOf('measurement:read'),
    rawData: principal.scopeOf('rawData:read'),
  };
}

/** Whether the same events may be seen with both. */
export function sameRights(a: ReadRights, b: ReadRights): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * The right that a receiver of this event needs.
 * @returns `undefined` for a name that this version does not know: such an event reaches nobody, since nobody can say who may see it.
 */
export function readRightFor(type: string): Extract<PartRight, `${string}:read`> | undefined {
  switch (type as EventName) {
    case 'PartCreated':
    case 'PartModified':
    case 'PartMoved':
    case 'PartDeleted':
    case 'CharacteristicCreated':
    case 'CharacteristicModified':
    case 'CharacteristicMoved':
    case 'CharacteristicDeleted':
      return 'plan:read';
    case 'MeasurementCreated':
    case 'MeasurementModified':
    case 'MeasurementDeleted':
      return 'measurement:read';
    case 'RawDataCreated':
    case 'RawDataModified':
    case 'RawDataDeleted':
      return 'rawData:read';
    default:
      return undefined;
  }
}

/** spec: decisions.md 7.3 (`Moved` goes to whoever may read either side), 8.4 */
export function visibleSides(envelope: ChangeEnvelope, rights: ReadRights): VisibleSides {
  const readable = readableFor(envelope.type, rights);
  return {
    current: readable.includes(envelope.sinebarpath),
    former: envelope.sinebaroldpath !== undefined && readable.includes(envelope.sinebaroldpath),
  };
}

/**
 * The payloads of a message as a receiver with these sides may see them: of a `Moved` the path on the unreadable side is empty, everything else is
 * sent as it is. spec: decisions.md 8.4; inspection-service.md, Events
 */
export function visiblePayloads(envelope: ChangeEnvelope, sides: VisibleSides): EventPayloads[EventName][] {
  const { events } = envelope.data;
  if (!isMove(envelope) || (sides.current && sides.former)) return events;
  return (events as (EventPayloads['PartMoved'] | EventPayloads['CharacteristicMoved'])[]).map((payload) => ({
    ...payload,
    FromPath: sides.former ? payload.FromPath : '',
    ToPath: sides.current ? payload.ToPath : '',
  }));
}

function isMove(envelope: ChangeEnvelope): boolean {
  return envelope.type === 'PartMoved' || envelope.type === 'CharacteristicMoved';
}

function readableFor(type: string, rights: ReadRights): PathScope {
  switch (readRightFor(type)) {
    case 'plan:read':
      return rights.plan;
    case 'measurement:read':
      return rights.measurement;
    case 'rawData:read':
      return rights.rawData;
    case undefined:
      return PathScope.NOTHING;
  }
}
