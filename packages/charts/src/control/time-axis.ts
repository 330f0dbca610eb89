import { label, vertical } from '../drawing/lines.ts';
import { group, type Group } from '../drawing/shapes.ts';
import { timeTicks, type TimeTick } from '../drawing/time-ticks.ts';
import type { Formats, Language } from '../language/formats.ts';
import type { Locale } from '../language/texts.ts';
import type { ShownSeries } from './shown-series.ts';

/** Width that a date takes on the axis, px. */
const DATE_WIDTH = 52;
/** The same where dates have their year. */
const YEAR_WIDTH = 76;

/** A tick of the axis of time, at a position in points. */
export interface PlacedTick extends TimeTick {
  readonly position: number;
}

/** Finds the points at which weeks, days or hours begin. @param isOtherYear whether a date is written with its year */
export function ticksOfSeries(
  { entries, count }: Pick<ShownSeries, 'entries' | 'count'>,
  plot: number,
  { isOtherYear }: Pick<Formats, 'isOtherYear'>,
): PlacedTick[] {
  const oldest = entries.find(({ from }) => from !== undefined)?.from;
  const width = oldest !== undefined && isOtherYear(oldest) ? YEAR_WIDTH : DATE_WIDTH;
  const most = Math.max(2, Math.floor(plot / width));
  const least = count === 0 ? 0 : ((width * entries.length) / plot) * 0.95;
  return timeTicks(
    entries.map(({ from }) => from),
    most,
    least,
  ).map((tick) => ({ ...tick, position: entries[tick.index]!.position }));
}

interface TimeAxis {
  ticks: readonly PlacedTick[];
  x: (position: number) => number;
  top: number;
  bottom: number;
  /** Whether the dates are written below. */
  isWritten: boolean;
}

/** Grid lines at the beginnings of weeks, days or hours, with their dates where wanted. */
export function timeAxis({ ticks, x, top, bottom, isWritten }: TimeAxis, locale: Locale): Group[] {
  return ticks.map((tick, i) => {
    const at = x(tick.position);
    return group([
      i > 0 && vertical({ x: at, y1: top, y2: bottom, kind: 'grid' }),
      isWritten && [
        vertical({ x: at, y1: bottom, y2: bottom + 4, kind: 'tick' }),
        label({ x: at, y: bottom + 16, kind: 'axis', anchor: i === 0 ? 'start' : 'middle' }, tickText(tick, ticks[i - 1], locale)),
      ],
    ]);
  });
}

/** Writes the time of a tick as short as it is clear: a day, which names another year once, a month, which names a new year, or an hour. */
function tickText({ time, unit }: TimeTick, before: TimeTick | undefined, { language, formats }: Locale): string {
  const isNewYear = before?.time.getFullYear() !== time.getFullYear();
  if (unit === 'year') return String(time.getFullYear());
  if (unit === 'month') return writeMonth(time, language, isNewYear);
  if ((unit === 'minute' || unit === 'hour') && !isMidnight(time)) return formats.time(time);
  const hasYear = isNewYear && (before !== undefined || formats.isOtherYear(time));
  return writeDay(time, language, hasYear);
}

/** German dates on an axis are figures, `23.03.`, which need less room than names. */
function writeDay(time: Date, language: Language, hasYear: boolean): string {
  const year = hasYear ? ({ year: 'numeric' } as const) : {};
  return language === 'de'
    ? new Intl.DateTimeFormat('de-DE', { day: '2-digit', month: '2-digit', ...year }).format(time)
    : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...year }).format(time);
}

function writeMonth(time: Date, language: Language, hasYear: boolean): string {
  const options: Intl.DateTimeFormatOptions = { month: 'short', ...(hasYear && { year: 'numeric' }) };
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', options).format(time);
}

function isMidnight(time: Date): boolean {
  return time.getHours() === 0 && time.getMinutes() === 0;
}
