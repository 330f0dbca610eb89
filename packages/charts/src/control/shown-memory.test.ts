import { describe, expect, it } from '@jest/globals';
import { shownMemory, type MemoryChartAnswer } from './shown-memory.ts';

const point = (day: number) => ({ time: new Date(Date.UTC(2026, 0, day)).toISOString(), measurementUuid: `m${day}` });
const CUSUM: MemoryChartAnswer = {
  type: 'cusum',
  target: 20,
  sigma: 0.01,
  k: 0.5,
  h: 4,
  points: [
    { ...point(1), above: 1, below: 0, isBeyond: false },
    { ...point(2), above: 0.5, below: 4.5, isBeyond: true },
    { ...point(3), above: 5, below: 0, isBeyond: true },
  ],
};
const EWMA: MemoryChartAnswer = {
  type: 'ewma',
  target: 20,
  sigma: 0.01,
  points: [
    { ...point(1), value: 20.01, lower: 19.99, upper: 20.01, isBeyond: false },
    { ...point(2), value: 20.03, lower: 19.98, upper: 20.02, isBeyond: true },
  ],
};

describe('a CUSUM chart', () => {
  it('has a curve above and one below its zero', () => {
    expect(shownMemory(CUSUM).curves).toEqual([
      [1, 0.5, 5],
      [-0, -4.5, -0],
    ]);
  });
  it('marks the sum that is beyond its limit', () => {
    expect(shownMemory(CUSUM).beyond).toEqual([
      { position: 1, value: -4.5 },
      { position: 2, value: 5 },
    ]);
  });
  it('has its limits on both sides of zero', () => {
    const { lower, upper, centerLine } = shownMemory(CUSUM);
    expect([lower[0], centerLine, upper[0]]).toEqual([-4, 0, 4]);
  });
});

describe('an EWMA chart', () => {
  it('has limits of its own at every point', () => {
    expect(shownMemory(EWMA)).toMatchObject({ centerLine: 20, lower: [19.99, 19.98], upper: [20.01, 20.02], count: 2 });
  });
  it('is cut to the times of the view', () => {
    const shown = shownMemory(EWMA, { from: Date.parse(point(2).time) });
    expect(shown.entries.map(({ measurementUuids }) => measurementUuids)).toEqual([['m2']]);
    expect(shown.beyond).toEqual([{ position: 0, value: 20.03 }]);
  });
  it('begins with the newest stage', () => {
    const newest = { kind: 'computed' as const, from: point(1).time, reason: 'new fixture', offset: 5, count: 3 };
    const stages = [{ kind: 'computed' as const, offset: 0, count: 5 }, newest];
    const begun = { position: 0, isBeginning: true, from: newest.from, reason: 'new fixture' };
    expect(shownMemory(CUSUM, {}, { stages }).stages).toEqual([begun]);
    expect(shownMemory(CUSUM, { from: Date.parse(point(2).time) }, { stages }).stages).toEqual([]);
    expect(shownMemory(CUSUM, {}, { stages: [{ ...newest, count: 4 }] }).stages).toEqual([]);
  });
});
