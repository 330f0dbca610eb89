import type { PlantSettings } from '@sinebar/client';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days in which each shift has begun at least once, with one more for a shift over midnight. */
const SEARCHED_DAYS = 9;

/** A stretch of time; of a shift with its name. */
export interface ShiftTime {
  name?: string;
  from: Date;
  to: Date;
}

/** Finds the newest shift that has ended, by the wall clock of the plant; the last 24 hours of a plant without shifts. */
export function lastShift({ zone, shifts }: Pick<PlantSettings, 'zone' | 'shifts'>, now: Date): ShiftTime {
  const today = Math.floor((now.getTime() + offsetAt(zone, now.getTime())) / DAY_MS);
  const ended = Array.from({ length: SEARCHED_DAYS }, (_, i) => today - i).flatMap((day) =>
    shifts
      .filter(({ days }) => days === undefined || days.includes(weekdayOf(day)))
      .map(({ name, from, to }) => {
        const [first, last] = [minutesOf(from), minutesOf(to)];
        return { name, from: instantOf(zone, day, first), to: instantOf(zone, last > first ? day : day + 1, last) };
      })
      .filter(({ to }) => to <= now),
  );
  const newest = ended.toSorted((a, b) => b.to.getTime() - a.to.getTime())[0];
  return newest ?? { from: new Date(now.getTime() - DAY_MS), to: now };
}

/** The time at which the wall clock first shows a minute of a day. @param day counted from 1970-01-01 */
function instantOf(zone: string, day: number, minute: number): Date {
  const wall = day * DAY_MS + minute * MINUTE_MS;
  // The clock is set at most once within a day, so its two offsets are those before and after.
  const before = offsetAt(zone, wall - DAY_MS);
  const first = wall - before;
  return new Date(offsetAt(zone, first) === before ? first : wall - offsetAt(zone, wall + DAY_MS));
}

/** Distance of the wall clock from UTC, ms. */
function offsetAt(zone: string, ms: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

function minutesOf(wallTime: string): number {
  const [hours, minutes] = wallTime.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** From 1, Monday; 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return ((day + 3) % 7) + 1;
}
