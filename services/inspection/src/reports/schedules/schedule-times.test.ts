import { describe, expect, it } from '@jest/globals';
import { cronProblem, nextTime } from './schedule-times.ts';

const next = (cron: string, after: string, zone = 'Europe/Berlin') => nextTime({ cron, zone }, new Date(after))?.toISOString();

describe('times of a schedule', () => {
  it('are wall times of the zone, whose clock is set twice a year', () => {
    expect(next('0 6 * * 1', '2026-03-27T10:00:00Z')).toBe('2026-03-30T04:00:00.000Z');
    expect(next('0 6 * * 1', '2026-03-20T10:00:00Z')).toBe('2026-03-23T05:00:00.000Z');
    // 02:30 does not exist on the day on which the clock is set forward.
    expect(next('30 2 * * *', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(next('0 6 * * *', '2026-01-01T00:00:00Z', 'Asia/Kolkata')).toBe('2026-01-01T00:30:00.000Z');
  });

  it('come once where the clock is set back', () => {
    const first = next('30 2 * * *', '2026-10-24T12:00:00Z');
    expect(first).toBe('2026-10-25T00:30:00.000Z');
    expect(next('30 2 * * *', first!)).toBe('2026-10-26T01:30:00.000Z');
  });

  it('begin behind the given time', () => {
    expect(next('0 6 * * *', '2026-01-01T05:00:00.000Z')).toBe('2026-01-02T05:00:00.000Z');
    expect(next('0 6 1 1 *', '2026-01-01T05:00:00.000Z')).toBe('2027-01-01T05:00:00.000Z');
  });

  it.each([
    ['0 6 * * 1', undefined],
    ['*/15 6-22 * * MON-FRI', undefined],
    ['', 'must have five fields'],
    ['0 6 * *', 'must have five fields'],
    ['0 0 6 * * 1', 'must have five fields'],
    ['@daily', 'must have five fields'],
    ['61 * * * *', 'is no cron line: Invalid value for minute: 61'],
    ['x * * * *', 'is no cron line'],
    ['0 0 31 2 *', 'names no time that ever comes'],
  ])('are refused in a sentence: %s', (cron, problem) => {
    const found = cronProblem(cron);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});
