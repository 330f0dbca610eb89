import type { AlarmDigest, QuietHours } from '@sinebar/contracts';
import { minutesOfDay } from '../../../evaluation/settings/plant-clock.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;

/** Times at which a subscription tells. */
export interface Timing {
  digest: AlarmDigest | null;
  quietHours: QuietHours | null;
}

/** The wall clock of a zone. */
export class WallClock {
  private readonly format: Intl.DateTimeFormat;

  /** @throws RangeError for an unknown zone */
  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', hour: 'numeric', minute: 'numeric' });
  }

  /** Minutes since midnight. @param ms a time, milliseconds since 1970 */
  minuteOfDay(ms: number): number {
    const parts = this.format.formatToParts(ms);
    const read = (type: 'hour' | 'minute') => Number(parts.find((part) => part.type === type)?.value);
    return read('hour') * 60 + read('minute');
  }

  /** Finds the first time from `ms` on at which the clock shows one of the wall times. */
  next(ms: number, wallTimes: readonly string[]): number {
    return Math.min(...wallTimes.map((text) => this.nextMinute(ms, minutesOfDay(text))));
  }

  private nextMinute(ms: number, wanted: number): number {
    const minute = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
    const ahead = positive(wanted - this.minuteOfDay(minute)) * MINUTE_MS;
    const first = this.corrected(minute + ahead, wanted);
    return first >= ms ? first : this.corrected(minute + ahead + DAY_MINUTES * MINUTE_MS, wanted);
  }

  /** Puts a time right that a clock shows elsewhere, because it was set forward or back meanwhile. One that it leaves out stays. */
  private corrected(ms: number, wanted: number): number {
    const ahead = positive(wanted - this.minuteOfDay(ms));
    const shifted = ms + (ahead > DAY_MINUTES / 2 ? ahead - DAY_MINUTES : ahead) * MINUTE_MS;
    return this.minuteOfDay(shifted) === wanted ? shifted : ms;
  }
}

function positive(minutes: number): number {
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

/** Finds when something is told that may be told from `ms` on. */
export function dueAt(ms: number, { digest, quietHours }: Timing, clock: WallClock): number {
  const collected = digest === null ? ms : 'at' in digest ? clock.next(ms, digest.at) : nextMultiple(ms, digest.everyMinutes * MINUTE_MS);
  return quietHours !== null && isQuiet(clock.minuteOfDay(collected), quietHours) ? clock.next(collected, [quietHours.to]) : collected;
}

function nextMultiple(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs;
}

function isQuiet(minute: number, { from, to }: QuietHours): boolean {
  const [start, end] = [minutesOfDay(from), minutesOfDay(to)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}
