import type { Principal } from '@sinebar/access-control';
import type { ChangeEnvelope, EventName, EventPayloads } from '@sinebar/contracts';
import { filterKey, matchesFilters, type EventFilter } from './event-filter.ts';
import { readRightsOf, visiblePayloads, visibleSides, type ReadRights } from './visibility.ts';

/** Rooms that get the same payloads of one message. */
export interface Delivery {
  rooms: string[];
  payloads: EventPayloads[EventName][];
}

interface Room {
  filters: readonly EventFilter[];
  members: number;
}

interface RightsGroup {
  rights: ReadRights;
  rooms: Map<string, Room>;
}

/**
 * Groups clients in rooms: one per set of rights and set of filters.
 * The permission rule therefore runs once per distinct set of rights, not once per socket. The class holds no sockets; a client that enters
 * a room must leave it.
 */
export class Audience {
  private readonly groups = new Map<string, RightsGroup>();

  /** Adds a client. @returns the name of the room for these rights and filters */
  enter(principal: Principal, filters: readonly EventFilter[]): string {
    const group = this.groups.get(principal.rightsKey) ?? { rights: readRightsOf(principal), rooms: new Map<string, Room>() };
    this.groups.set(principal.rightsKey, group);
    const name = roomName(principal, filters);
    const room = group.rooms.get(name) ?? { filters, members: 0 };
    room.members += 1;
    group.rooms.set(name, room);
    return name;
  }

  leave(principal: Principal, filters: readonly EventFilter[]): void {
    const group = this.groups.get(principal.rightsKey);
    const name = roomName(principal, filters);
    const room = group?.rooms.get(name);
    if (!group || !room) return;
    room.members -= 1;
    if (room.members === 0) group.rooms.delete(name);
    if (group.rooms.size === 0) this.groups.delete(principal.rightsKey);
  }

  /** Returns the rooms that get a message and the visible payloads: at most one delivery per combination of readable sides. */
  deliveries(envelope: ChangeEnvelope): Delivery[] {
    const bySides = new Map<string, Delivery>();
    for (const { rights, rooms } of this.groups.values()) {
      const sides = visibleSides(envelope, rights);
      if (!sides.current && !sides.former) continue;
      const listening = [...rooms].filter(([, { filters }]) => matchesFilters(filters, envelope, sides)).map(([name]) => name);
      if (listening.length === 0) continue;
      const key = `${sides.current}/${sides.former}`;
      const delivery = bySides.get(key);
      if (delivery) delivery.rooms.push(...listening);
      else bySides.set(key, { rooms: listening, payloads: visiblePayloads(envelope, sides) });
    }
    return [...bySides.values()];
  }
}

/** Returns the payloads of a message for a single client, empty when it may see or wants none of them. */
export function payloadsFor(envelope: ChangeEnvelope, rights: ReadRights, filters: readonly EventFilter[]): EventPayloads[EventName][] {
  const sides = visibleSides(envelope, rights);
  return matchesFilters(filters, envelope, sides) ? visiblePayloads(envelope, sides) : [];
}

/** The prefix separates rooms from those that Socket.IO names after socket ids. */
function roomName(principal: Principal, filters: readonly EventFilter[]): string {
  return `audience:${JSON.stringify(principal.rightsKey)}:${filterKey(filters)}`;
}
