import type { EventName, EventPayloads } from '@sinebar/contracts';

/** Estimated characters of a packet besides the texts of its payload. */
export const PACKET_LENGTH = 150;

/** Estimated characters of the packet of an event. */
export function eventLength(payload: EventPayloads[EventName]): number {
  let length = PACKET_LENGTH;
  for (const value of Object.values(payload)) if (typeof value === 'string') length += value.length;
  return length;
}
