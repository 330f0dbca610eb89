import type { PlantSettingsState, Shift, ShiftOfTime } from '@sinebar/contracts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1440;
/** Clocks are set forward and back at a quarter of an hour. */
const STEP_MS = 15 * MINUTE_MS;
/** The longest time by which a clock is set back, with room. */
const MAX_REPEATED_MS = 3 * 3_600_000;
/** Steps that are remembered: about a year. */
const MAX_REMEMBERED = 35_040;

/** By what times are grouped. */
export const TIME_GROUPS = ['shift', 'day', 'week'] as const;
export type TimeGroup = (typeof TIME_GROUPS)[number];

interface ShiftMinutes {
  name: string;
  from: number;
  to: number;
  days: ReadonlySet<number>;
}

/** The wall clock from the beginning of a step on. */
interface WallStep {
  offsetMs: number;
  /** Times that come a second time, after the clock was set back, count as this one: a shift that has begun does not begin again. */
  leastWallMs: number;
}

/**
 * Tells shift, day and week of times by the wall clock of a plant.
 * A shift over midnight belongs to the day on which it begins. When the clock is set forward or back, a shift begins when the clock first
 * shows its time, so a night is an hour shorter or longer.
 */
export class PlantClock {
  private readonly shifts: readonly ShiftMinutes[];
  private readonly format: Intl.DateTimeFormat;
  private readonly steps = new Map<number, WallStep>();

  /** @throws RangeError for an unknown zone */
  constructor({ zone, shifts }: Pick<PlantSettingsState, 'zone' | 'shifts'>) {
    this.shifts = shifts.map(minutesOf);
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** @param ms a time, milliseconds since 1970 */
  at(ms: number): ShiftOfTime {
    const { day, shift } = this.shiftAt(ms);
    const name = this.shifts[shift]?.name;
    return { ...(name !== undefined && { shift: name }), day: dateText(day), week: weekText(day) };
  }

  /**
   * Numbers the shift, day or week of a time, several times as fast as {@link at} names it.
   * @returns NaN for a missing time, and between shifts
   */
  numberAt(group: TimeGroup, ms: number): number {
    if (Number.isNaN(ms)) return NaN;
    const { day, shift } = this.shiftAt(ms);
    if (group === 'shift') return shift < 0 ? NaN : shift;
    return group === 'day' ? day : day - weekdayOf(day) + 1;
  }

  /** Names what {@link numberAt} has numbered. */
  nameOf(group: TimeGroup, number: number): string {
    if (group === 'shift') return this.shifts[number]?.name ?? '';
    return group === 'day' ? dateText(number) : weekText(number);
  }

  /** Finds the index of a shift, −1 between shifts, and the day to which it belongs. */
  private shiftAt(ms: number): { day: number; shift: number } {
    const { offsetMs, leastWallMs } = this.stepAt(ms);
    const wallMs = Math.max(ms + offsetMs, leastWallMs);
    const day = Math.floor(wallMs / DAY_MS);
    const minute = (wallMs - day * DAY_MS) / MINUTE_MS;
    for (let shift = 0; shift < this.shifts.length; shift += 1) {
      const { from, to, days } = this.shifts[shift]!;
      const isOverMidnight = to <= from;
      if (days.has(weekdayOf(day)) && minute >= from && (isOverMidnight || minute < to)) return { day, shift };
      if (isOverMidnight && days.has(weekdayOf(day - 1)) && minute < to) return { day: day - 1, shift };
    }
    return { day, shift: -1 };
  }

  private stepAt(ms: number): WallStep {
    const index = Math.floor(ms / STEP_MS);
    let step = this.steps.get(index);
    if (!step) {
      if (this.steps.size >= MAX_REMEMBERED) this.steps.clear();
      this.steps.set(index, (step = this.wallStep(index * STEP_MS)));
    }
    return step;
  }

  private wallStep(startMs: number): WallStep {
    const offsetMs = this.offsetAt(startMs);
    if (this.offsetAt(startMs - MAX_REPEATED_MS) <= offsetMs) return { offsetMs, leastWallMs: -Infinity };
    let back = startMs;
    while (this.offsetAt(back - STEP_MS) === offsetMs) back -= STEP_MS;
    return { offsetMs, leastWallMs: back - 1 + this.offsetAt(back - STEP_MS) };
  }

  /** Distance of the wall clock from UTC in milliseconds. */
  private offsetAt(ms: number): number {
    const parts = Object.fromEntries(this.format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) =>
      Number(parts[name]),
    );
    const wall = new Date(0);
    wall.setUTCFullYear(year!, month! - 1, day);
    wall.setUTCHours(hour!, minute, second);
    return wall.getTime() - Math.floor(ms / 1000) * 1000;
  }
}

/** Reads a wall time such as `06:00`; `24:00` is the end of a day. */
export function minutesOfDay(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

function minutesOf({ name, from, to, days = [1, 2, 3, 4, 5, 6, 7] }: Shift): ShiftMinutes {
  return { name, from: minutesOfDay(from), to: minutesOfDay(to), days: new Set(days) };
}

/** Day of the week from 1, Monday, of a day counted from 1970-01-01, which was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace(/T.*$/, '');
}

/** The ISO week: that of the Thursday of the same week counts, and its year. */
function weekText(day: number): string {
  const thursday = day - weekdayOf(day) + 4;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
  return `${year}-W${String(Math.floor((thursday - firstDay) / 7) + 1).padStart(2, '0')}`;
}

/** Two shifts of which both would hold at the same time; `undefined` where there are none. */
export function overlappingShifts(shifts: readonly Shift[]): { first: string; second: string; day: number } | undefined {
  const week = 7 * DAY_MINUTES;
  const ranges = shifts.map(minutesOf).flatMap(({ name, from, to, days }) =>
    [...days].map((day) => {
      const start = (day - 1) * DAY_MINUTES + from;
      return { name, day, start, end: start + (to > from ? to - from : to - from + DAY_MINUTES) };
    }),
  );
  ranges.sort((a, b) => a.start - b.start);
  const [first] = ranges;
  if (!first) return undefined;
  // The last shift of a week may reach into the first one of the next.
  const around = [...ranges, { ...first, start: first.start + week }];
  for (let i = 1; i < around.length; i += 1) {
    const [before, after] = [around[i - 1]!, around[i]!];
    if (after.start < before.end) return { first: before.name, second: after.name, day: after.day };
  }
  return undefined;
}
