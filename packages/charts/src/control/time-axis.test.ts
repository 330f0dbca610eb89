import { describe, expect, it, jest } from '@jest/globals';
import { localeOf } from '../language/texts.ts';
import { ticksOfSeries, timeAxis } from './time-axis.ts';

jest.useFakeTimers({ now: Date.UTC(2026, 5, 1) });

/** Texts of an axis of weekly points. */
function textsFrom(first: string): string[] {
  const entries = Array.from({ length: 6 }, (_, i) => ({
    position: i,
    from: new Date(Date.parse(first) + i * 7 * 86_400_000).toISOString(),
  }));
  const locale = localeOf('en');
  const ticks = ticksOfSeries({ entries: entries as never, count: 6 }, 600, locale.formats);
  const groups = timeAxis({ ticks, x: (position) => position * 100, top: 0, bottom: 100, isWritten: true }, locale);
  return groups.flatMap(({ shapes }) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])));
}

describe('dates on the axis of time', () => {
  it('have no year in this one', () => {
    expect(textsFrom('2026-03-02T12:00:00Z').slice(0, 2)).toEqual(['2 Mar', '9 Mar']);
  });

  it('name another year once, and where a year begins', () => {
    expect(textsFrom('2025-12-15T12:00:00Z')).toEqual(['15 Dec 2025', '22 Dec', '29 Dec', '5 Jan 2026', '12 Jan', '19 Jan']);
  });
});
