import { MAX_DECIMALS } from './decimals.ts';

/** A language of the page. */
export type Language = 'en' | 'de';

const MINUS = '\u2212';
/** Every whole number below it has its own double. */
const MIN_WITH_EXPONENT = 1e15;

/** Numbers, dates and times in one language. Times are in the zone of the browser. */
export interface Formats {
  /**
   * A number with a fixed count of decimal places: `20.010`; with a true minus and thousands as the language writes them. A number that
   * would have more digits than a double holds has an exponent: `1.7E308`, `2E−12`.
   */
  number: (value: number, decimals?: number) => string;
  /** A number with its sign: `+0.053`, `−0.2`, `0.0`. */
  signed: (value: number, decimals?: number) => string;
  /** A count: `5,000`; in German `5.000`. */
  count: (value: number) => string;
  /** `12.3 %` of a ratio of 0.123. */
  percent: (ratio: number, decimals?: number) => string;
  /** `1.4 MB`. */
  size: (bytes: number) => string;
  /** `21:41`. */
  time: (at: Date | string) => string;
  /** Whether a date is written with its year, because it is not in this one. */
  isOtherYear: (at: Date | string) => boolean;
  /** `8 May`, or `8 May 2025` when the year is not this one; in German `8. Mai`. */
  day: (at: Date | string) => string;
  /** `8 May 21:41`, or `8 May 2025 21:41` when the year is not this one; the empty text for a measurement without a time. */
  dayTime: (at: string | undefined) => string;
  /** `8 May 2026`. */
  date: (at: Date | string) => string;
  /** `8 May 2026, 21:41`. */
  dateTime: (at: Date | string) => string;
  /** `8 May 2026, 21:41:52`. */
  dateTimeSeconds: (at: Date | string) => string;
  /** `21:41:57.7`. */
  preciseTime: (at: Date | string) => string;
  /** `Friday, 8 May 2026`. */
  longDate: (at: Date | string) => string;
  /** `2 hours ago`, against `now`. */
  ago: (at: Date | string, now?: Date) => string;
  /** Compares texts as people sort them: `Flush 2` before `Flush 10`. */
  compare: (a: string, b: string) => number;
}

const RELATIVE_STEPS: readonly [limitSeconds: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 30, 86_400, 'day'],
  [86_400 * 365, 86_400 * 30, 'month'],
  [Number.POSITIVE_INFINITY, 86_400 * 365, 'year'],
];
const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Makes the formats of a language. @param now tells the time in whose year dates are written without it */
export function formatsOf(language: Language, now = () => new Date()): Formats {
  const locale = language === 'en' ? 'en-GB' : 'de-DE';
  const decimal = cached((decimals) => new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
  const free = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15 });
  const scientific = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 15 });
  const number = (value: number, decimals?: number) =>
    tidy(needsExponent(value, decimals) ? scientific : decimals === undefined ? free : decimal(decimals), value);
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (at: Date | string) => format.format(new Date(at));
  };
  const time = dates({ hour: '2-digit', minute: '2-digit' });
  const dayOfThisYear = dates({ day: 'numeric', month: 'short' });
  const date = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const isOtherYear = (at: Date | string) => new Date(at).getFullYear() !== now().getFullYear();
  const day = (at: Date | string) => (isOtherYear(at) ? date(at) : dayOfThisYear(at));
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return {
    number,
    signed: (value, decimals) => {
      const text = number(value, decimals);
      return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
    },
    count: (value) => number(value, 0),
    percent: (ratio, decimals = 0) => `${number(ratio * 100, decimals)}\u00A0%`,
    size: (bytes) => {
      const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZES.length - 1);
      return `${number(bytes / 1000 ** step, step === 0 ? 0 : 1)}\u00A0${SIZES[step]}`;
    },
    time,
    isOtherYear,
    day,
    dayTime: (at) => (at === undefined ? '' : `${day(at)} ${time(at)}`),
    date,
    dateTime: dates({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }),
    dateTimeSeconds: dates({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
    preciseTime: dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 1 }),
    longDate: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    ago: (at, from = now()) => {
      const seconds = (new Date(at).getTime() - from.getTime()) / 1000;
      const [, unit, name] = RELATIVE_STEPS.find(([limit]) => Math.abs(seconds) < limit) ?? [0, 1, 'second' as const];
      return relative.format(Math.round(seconds / unit), name);
    },
    compare: (a, b) => collator.compare(a, b),
  };
}

/** Whether a number is too large for its digits, or too small for the most decimal places that a figure has. */
function needsExponent(value: number, decimals = MAX_DECIMALS): boolean {
  const size = Math.abs(value);
  return Number.isFinite(size) && (size >= MIN_WITH_EXPONENT || (size > 0 && decimals >= MAX_DECIMALS && size < 10 ** -MAX_DECIMALS / 2));
}

/** Writes a true minus, and none before a value that rounds to nothing. */
function tidy(format: Intl.NumberFormat, value: number): string {
  const text = format.format(value).replaceAll('-', MINUS);
  return /[1-9]/.test(text) ? text : text.replace(MINUS, '');
}

function cached(make: (decimals: number) => Intl.NumberFormat): (decimals: number) => Intl.NumberFormat {
  const known = new Map<number, Intl.NumberFormat>();
  return (decimals) => {
    const format = known.get(decimals) ?? make(decimals);
    known.set(decimals, format);
    return format;
  };
}
