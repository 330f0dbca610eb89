import { ZonedClock } from '../local-time.ts';

/** Writes the times of AQDEF files, which are local times of a zone. */
export class AqdefClock {
  private readonly clock: ZonedClock;

  /** @param zone for example `Europe/Berlin` */
  constructor(zone: string) {
    this.clock = new ZonedClock(zone);
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
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
