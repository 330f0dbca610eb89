const ABSOLUTE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;
const RELATIVE = /^-(\d{1,6})([mhdwMy])$/;

/** Units in milliseconds; months and years have no fixed length. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Reads a date of a filter: ISO 8601, in UTC without a zone; or `-<count>` and a unit before `now`.
 * Units: m minutes, h hours, d days, w weeks, M months, y years.
 * @returns the instant for PostgreSQL with all fraction digits; `undefined` for an invalid date
 * spec: raw-data-service.md, Filter syntax, value format 3; decisions.md 1.7, 10.4
 */
export function readDate(text: string, now: Date): string | undefined {
  const relative = RELATIVE.exec(text);
  if (relative) return before(now, Number(relative[1]), relative[2] as string)?.toISOString();
  const absolute = ABSOLUTE.exec(text);
  if (!absolute) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = absolute.slice(1, 7).map((part) => Number(part ?? 0));
  const zone = absolute[7]?.toUpperCase();
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined;
  if (zone !== undefined && zone !== 'Z' && (Number(zone.slice(1, 3)) > 14 || Number(zone.slice(4)) > 59)) return undefined;
  return zone === undefined ? `${text}${text.includes('T') || text.includes('t') ? '' : 'T00:00'}Z` : text;
}

/** @returns `undefined` before the year 1 */
function before(now: Date, count: number, unit: string): Date | undefined {
  const length = UNITS[unit];
  if (length !== undefined) return inRange(new Date(now.getTime() - count * length));
  const months = unit === 'y' ? count * 12 : count;
  const total = now.getUTCFullYear() * 12 + now.getUTCMonth() - months;
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1];
  if (year < 1) return undefined;
  const date = new Date(now);
  // One month before March 31 is the last day of February, not March 3.
  date.setUTCFullYear(year, month - 1, Math.min(now.getUTCDate(), daysIn(year, month)));
  return date;
}

function inRange(date: Date): Date | undefined {
  return date.getTime() >= Date.parse('0001-01-01T00:00:00Z') ? date : undefined;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}
