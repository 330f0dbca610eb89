import type { ReceivedEvent } from './event-listener.js';
import type { AnnouncedChange } from './event-load.js';

/**
 * What is wrong with the events that one client has received: each acknowledged change must be among them, in the order of each writer's requests to a
 * service, none about what did not happen, and none after one that stands behind it in the stream. Repeated deliveries, known by their id, are allowed.
 * spec: decisions.md 7.4
 */
export function eventProblemsOf(changes: readonly AnnouncedChange[], received: readonly ReceivedEvent[]): string[] {
  const problems: string[] = [];
  const places = new Map<string, number>();
  const seen = new Set<string>();
  let last: StreamPlace | undefined;
  received.forEach(({ name, data, meta }, place) => {
    if (name === 'Gap') {
      problems.push(`a Gap behind ${place} events`);
      return;
    }
    if (seen.has(meta.id)) return;
    seen.add(meta.id);
    const key = `${name} ${String(data['TargetUuid'] ?? data['PartUuid'])}`;
    if (places.has(key)) problems.push(`${key} came twice, under two ids`);
    else places.set(key, place);
    const sequence = placeOf(meta.sequence);
    if (last && !isBehind(sequence, last)) problems.push(`${key} has the sequence ${meta.sequence}, but came later`);
    last = sequence;
  });

  const known = new Set<string>();
  const lastOf = new Map<string, { key: string; place: number }>();
  for (const { event, part, writer, outcome, happened } of changes) {
    const key = `${event} ${part}`;
    known.add(key);
    const place = places.get(key);
    if (outcome === 'doubtful') {
      if (happened !== (place !== undefined))
        problems.push(`${key} ${happened ? 'happened but was not told' : 'was told but did not happen'}`);
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
  for (const key of places.keys()) if (!known.has(key)) problems.push(`${key} was told, but nobody asked for it`);
  return problems;
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
