import type { ConditionFields } from './condition-text';

/** Ways to say a range of time: a day, a week, or from one time to another. */
export const DATE_CHOICES = ['onDay', 'inWeek', 'between'] as const;
export type DateChoice = (typeof DATE_CHOICES)[number];

/** A range of time in the zone of the reader; `to` does not belong to it. */
export interface DateRange {
  readonly choice: DateChoice;
  readonly from: Date;
  readonly to: Date;
}

const DAYS_OF_WEEK = 7;

/** The whole day, or the week from Monday on, to which a day such as `2026-05-04` belongs; undefined for what is no day. */
export function rangeOf(choice: 'onDay' | 'inWeek', day: string): DateRange | undefined {
  const from = new Date(`${day}T00:00`);
  if (Number.isNaN(from.getTime())) return undefined;
  if (choice === 'inWeek') from.setDate(from.getDate() - mondayBased(from));
  return { choice, from, to: daysAfter(from, choice === 'onDay' ? 1 : DAYS_OF_WEEK) };
}

/** Day of the week, 0 is Monday. */
function mondayBased(day: Date): number {
  return (day.getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
}

/** A day has 23 or 25 hours when the clock is set. */
function daysAfter(day: Date, days: number): Date {
  const after = new Date(day);
  after.setDate(after.getDate() + days);
  return after;
}

/** Recognises a range in conditions that stand next to each other. */
export function rangeFrom(conditions: readonly ConditionFields[]): DateRange | undefined {
  const [first, second] = conditions;
  if (conditions.length !== 2 || first?.operator !== '>=' || second?.operator !== '<') return undefined;
  const [from, to] = [new Date(first.values[0] ?? ''), new Date(second.values[0] ?? '')];
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime())) return undefined;
  const beginsDay = from.getHours() === 0 && from.getMinutes() === 0 && from.getSeconds() === 0 && from.getMilliseconds() === 0;
  const lasts = (days: number) => beginsDay && daysAfter(from, days).getTime() === to.getTime();
  const choice = lasts(1) ? 'onDay' : lasts(DAYS_OF_WEEK) && mondayBased(from) === 0 ? 'inWeek' : 'between';
  return { choice, from, to };
}

/** Joins the two conditions of a range of time; every other condition stands alone. */
export function joinRanges(conditions: readonly ConditionFields[], isTime: (condition: ConditionFields) => boolean): ConditionFields[][] {
  const joined: ConditionFields[][] = [];
  for (const condition of conditions) {
    const last = joined.at(-1);
    const [before] = last ?? [];
    const isRange =
      before !== undefined &&
      last?.length === 1 &&
      isTime(condition) &&
      JSON.stringify(before.field) === JSON.stringify(condition.field) &&
      rangeFrom([before, condition]) !== undefined;
    if (isRange) last.push(condition);
    else joined.push([condition]);
  }
  return joined;
}
