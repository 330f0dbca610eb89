import { PathScope, type Principal } from '@sinebar/access-control';
import { EVENTS, isEventName, type ChangeEnvelope, type EventName, type EventPayloads } from '@sinebar/contracts';

/** Scopes that a user may read, by kind of entity. */
export interface ReadRights {
  plan: PathScope;
  measurement: PathScope;
  rawData: PathScope;
}

/** Sides of a change that may be read: the current path, and the path before a move. */
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

/** Tells whether both rights make the same events visible. */
export function sameRights(a: ReadRights, b: ReadRights): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the sides that the rights cover. `Moved` goes to receivers that may read either side. spec: decisions.md 7.3, 8.4 */
export function visibleSides(envelope: ChangeEnvelope, rights: ReadRights): VisibleSides {
  const readable = readableFor(envelope.type, rights);
  return {
    current: readable.includes(envelope.sinebarpath),
    former: envelope.sinebaroldpath !== undefined && readable.includes(envelope.sinebaroldpath),
  };
}

/**
 * Returns the payloads of a message as a receiver with these sides may see them.
 * A `Moved` has an empty path on the unreadable side; everything else is unchanged. spec: decisions.md 8.4; inspection-service.md, Events
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

/** Returns the paths of readable events of this type; none for an unknown type, since its read right is unknown. */
function readableFor(type: string, rights: ReadRights): PathScope {
  if (!isEventName(type)) return PathScope.NOTHING;
  switch (EVENTS[type].readRight) {
    case 'plan:read':
      return rights.plan;
    case 'measurement:read':
      return rights.measurement;
    case 'rawData:read':
      return rights.rawData;
    case 'signed-in':
      return PathScope.EVERYTHING;
  }
}
