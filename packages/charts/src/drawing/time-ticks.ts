/** A point at which a stretch of time begins. */
export interface TimeTick {
  /** Index of the first point in that stretch. */
  readonly index: number;
  readonly time: Date;
  readonly unit: TimeUnit;
}

export type TimeUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

interface Step {
  readonly unit: TimeUnit;
  /** Beginning of the stretch that a time is in, in the zone of the reader. */
  readonly startOf: (time: Date) => number;
}

const startOfDay = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate());
const minutes = (count: number): Step => ({
  unit: 'minute',
  startOf: (time) => Math.floor(time.getTime() / (count * 60_000)),
});
const hours = (count: number): Step => ({
  unit: 'hour',
  startOf: (time) => new Date(time.getFullYear(), time.getMonth(), time.getDate(), Math.floor(time.getHours() / count) * count).getTime(),
});
const days: Step = { unit: 'day', startOf: (time) => startOfDay(time).getTime() };
const weeks: Step = {
  unit: 'week',
  startOf: (time) => startOfDay(new Date(time.getFullYear(), time.getMonth(), time.getDate() - ((time.getDay() + 6) % 7))).getTime(),
};
const months = (count: number): Step => ({
  unit: 'month',
  startOf: (time) => new Date(time.getFullYear(), Math.floor(time.getMonth() / count) * count, 1).getTime(),
});
const years = (count: number): Step => ({
  unit: 'year',
  startOf: (time) => new Date(Math.floor(time.getFullYear() / count) * count, 0, 1).getTime(),
});

/** Stretches from the finest to the coarsest. */
const STEPS: readonly Step[] = [
  minutes(1),
  minutes(5),
  minutes(15),
  hours(1),
  hours(3),
  hours(6),
  hours(12),
  days,
  weeks,
  months(1),
  months(3),
  years(1),
  years(5),
  years(20),
];

/**
 * Finds the points at which minutes, hours, days, weeks, months or years begin: the finest stretch with at most `most` of them.
 * The first point is one of them; ticks nearer than `leastDistance` points to the one before are left out.
 * @param times of the points, oldest first; `undefined` for a point without a time
 */
export function timeTicks(times: readonly (string | undefined)[], most: number, leastDistance = 0): TimeTick[] {
  const dated = times.flatMap((time, index) => (time === undefined ? [] : [{ index, time: new Date(time) }]));
  if (dated.length === 0) return [];
  const found = STEPS.map((step) => startsOf(dated, step)).find((ticks) => ticks.length <= most) ?? [];
  const kept: TimeTick[] = [];
  for (const tick of found) {
    const last = kept.at(-1);
    if (last !== undefined && tick.index - last.index < leastDistance) continue;
    const isNewDay = last === undefined || startOfDay(last.time).getTime() !== startOfDay(tick.time).getTime();
    // The first hour of a day is named by the day.
    kept.push(isNewDay && (tick.unit === 'hour' || tick.unit === 'minute') && dated.length > 1 ? { ...tick, unit: 'day' } : tick);
  }
  return kept;
}

function startsOf(points: readonly { index: number; time: Date }[], { unit, startOf }: Step): TimeTick[] {
  const ticks: TimeTick[] = [];
  let current: number | undefined;
  for (const { index, time } of points) {
    const start = startOf(time);
    if (start === current) continue;
    current = start;
    ticks.push({ index, time, unit });
  }
  return ticks;
}
