import type { LocalTime } from './local-time.ts';

/** Orders of day, month and year in a date with slashes. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A time as a file writes it: with an offset, or a local time of the zone of the file. */
export interface WrittenTime extends LocalTime {
  offsetMinutes: number | undefined;
}

/** The forms of dates for messages. */
export const TIME_FORMS = 'dd.MM.yyyy/HH:mm:ss, M/d/yyyy HH:mm:ss, yyyy-MM-dd HH:mm:ss or ISO 8601';

const NUMBERS = /^(\d{4}|\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{1,2})(?:[\s/.,T]+(.+))?$/;
const DAY_OF_NAMED_MONTH = /^(\d{1,2})[./-](\p{L}{3,9})[./-](\d{4}|\d{2})(?:[\s/.,T]+(.+))?$/u;
const NAMED_MONTH_FIRST = /^(\p{L}{3,9})\.? (\d{1,2}),? (\d{4})(?:[\s/.,T]+(.+))?$/u;
const YEAR_OF_NAMED_MONTH = /^(\d{4})[./-](\p{L}{3,9})[./-](\d{1,2})(?:[\s/.,T]+(.+))?$/u;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d))?(Z)?$/;
const CLOCK = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,9}))?)?(?:\s?([AaPp])\.?\s?[Mm]\.?)?(?:\s?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$/;
const MONTHS: readonly RegExp[] = [
  /^jan(?:uar|uary)?$/i,
  /^feb(?:ruar|ruary)?$/i,
  /^(?:mar|mär|mrz|march|märz)$/i,
  /^apr(?:il)?$/i,
  /^(?:may|mai)$/i,
  /^jun[ei]?$/i,
  /^jul[yi]?$/i,
  /^aug(?:ust)?$/i,
  /^sept?(?:ember)?$/i,
  /^o[ck]t(?:ober)?$/i,
  /^nov(?:ember)?$/i,
  /^de[cz](?:ember)?$/i,
];
/** Two-digit years from this one belong to the twentieth century. */
const FIRST_OLD_YEAR = 70;
const DAY_MS = 86_400_000;

type Day = Pick<LocalTime, 'year' | 'month' | 'day'>;

/**
 * Reads a time in any form that files use. The list is the same for all formats.
 * Dates with points have the day first; dates with hyphens the day, or with two digits the year.
 * @param order of the dates with slashes that end with the year, and of those with hyphens that end with four digits
 * @param slashOrder of the dates with slashes where the format defines another one
 * @returns `ambiguous` when only the order could tell day and month; `undefined` when the text has no known form or names no day
 */
export function parseTime(written: string, order?: DateOrder, slashOrder = order): WrittenTime | 'ambiguous' | undefined {
  const text = written.trim();
  const numbers = NUMBERS.exec(text);
  if (numbers === null) return parseOtherForm(text);
  const [, first = '', separator, second = '', third = '', clockText] = numbers;
  const clock = parseClock(clockText);
  if (clock === undefined) return undefined;
  const day = parseNumbers([first, second, third], separator as string, separator === '/' ? slashOrder : order);
  return day === undefined || day === 'ambiguous' ? day : joined(day, clock);
}

/** Finds the order that a date with slashes shows: one of its numbers is no month. */
export function shownOrder(written: string): 'dmy' | 'mdy' | undefined {
  const [, first = '', separator, second = ''] = NUMBERS.exec(written.trim()) ?? [];
  if (separator !== '/' || first.length > 2) return undefined;
  if (Number(first) > 12) return 'dmy';
  return Number(second) > 12 ? 'mdy' : undefined;
}

function parseNumbers([a, b, c]: readonly [string, string, string], separator: string, order: DateOrder | undefined) {
  if (a.length === 4) return c.length > 2 ? undefined : existingDay(Number(a), Number(b), Number(c));
  if (c.length === 1) return undefined;
  const yearFirst = () => existingDay(yearOf(a), Number(b), Number(c));
  const dayFirst = () => existingDay(yearOf(c), Number(b), Number(a));
  const monthFirst = () => existingDay(yearOf(c), Number(a), Number(b));
  if (separator === '.') return dayFirst();
  if (separator === '-') {
    if (c.length === 2) return a.length === 2 ? yearFirst() : undefined;
    return order === 'mdy' ? monthFirst() : dayFirst();
  }
  if (order === 'ymd' && c.length === 2 && a.length === 2) return yearFirst();
  if (order === 'dmy') return dayFirst();
  if (order === 'mdy') return monthFirst();
  return (dayFirst() ?? monthFirst()) === undefined ? undefined : 'ambiguous';
}

function parseOtherForm(text: string): WrittenTime | undefined {
  const compact = COMPACT.exec(text);
  if (compact) {
    const [, year, month, date, hour = '0', minute = '0', second = '0', isUtc] = compact;
    const day = existingDay(Number(year), Number(month), Number(date));
    const clock = parseClock(`${hour}:${minute}:${second}${isUtc ?? ''}`);
    return day && clock && joined(day, clock);
  }
  let found: readonly [year: string, month: string, day: string, clock: string | undefined] | undefined;
  const dayFirst = DAY_OF_NAMED_MONTH.exec(text);
  const monthFirst = NAMED_MONTH_FIRST.exec(text);
  const yearFirst = YEAR_OF_NAMED_MONTH.exec(text);
  if (dayFirst) found = [dayFirst[3] as string, dayFirst[2] as string, dayFirst[1] as string, dayFirst[4]];
  else if (monthFirst) found = [monthFirst[3] as string, monthFirst[1] as string, monthFirst[2] as string, monthFirst[4]];
  else if (yearFirst) found = [yearFirst[1] as string, yearFirst[2] as string, yearFirst[3] as string, yearFirst[4]];
  if (!found) return undefined;
  const [year, name, date, clockText] = found;
  const month = MONTHS.findIndex((form) => form.test(name)) + 1;
  const day = existingDay(yearOf(year), month, Number(date));
  const clock = parseClock(clockText);
  return day && clock && joined(day, clock);
}

interface Clock {
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  offsetMinutes: number | undefined;
}

const MIDNIGHT: Clock = { hour: 0, minute: 0, second: 0, millisecond: 0, offsetMinutes: undefined };

function parseClock(text: string | undefined): Clock | undefined {
  if (text === undefined) return MIDNIGHT;
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds = '0', fraction = '', half, zone] = match;
  const minute = Number(minutes);
  const second = Number(seconds);
  const millisecond = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return undefined;
  // 24:00 is the end of a day.
  const isEndOfDay = hour === 24 && minute === 0 && second === 0 && millisecond === 0;
  if ((hour > 23 && !isEndOfDay) || minute > 59 || second > 59) return undefined;
  const offsetMinutes = zone === undefined ? undefined : offsetOf(zone);
  return offsetMinutes !== undefined && Math.abs(offsetMinutes) > 14 * 60
    ? undefined
    : { hour, minute, second, millisecond, offsetMinutes };
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes);
  return sign === '-' ? -offset : offset;
}

function joined(written: Day, { hour, minute, second, millisecond, offsetMinutes }: Clock): WrittenTime {
  const { year, month, day } = hour === 24 ? dayAfter(written) : written;
  return { year, month, day, hour: hour % 24, minute, second, millisecond, offsetMinutes };
}

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < FIRST_OLD_YEAR ? 2000 + year : 1900 + year;
}

function existingDay(year: number, month: number, day: number): Day | undefined {
  const date = dateOf(year, month, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
}

function dayAfter({ year, month, day }: Day): Day {
  const date = new Date(dateOf(year, month, day).getTime() + DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function dateOf(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
