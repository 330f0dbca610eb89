import { EVENT_NAMES, type ChangeEnvelope, type EventName } from '@sinebar/contracts';
import { GrammarError, parseUnmarkedPath, storedPartPath } from '@sinebar/query-language';
import { z } from 'zod';
import type { VisibleSides } from './visibility.ts';

/** One filter of a client: these events, below this part. */
export interface EventFilter {
  /** Sorted; `undefined` means all. */
  events: readonly EventName[] | undefined;
  /** Stored path of the part; the empty text is the whole plan. */
  pathPrefix: string;
}

/** Thrown for an invalid subscription; the message is sent to the client. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

const NAME_BY_FOLDED = new Map<string, EventName>(EVENT_NAMES.map((name) => [name.toLowerCase(), name]));
const MAX_NAMES = 100;
const MAX_PATH_LENGTH = 4_000;

const filterSchema = z.strictObject(
  {
    events: z
      .array(z.string('An event name must be a text.'), 'The member events must be a list of event names.')
      .max(MAX_NAMES, `The member events may hold at most ${MAX_NAMES} names.`)
      .nullish(),
    partPath: z
      .string('The member partPath must be a text.')
      .max(MAX_PATH_LENGTH, `The member partPath may have at most ${MAX_PATH_LENGTH} characters.`)
      .nullish(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `The member "${String(issue.keys[0]).slice(0, 50)}" is unknown. A subscription has the members events and partPath.`
        : 'A subscription is an object with the members events and partPath, both optional.',
  },
);

/**
 * Reads `{events?, partPath?}` as a client sent it; nothing at all means everything. Event names match in any case; the path has no type
 * marker.
 * @throws FilterError. spec: decisions.md 7.2, 1.2
 */
export function parseFilter(input: unknown): EventFilter {
  const parsed = filterSchema.safeParse(input ?? {});
  if (!parsed.success) throw new FilterError(parsed.error.issues[0]?.message ?? 'The subscription is malformed.');
  const { events, partPath } = parsed.data;
  return { events: events == null ? undefined : parseNames(events), pathPrefix: partPath == null ? '' : parsePrefix(partPath) };
}

/** True for a filter without names and path: it subscribes to everything, and in `unsubscribe` removes all subscriptions. */
export function isEverything({ events, pathPrefix }: EventFilter): boolean {
  return events === undefined && pathPrefix === '';
}

export function sameFilter(a: EventFilter, b: EventFilter): boolean {
  return filterKey([a]) === filterKey([b]);
}

/** Clients whose filters have the same key get the same events. */
export function filterKey(filters: readonly EventFilter[]): string {
  return JSON.stringify(filters.map(({ events, pathPrefix }) => [events?.join() ?? '*', pathPrefix]).sort());
}

/**
 * Tells whether a client with these filters wants the change; no filter means everything.
 * A path counts only on a side that the client may read; otherwise a filter would reveal the path of an unreadable entity.
 */
export function matchesFilters(filters: readonly EventFilter[], envelope: ChangeEnvelope, sides: VisibleSides): boolean {
  const within = (prefix: string) =>
    (sides.current && envelope.sinebarpath.startsWith(prefix)) || (sides.former && envelope.sinebaroldpath?.startsWith(prefix) === true);
  if (filters.length === 0) return sides.current || sides.former;
  return filters.some(({ events, pathPrefix }) => (events === undefined || events.includes(envelope.type)) && within(pathPrefix));
}

function parseNames(names: readonly string[]): EventName[] {
  if (names.length === 0) throw new FilterError('The list events is empty. Name at least one event, or leave it out for all of them.');
  const known = names.map((name) => {
    const event = NAME_BY_FOLDED.get(name.toLowerCase());
    if (event === undefined) throw new FilterError(`"${name.slice(0, 50)}" is no event. The events are ${EVENT_NAMES.join(', ')}.`);
    return event;
  });
  return [...new Set(known)].sort();
}

function parsePrefix(partPath: string): string {
  try {
    return storedPartPath(parseUnmarkedPath(partPath));
  } catch (error) {
    if (error instanceof GrammarError) throw new FilterError(`partPath: ${error.message}`, { cause: error });
    throw error;
  }
}
