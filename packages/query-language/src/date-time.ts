/** A point in time to the nanosecond, counted in UTC without leap seconds. */
export interface Instant {
  /** Whole milliseconds since 1970-01-01T00:00:00Z, rounded down; negative before. */
  epochMs: number;
  /** Nanoseconds within the millisecond, 0 to 999,999. */
  nanoseconds: number;
}

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** PostgreSQL reads offsets up to ±15:59; real ones end at ±14:00. */
const MAX_OFFSET_HOURS = 15;

/**
 * Reads `YYYY-MM-DD[Thh:mm[:ss[.f{1,9}]][Z|±hh:mm]]`, in UTC without a zone; `T` and `Z` are upper case.
 * Years are 0001 to 9999, hours 00 to 23, seconds 00 to 59, offsets up to ±15:59; days must exist in the Gregorian calendar.
 *
 * The limits apply to the written year: with an offset the instant may be up to 16 hours outside (.NET clients write
 * `0001-01-01T00:00:00+01:00` for "no date").
 * PostgreSQL reads every such text as the same instant, but rounds more than six fraction digits where {@link toPostgresTimestamp} cuts
 * them.
 * @returns `undefined` when the text does not follow the grammar. spec: decisions.md 1.7, 10.4
 */
export function parseDateTime(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const dayMs = startOfDayMs(Number(year), Number(month), Number(day));
  const offsetMinutes = readOffsetMinutes(zone);
  if (dayMs === undefined || offsetMinutes === undefined) return undefined;
  const fractionNs = Number(fraction.padEnd(9, '0'));
  const wholeMs = Math.floor(fractionNs / 1_000_000);
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  return { epochMs: dayMs + (minutes * 60 + Number(second)) * 1000 + wholeMs, nanoseconds: fractionNs - wholeMs * 1_000_000 };
}

const BLANK_OFFSET = /\d\d:\d\d(?::\d\d(?:\.\d+)?)? \d\d:?\d\d\s*$/;

/** Advice for the error about a text of an address that is no date: the `+` of an offset is decoded as a blank. Else empty. */
export function dateAdvice(text: string): string {
  return BLANK_OFFSET.test(text) ? '; a + in an address is read as a blank, so write %2B' : '';
}

/** Orders instants to the nanosecond: negative when `a` is earlier, 0 when they are the same. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.epochMs - b.epochMs || a.nanoseconds - b.nanoseconds;
}

/** Cuts an instant to the microsecond, the precision of a PostgreSQL `timestamptz`; never rounds up. */
export function cutToMicroseconds({ epochMs, nanoseconds }: Instant): Instant {
  return { epochMs, nanoseconds: nanoseconds - (nanoseconds % 1000) };
}

/**
 * Formats an instant for a PostgreSQL `timestamptz`: UTC with six fraction digits, `2024-02-29T08:05:00.123456Z`.
 * Years before 1 end in ` BC`, years above 9999 have five digits.
 *
 * Digits after the microsecond are cut, which keeps the order of instants. PostgreSQL would round them, possibly into the next day.
 * A stored text must be cut in the same way before its cast, for example `regexp_replace(text, '(\.\d{6})\d+', '\1')::timestamptz`.
 */
export function toPostgresTimestamp({ epochMs, nanoseconds }: Instant): string {
  const date = new Date(epochMs);
  const year = date.getUTCFullYear();
  const shownYear = String(year > 0 ? year : 1 - year).padStart(4, '0');
  const milliseconds = padded(date.getUTCMilliseconds(), 3);
  const microseconds = padded(Math.floor(nanoseconds / 1000), 3);
  const day = `${shownYear}-${padded(date.getUTCMonth() + 1, 2)}-${padded(date.getUTCDate(), 2)}`;
  const time = `${padded(date.getUTCHours(), 2)}:${padded(date.getUTCMinutes(), 2)}:${padded(date.getUTCSeconds(), 2)}`;
  return `${day}T${time}.${milliseconds}${microseconds}Z${year > 0 ? '' : ' BC'}`;
}

/** @returns `undefined` for a day that is not in the calendar */
function startOfDayMs(year: number, month: number, day: number): number | undefined {
  if (year === 0) return undefined;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 as 1900 to 1999.
  const epochMs = date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? epochMs : undefined;
}

function readOffsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > MAX_OFFSET_HOURS || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
