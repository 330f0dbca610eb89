import { describe, expect, it } from '@jest/globals';
import { timeTicks } from './time-ticks.ts';

/** One point an hour from Monday, 2 March 2026, in the zone of the test. */
const hourly = (count: number) => Array.from({ length: count }, (_, i) => new Date(2026, 2, 2, i).toISOString());

describe('timeTicks', () => {
  it('begins weeks on Mondays', () => {
    const ticks = timeTicks(hourly(24 * 30), 10);
    expect(ticks.map(({ unit }) => unit)).toEqual(Array(5).fill('week'));
    expect(ticks.map(({ time }) => time.getDate())).toEqual([2, 9, 16, 23, 30]);
  });
  it('takes days where they fit', () => {
    expect(timeTicks(hourly(24 * 5), 6).map(({ index }) => index)).toEqual([0, 24, 48, 72, 96]);
  });
  it('takes months for long times', () => {
    expect(new Set(timeTicks(hourly(24 * 200), 8).map(({ unit }) => unit))).toEqual(new Set(['month']));
  });
  it('leaves out a tick that is too near to the one before', () => {
    expect(timeTicks(hourly(24 * 5), 6, 30).map(({ index }) => index)).toEqual([0, 48, 96]);
  });
  it('skips points without a time', () => {
    expect(timeTicks([undefined, ...hourly(3)], 5)[0]?.index).toBe(1);
  });
  it('has no ticks without times', () => {
    expect(timeTicks([undefined], 5)).toEqual([]);
  });
});
