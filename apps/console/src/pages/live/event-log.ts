import type { EventMeta, EventName, EventPayloads } from '@sinebar/client';
import { EVENT_KINDS, EVENT_VIEWS, type EventKind } from './event-views';

/** A change event as it came, or a gap in the events. */
export type LoggedEvent = ChangeEntry | GapEntry;

export type ChangeEntry = {
  [Name in EventName]: { kind: 'change'; id: string; name: Name; payload: EventPayloads[Name]; time: string };
}[EventName];

export interface GapEntry {
  kind: 'gap';
  id: string;
  time: string;
}

/** Newest events that the log keeps. */
export const MAX_EVENTS = 1000;
/** Time over which rates and kinds are counted. */
export const RATE_SECONDS = 300;

export interface LogSnapshot {
  /** Newest first; at most {@link MAX_EVENTS}. */
  events: readonly LoggedEvent[];
  /** Id of the newest event that the reader has seen. */
  seenId: string | undefined;
  /** Time at which the reader last looked, milliseconds. */
  seenAt: number | undefined;
  /** Events for each of the last {@link RATE_SECONDS} seconds, the current one last. */
  rates: readonly number[];
  /** Events of each kind in the same time. */
  kinds: Readonly<Record<EventKind, number>>;
  gaps: number;
}

/** Keeps the newest events in a fixed amount of memory, with the rate of all of them. */
export class EventLog {
  private events: LoggedEvent[] = [];
  private seconds: number[] = Array.from({ length: RATE_SECONDS }, () => 0);
  private kinds: number[][] = EVENT_KINDS.map(() => Array.from({ length: RATE_SECONDS }, () => 0));
  private lastSecond: number;
  private seenId: string | undefined;
  private seenAt: number | undefined;
  private gaps = 0;

  constructor(nowMs: number) {
    this.lastSecond = Math.floor(nowMs / 1000);
  }

  add<Name extends EventName>(name: Name, payload: EventPayloads[Name], meta: EventMeta, nowMs: number): void {
    this.keep({ kind: 'change', id: meta.id, name, payload, time: meta.time } as ChangeEntry);
    this.advance(nowMs);
    const slot = this.lastSecond % RATE_SECONDS;
    this.seconds[slot] = (this.seconds[slot] ?? 0) + 1;
    const counts = this.kinds[EVENT_KINDS.indexOf(EVENT_VIEWS[name].kind)];
    if (counts) counts[slot] = (counts[slot] ?? 0) + 1;
  }

  addGap(nowMs: number): void {
    this.gaps += 1;
    this.keep({ kind: 'gap', id: `gap ${this.gaps}`, time: new Date(nowMs).toISOString() });
  }

  /** Marks all events of now as seen; later ones are new. */
  look(nowMs: number): void {
    this.seenId = this.events.at(-1)?.id;
    this.seenAt = nowMs;
  }

  clear(): void {
    this.events = [];
    this.seenId = undefined;
    this.seenAt = undefined;
  }

  snapshot(nowMs: number): LogSnapshot {
    this.advance(nowMs);
    const ordered = (counts: readonly number[]) => {
      const start = (this.lastSecond + 1) % RATE_SECONDS;
      return [...counts.slice(start), ...counts.slice(0, start)];
    };
    const kinds = Object.fromEntries(
      EVENT_KINDS.map((kind, index) => [kind, (this.kinds[index] ?? []).reduce((sum, count) => sum + count, 0)]),
    ) as Record<EventKind, number>;
    return {
      events: this.events.slice(-MAX_EVENTS).reverse(),
      seenId: this.seenId,
      seenAt: this.seenAt,
      rates: ordered(this.seconds),
      kinds,
      gaps: this.gaps,
    };
  }

  private keep(event: LoggedEvent): void {
    this.events.push(event);
    // Trimming in steps keeps adding cheap: an array shifts all its members otherwise.
    if (this.events.length > MAX_EVENTS * 1.25) this.events = this.events.slice(-MAX_EVENTS);
  }

  /** Empties the counters of the seconds that have passed. */
  private advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const passed = Math.min(second - this.lastSecond, RATE_SECONDS);
    for (let step = 1; step <= passed; step += 1) {
      const slot = (second - passed + step) % RATE_SECONDS;
      this.seconds[slot] = 0;
      for (const counts of this.kinds) counts[slot] = 0;
    }
    this.lastSecond = Math.max(second, this.lastSecond);
  }
}

/** Counts the events that came after the reader looked; 0 as long as nothing was marked. */
export function newSince({ events, seenId }: Pick<LogSnapshot, 'events' | 'seenId'>): number {
  if (seenId === undefined) return 0;
  const index = events.findIndex(({ id }) => id === seenId);
  return index < 0 ? events.length : index;
}
