import type { Language } from '../../design/language/formats';
import { useFormats, useLanguage } from '../../design/language/language';
import { Label, Vertical } from '../drawing/figure';
import { timeTicks, type TimeTick } from '../drawing/time-ticks';
import type { ShownSeries } from './shown-series';

/** Width that a date takes on the axis, px. */
const DATE_WIDTH = 52;

/** A tick of the axis of time, at a position in points. */
export interface PlacedTick extends TimeTick {
  readonly position: number;
}

/** Finds the points at which weeks, days or hours begin. */
export function ticksOfSeries({ entries, count }: Pick<ShownSeries, 'entries' | 'count'>, plot: number): PlacedTick[] {
  const most = Math.max(2, Math.floor(plot / DATE_WIDTH));
  const least = count === 0 ? 0 : ((DATE_WIDTH * entries.length) / plot) * 0.95;
  return timeTicks(
    entries.map(({ from }) => from),
    most,
    least,
  ).map((tick) => ({ ...tick, position: entries[tick.index]!.position }));
}

interface TimeAxisProps {
  ticks: readonly PlacedTick[];
  x: (position: number) => number;
  top: number;
  bottom: number;
  /** Whether the dates are written below. */
  isWritten: boolean;
}

/** Grid lines at the beginnings of weeks, days or hours, with their dates where wanted. */
export function TimeAxis({ ticks, x, top, bottom, isWritten }: TimeAxisProps) {
  const write = useTickText();
  return (
    <>
      {ticks.map((tick, i) => (
        <g key={tick.index}>
          {i > 0 && <Vertical x={x(tick.position)} y1={top} y2={bottom} kind="grid" />}
          {isWritten && <Vertical x={x(tick.position)} y1={bottom} y2={bottom + 4} kind="tick" />}
          {isWritten && (
            <Label x={x(tick.position)} y={bottom + 16} kind="axis" anchor={i === 0 ? 'start' : 'middle'}>
              {write(tick, i === 0)}
            </Label>
          )}
        </g>
      ))}
    </>
  );
}

/** Writes the time of a tick as short as it is clear: a day, a month, which names a new year, or an hour. */
function useTickText(): (tick: TimeTick, isFirst: boolean) => string {
  const formats = useFormats();
  const language = useLanguage();
  return ({ time, unit }, isFirst) => {
    if (unit === 'year') return String(time.getFullYear());
    if (unit === 'month') return writeMonth(time, language, isFirst || time.getMonth() === 0);
    if (unit === 'minute' || unit === 'hour') return isMidnight(time) ? writeDay(time, language, formats.day) : formats.time(time);
    return writeDay(time, language, formats.day);
  };
}

/** German dates on an axis are figures, `23.03.`, which need less room than names. */
function writeDay(time: Date, language: Language, day: (at: Date) => string): string {
  if (language !== 'de') return day(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(time.getDate())}.${two(time.getMonth() + 1)}.`;
}

function writeMonth(time: Date, language: Language, hasYear: boolean): string {
  const options: Intl.DateTimeFormatOptions = { month: 'short', ...(hasYear && { year: 'numeric' }) };
  return new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', options).format(time);
}

function isMidnight(time: Date): boolean {
  return time.getHours() === 0 && time.getMinutes() === 0;
}
