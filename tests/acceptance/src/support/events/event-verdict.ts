import type { ReceivedEvent } from './event-listener.ts';
import { pathOf, type AnnouncedChange } from './event-load.ts';
import { mayRead, type Reader } from './event-readers.ts';

export const keyOf = (name: string, uuid: string) => `${name} ${uuid}`;

export function keyOfEvent({ name, data }: Pick<ReceivedEvent, 'name' | 'data'>): string {
  return keyOf(name, String(data['TargetUuid'] ?? data['PartUuid']));
}

/**
 * Finds violations in the events that one client received.
 * It must receive each acknowledged change that it may see, in the order of each writer's requests to a service, and no other.
 * A move must have the paths on the sides that the client may see. No event may follow one that is behind it in the stream.
 * Repeated deliveries with the same id are allowed.
 * spec: decisions.md 7.3, 7.4, 8.4
 */
export function eventProblemsOf(changes: readonly AnnouncedChange[], received: readonly ReceivedEvent[], reader: Reader): string[] {
  const problems: string[] = [];
  const places = new Map<string, number>();
  const seen = new Set<string>();
  let last: StreamPlace | undefined;
  received.forEach((event, place) => {
    const { name, meta } = event;
    if (name === 'Gap') {
      problems.push(`a Gap behind ${place} events`);
      return;
    }
    if (seen.has(meta.id)) return;
    seen.add(meta.id);
    const key = keyOfEvent(event);
    if (places.has(key)) problems.push(`${key} came twice, under two ids`);
    else places.set(key, place);
    const sequence = placeOf(meta.sequence);
    if (last && !isBehind(sequence, last)) problems.push(`${key} has the sequence ${meta.sequence}, but came later`);
    last = sequence;
  });

  const known = new Set<string>();
  const lastOf = new Map<string, { key: string; place: number }>();
  for (const change of changes) {
    const { event, part, writer, outcome, happened } = change;
    const key = keyOf(event, part);
    known.add(key);
    const place = places.get(key);
    const sides = visibleSides(change, reader);
    if (!sides.from && !sides.to) {
      if (place !== undefined) problems.push(`${key} was sent to a user who may not see it`);
      continue;
    }
    if (event === 'PartMoved' && place !== undefined)
      problems.push(...pathProblems(key, change, sides, (received[place] as ReceivedEvent).data));
    if (outcome === 'earlier') continue;
    if (outcome === 'doubtful') {
      if (happened !== (place !== undefined))
        problems.push(`${key} ${happened ? 'happened but was not sent' : 'was sent but did not happen'}`);
      continue;
    }
    if (place === undefined) {
      problems.push(`${key} is missing`);
      continue;
    }
    if (outcome === 'followed') continue;
    const line = `${writer} ${event.startsWith('RawData') ? 'raw-data' : 'inspection'}`;
    const before = lastOf.get(line);
    if (before && before.place > place) problems.push(`${key} came before ${before.key}, which was answered before it was asked for`);
    lastOf.set(line, { key, place });
  }
  for (const key of places.keys()) if (!known.has(key)) problems.push(`${key} was sent, but no request caused it`);
  return problems;
}

interface Sides {
  from: boolean;
  to: boolean;
}

function visibleSides({ event, place, from }: AnnouncedChange, reader: Reader): Sides {
  const right = event.startsWith('RawData') ? 'rawData' : 'plan';
  return { from: from !== undefined && mayRead(reader, right, from), to: mayRead(reader, right, place) };
}

function pathProblems(key: string, { part, place, from = place }: AnnouncedChange, sides: Sides, data: ReceivedEvent['data']): string[] {
  const expected = { FromPath: sides.from ? pathOf(from, part) : '', ToPath: sides.to ? pathOf(place, part, true) : '' };
  return Object.entries(expected).flatMap(([name, path]) =>
    data[name] === path ? [] : [`${key} came with the ${name} ${JSON.stringify(data[name])} instead of ${JSON.stringify(path)}`],
  );
}

interface StreamPlace {
  epoch: string;
  numbers: readonly number[];
}

function placeOf(sequence: string): StreamPlace {
  const [epoch = '', ...numbers] = sequence.split('.');
  return { epoch, numbers: numbers.map(Number) };
}

function isBehind(later: StreamPlace, earlier: StreamPlace): boolean {
  if (later.epoch !== earlier.epoch) return false;
  const [message = 0, index = 0] = later.numbers;
  const [otherMessage = 0, otherIndex = 0] = earlier.numbers;
  return message > otherMessage || (message === otherMessage && index > otherIndex);
}
