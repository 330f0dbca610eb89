import { parseTime, type DateOrder, type WrittenTime } from './date-forms.ts';
import { utcOf, ZonedClock } from './local-time.ts';
import { cleaned } from './texts.ts';

const ISO_IN_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z$/;
const MINUTE_MS = 60_000;

/** Reads the times of a file, which are local times of a zone unless they name another offset. */
export class TimeReader {
  private readonly clock: ZonedClock;
  private readonly order: DateOrder | undefined;
  private readonly slashOrder: DateOrder | undefined;
  private lastText = '';
  private lastTime: string | undefined;

  /**
   * @param zone for example `Europe/Berlin`
   * @param order of day and month, see {@link parseTime}
   * @param slashOrder of dates with slashes where the format defines another one
   */
  constructor(zone: string, order: DateOrder | undefined, slashOrder = order) {
    this.clock = new ZonedClock(zone);
    this.order = order;
    this.slashOrder = slashOrder;
  }

  /** @returns the time in UTC as `2026-01-05T07:30:00Z`; `undefined` when the text is no time, or one of several by its order */
  read(text: string): string | undefined {
    if (text === this.lastText) return this.lastTime;
    this.lastText = text;
    this.lastTime = this.parse(cleaned(text));
    return this.lastTime;
  }

  private parse(text: string): string | undefined {
    const written = parseTime(text, this.order, this.slashOrder);
    if (written === undefined || written === 'ambiguous') return undefined;
    // Keeps digits that a Date would lose.
    return ISO_IN_UTC.test(text) && written.hour === Number(text.slice(11, 13)) ? text : utcText(this.instantOf(written));
  }

  private instantOf(written: WrittenTime): number {
    if (written.offsetMinutes === undefined) return this.clock.toInstant(written);
    return utcOf(written) - written.offsetMinutes * MINUTE_MS;
  }
}

function utcText(instant: number): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(instant) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined;
  return date.toISOString().replace('.000Z', 'Z');
}
