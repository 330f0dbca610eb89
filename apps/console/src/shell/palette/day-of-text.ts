import type { Language } from '@sinebar/charts';

/** A day in the zone of the browser: its beginning, and that of the next day. */
export interface Day {
  from: Date;
  to: Date;
}

/** Letters of a month that tell it from others. */
const MIN_LETTERS = 3;
const LOCALES = { en: 'en-GB', de: 'de' } as const;

/**
 * Reads a date as people type it: `2026-05-08`, `08.05.2026`, `8.5.`, `8/5/2026`, `8 May 2026`, `8. Mai`.
 * Without a year it is the last such day, today included.
 */
export function dayOfText(text: string, language: Language, now = new Date()): Day | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{2}|\d{4})?)?$/.exec(text);
  if (numbers && (text.includes('/') || text.split('.').length === 3)) {
    return dayIn(numbers[3], Number(numbers[2]), Number(numbers[1]), now);
  }
  const named = /^(\d{1,2})\.?\s+(\p{L}+)\.?(?:\s+(\d{4}))?$/u.exec(text);
  if (!named) return undefined;
  const month = monthOf(named[2] ?? '', language);
  return month === undefined ? undefined : dayIn(named[3], month, Number(named[1]), now);
}

/** The month with a name that begins with the letters. */
function monthOf(letters: string, language: Language): number | undefined {
  if (letters.length < MIN_LETTERS) return undefined;
  const names = new Intl.DateTimeFormat(LOCALES[language], { month: 'long', timeZone: 'UTC' });
  const at = Array.from({ length: 12 }, (_, i) => names.format(new Date(Date.UTC(2000, i, 1)))).findIndex((name) =>
    name.toLowerCase().startsWith(letters.toLowerCase()),
  );
  return at < 0 ? undefined : at + 1;
}

function dayIn(year: string | undefined, month: number, day: number, now: Date): Day | undefined {
  if (year !== undefined) return dayOf(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  const found = dayOf(now.getFullYear(), month, day);
  return found && found.from > now ? dayOf(now.getFullYear() - 1, month, day) : found;
}

/** The day, unless the month has none with the number. */
function dayOf(year: number, month: number, day: number): Day | undefined {
  const from = new Date(year, month - 1, day);
  if (from.getMonth() !== month - 1 || from.getDate() !== day) return undefined;
  return { from, to: new Date(year, month - 1, day + 1) };
}
