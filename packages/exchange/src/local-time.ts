const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Most quarters of an hour whose offset is kept. */
const MAX_KEPT = 50_000;

/** A time without a zone. */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

/** Whether the zone is one that the runtime knows, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Converts between local times of a zone and instants. */
export class ZonedClock {
  private readonly format: Intl.DateTimeFormat;
  private readonly offsets = new Map<number, number>();

  /** @param zone see {@link isTimeZone} */
  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** @returns milliseconds since 1970 in UTC; a time that the clock skips or repeats counts with the offset before the change */
  toInstant(local: LocalTime): number {
    const asUtc = utcOf(local);
    return asUtc - this.offsetOfLocal(asUtc);
  }

  /** @returns the local time, or `undefined` when it would not be read back as the same instant */
  toLocal(instant: number): LocalTime | undefined {
    const asUtc = instant + this.offsetAt(instant);
    if (asUtc - this.offsetOfLocal(asUtc) !== instant) return undefined;
    const date = new Date(asUtc);
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      millisecond: date.getUTCMilliseconds(),
    };
  }

  private offsetOfLocal(asUtc: number): number {
    // Offsets change at full quarters of an hour.
    const quarter = Math.floor(asUtc / (15 * MINUTE_MS));
    const kept = this.offsets.get(quarter);
    if (kept !== undefined) return kept;
    const start = quarter * 15 * MINUTE_MS;
    const before = this.offsetAt(start - 24 * HOUR_MS);
    const offset = this.offsetAt(start - before) === before ? before : this.offsetAt(start - this.offsetAt(start + 24 * HOUR_MS));
    // Times of a file stand close together, so an eviction one by one would gain nothing.
    if (this.offsets.size >= MAX_KEPT) this.offsets.clear();
    this.offsets.set(quarter, offset);
    return offset;
  }

  /** Offset of the zone at an instant in milliseconds; offsets of seconds, which zones had long ago, are kept. */
  private offsetAt(instant: number): number {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.format.formatToParts(instant)) parts[type] = value;
    const year = Number(parts['year']);
    const whole = Math.floor(instant / 1000) * 1000;
    return (
      utcOf({
        year: parts['era'] === 'BC' ? 1 - year : year,
        month: Number(parts['month']),
        day: Number(parts['day']),
        hour: Number(parts['hour']),
        minute: Number(parts['minute']),
        second: Number(parts['second']),
        millisecond: 0,
      }) - whole
    );
  }
}

/** Milliseconds since 1970 of a time whose zone is UTC. */
export function utcOf({ year, month, day, hour, minute, second, millisecond }: LocalTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, millisecond);
  return date.getTime();
}
