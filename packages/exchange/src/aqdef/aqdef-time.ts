import { ZonedClock, type LocalTime } from '../local-time.js';

const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})$/;
const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/;
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AaPp])\.?[Mm]\.?)?$/;
const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/;
/** Separators between date and time: blanks, a slash or a point. */
const SEPARATED = /^(\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})|\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})|\d{4}-\d{1,2}-\d{1,2})(?:[ /.]+(.+))?$/;
/** Two-digit years from this one belong to the twentieth century. */
const FIRST_OLD_YEAR = 70;

/** The forms of dates for messages. */
export const TIME_FORMS = 'dd.MM.yyyy/HH:mm:ss, M/d/yyyy HH:mm:ss, yyyy-MM-dd HH:mm:ss or ISO 8601';

/** Reads and writes the times of AQDEF files, which are local times of a zone. */
export class AqdefClock {
  private readonly clock: ZonedClock;
  private lastText = '';
  private lastTime: string | undefined;

  /** @param zone for example `Europe/Berlin` */
  constructor(zone: string) {
    this.clock = new ZonedClock(zone);
  }

  /** @returns the time in UTC as `2026-01-05T07:30:00Z`; `undefined` when the text has no known form or names no day */
  read(text: string): string | undefined {
    if (text === this.lastText) return this.lastTime;
    this.lastText = text;
    this.lastTime = this.parse(text.trim());
    return this.lastTime;
  }

  /** Writes `dd.MM.yyyy/HH:mm:ss`; a time with fractions of a second, or one that the clock of the zone repeats, stays in ISO 8601. */
  write(time: string): string {
    // A time without a zone is in UTC.
    const instant = Date.parse(/T.*(?:Z|[+-]\d\d:\d\d)$/.test(time) || !time.includes('T') ? time : `${time}Z`);
    const local = /\.\d*[1-9]/.test(time) || Number.isNaN(instant) ? undefined : this.clock.toLocal(instant);
    if (local === undefined || local.year < 1 || local.year > 9999) return time;
    const { day, month, year, hour, minute, second } = local;
    return `${padded(day)}.${padded(month)}.${String(year).padStart(4, '0')}/${padded(hour)}:${padded(minute)}:${padded(second)}`;
  }

  private parse(text: string): string | undefined {
    const iso = ISO.exec(text);
    if (iso?.[3] !== undefined) return isoWithZone(text, iso);
    const [, date, time] = iso ?? SEPARATED.exec(text) ?? [];
    if (date === undefined) return undefined;
    const day = readDate(date);
    const clock = time === undefined ? { hour: 0, minute: 0, second: 0, millisecond: 0 } : readClock(time);
    if (day === undefined || clock === undefined) return undefined;
    return utcText(this.clock.toInstant({ ...day, ...clock }));
  }
}

function isoWithZone(text: string, [, date = '', , zone]: RegExpExecArray): string | undefined {
  const instant = Date.parse(text);
  if (Number.isNaN(instant) || readDate(date) === undefined) return undefined;
  // Keeps digits that a Date would lose.
  return zone === 'Z' ? text : utcText(instant);
}

function utcText(instant: number): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(instant) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined;
  return date.toISOString().replace('.000Z', 'Z');
}

function readDate(text: string): Pick<LocalTime, 'year' | 'month' | 'day'> | undefined {
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return existingDay(yearOf(dayFirst[3] ?? ''), Number(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return existingDay(yearOf(monthFirst[3] ?? ''), Number(monthFirst[1]), Number(monthFirst[2]));
  const yearFirst = YEAR_FIRST.exec(text);
  return yearFirst ? existingDay(Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])) : undefined;
}

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < FIRST_OLD_YEAR ? 2000 + year : 1900 + year;
}

function existingDay(year: number, month: number, day: number): Pick<LocalTime, 'year' | 'month' | 'day'> | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
}

function readClock(text: string): Pick<LocalTime, 'hour' | 'minute' | 'second' | 'millisecond'> | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [, hours, minutes, seconds = '0', fraction = '', half] = match;
  const minute = Number(minutes);
  const second = Number(seconds);
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || minute > 59 || second > 59 || (half !== undefined && (Number(hours) < 1 || Number(hours) > 12))) return undefined;
  return { hour, minute, second, millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) };
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
