import type { Formats } from '@sinebar/charts';
import type { Measurement } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';
import { TIME_KEY } from '../../quality/values/measurement-values';
import { countsOf, worstOf } from '../../quality/values/value-statuses';
import { namesOf } from '../../server/queries/plan-path';
import type { texts } from './texts';

/** An event in words, with the status of what it is about. */
export interface EventWords {
  text: string;
  status?: Status | undefined;
}

/** What the words of an event depend on besides its payload. */
export interface WordsContext {
  t: (typeof texts)['en'];
  formats: Formats;
  /** Known measurements by uuid. */
  measurements: ReadonlyMap<string, Measurement>;
}

export function measurementWords(uuid: string, { t, formats, measurements }: WordsContext): EventWords {
  const measurement = measurements.get(uuid);
  if (!measurement) return { text: '' };
  const counts = countsOf(measurement);
  const values = t.values(formats.count(counts.values));
  const { out, warning, noLimits } = counts;
  const notIn = [
    ...(out > 0 ? [t.outCount(formats.count(out))] : []),
    ...(warning > 0 ? [t.warningCount(formats.count(warning))] : []),
    ...(noLimits > 0 ? [noLimits === counts.values ? t.noLimits : t.noLimitsCount(formats.count(noLimits))] : []),
  ];
  const verdict = counts.values === 0 ? [] : notIn.length > 0 ? notIn : [t.allIn];
  return { status: worstOf(counts), text: [...idOf(measurement), values, ...verdict].join(', ') };
}

export function movedWords({ FromPath, ToPath }: { FromPath: string; ToPath: string }, { t }: WordsContext): EventWords {
  // The server empties the path that the reader may not see.
  const pathText = (path: string) => (path === '' ? '…' : namesOf(path).join(' / '));
  return { text: t.moved(pathText(FromPath), pathText(ToPath)) };
}

/** The first attribute that is no time and no catalog key distinguishes measurements, such as a serial number. */
function idOf({ attributes }: Measurement): string[] {
  const text = Object.entries(attributes).find(([key, value]) => Number(key) !== TIME_KEY && !/^\d{1,5}$/.test(value));
  return text ? [text[1]] : [];
}
