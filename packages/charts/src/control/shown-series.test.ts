import { describe, expect, it } from '@jest/globals';
import type { CharacteristicSeries } from '@sinebar/contracts';
import { shownSeries, significantDecimals } from './shown-series.ts';

const day = (date: number) => new Date(Date.UTC(2026, 0, date)).toISOString();
const LIMITS = { lowerTolerance: 0, upperTolerance: 10 };

const single: CharacteristicSeries = {
  count: 4,
  offset: 100,
  kind: 'values',
  values: [5, 12, 7, 6].map((value, i) => ({
    time: day(i + 1),
    value,
    measurementUuid: `m${i}`,
    status: value > 10 ? 'aboveTolerance' : 'inLimits',
  })),
  ruleHits: [
    { rule: 'nelson1', on: 'location', index: 101, measurementUuid: 'm1' },
    { rule: 'nelson1', on: 'variation', index: 102, measurementUuid: 'm2' },
  ],
};

describe('single values', () => {
  it('are points at consecutive places', () => {
    expect(shownSeries(single, LIMITS).entries.map(({ position, mean }) => [position, mean])).toEqual([
      [0, 5],
      [1, 12],
      [2, 7],
      [3, 6],
    ]);
  });
  it('stand out beyond the tolerance, in the middle of their place', () => {
    expect(shownSeries(single, LIMITS).outOfTolerance).toMatchObject([{ position: 1.5, value: 12, status: 'aboveTolerance' }]);
  });
  it('have their distance to the one before', () => {
    expect(shownSeries(single, LIMITS).variation.map(({ position, mean }) => [position, mean])).toEqual([
      [1, 7],
      [2, 5],
      [3, 1],
    ]);
  });
  it('break rules at their places', () => {
    const { hits, variationHits } = shownSeries(single, LIMITS);
    expect(hits).toEqual([{ rule: 'nelson1', position: 1.5 }]);
    expect(variationHits).toEqual([{ rule: 'nelson1', position: 2.5 }]);
  });
  it('are cut to the times of the view', () => {
    const shown = shownSeries(single, LIMITS, { from: Date.parse(day(2)), to: Date.parse(day(4)) });
    expect(shown.entries.map(({ mean }) => mean)).toEqual([12, 7]);
    expect(shown.hits).toEqual([{ rule: 'nelson1', position: 0.5 }]);
  });
});

describe('buckets', () => {
  const buckets: CharacteristicSeries = {
    count: 20,
    offset: 0,
    kind: 'buckets',
    buckets: [
      {
        from: day(1),
        to: day(2),
        count: 10,
        minimum: 1,
        maximum: 12,
        mean: 6,
        first: 3,
        last: 5,
        outOfTolerance: [{ value: 12, measurementUuid: 'm' }],
      },
      {
        from: day(3),
        to: day(4),
        count: 10,
        minimum: 2,
        maximum: 9,
        mean: 5,
        first: 5,
        last: 5,
        outOfTolerance: [],
        movingRange: { minimum: 0, maximum: 4, mean: 1 },
      },
    ],
    ruleHits: [],
  };

  it('take the place of their values', () => {
    expect(shownSeries(buckets, LIMITS)).toMatchObject({ count: 20, isSingle: false });
  });
  it('show their values out of tolerance', () => {
    expect(shownSeries(buckets, LIMITS).outOfTolerance).toMatchObject([{ position: 5, value: 12 }]);
  });
  it('carry their moving ranges', () => {
    expect(shownSeries(buckets, LIMITS).variation).toEqual([{ position: 10, count: 10, minimum: 0, maximum: 4, mean: 1 }]);
  });
});

describe('subgroups', () => {
  it('that are too many to be listed break rules where they were measured', () => {
    const [first, second] = [
      { from: day(1), to: day(2) },
      { from: day(3), to: day(4) },
    ].map((times) => ({ ...times, count: 10, minimum: 1, maximum: 9, mean: 5, first: 3, last: 5, outOfTolerance: [] }));
    const shown = shownSeries(
      {
        count: 20,
        offset: 0,
        kind: 'buckets',
        buckets: [first!, second!],
        chart: { type: 'xbarR' } as NonNullable<CharacteristicSeries['chart']>,
        ruleHits: [{ rule: 'nelson1', on: 'location', index: 2, time: day(3), measurementUuid: 'm' }],
      },
      LIMITS,
    );
    expect(shown.hits).toEqual([{ rule: 'nelson1', position: 15 }]);
  });
  it('of another size carry their own limits', () => {
    const limits = { location: { centerLine: 5, lower: 4, upper: 6 }, variation: { centerLine: 2, lower: 0, upper: 4 } };
    const shown = shownSeries(
      {
        count: 3,
        offset: 0,
        kind: 'values',
        subgroups: [{ time: day(1), mean: 5, variation: 2, count: 3, measurementUuids: [], limits }],
        ruleHits: [],
      },
      LIMITS,
    );
    expect(shown.entries[0]?.limits).toEqual(limits.location);
    expect(shown.variation[0]?.limits).toEqual(limits.variation);
  });

  it('are one point each', () => {
    const series: CharacteristicSeries = {
      count: 10,
      offset: 0,
      kind: 'values',
      subgroups: [
        { time: day(1), mean: 5, variation: 2, count: 5, measurementUuids: [] },
        { time: day(2), mean: 6, variation: 3, count: 5, measurementUuids: [] },
      ],
      ruleHits: [],
    };
    const shown = shownSeries(series, LIMITS);
    expect(shown.count).toBe(2);
    expect(shown.variation.map(({ mean }) => mean)).toEqual([2, 3]);
  });
});

describe('stages', () => {
  const chart = (upper: number): NonNullable<CharacteristicSeries['chart']> => ({
    type: 'individuals',
    subgroupSize: 1,
    sigmaMethod: 'movingRange',
    sigma: 1,
    location: { centerLine: 5, lower: 0, upper },
    variation: { centerLine: 1, lower: 0, upper: upper / 2 },
    baseline: { count: 2 },
  });
  const staged: CharacteristicSeries = {
    ...single,
    chart: chart(20),
    stages: [
      { kind: 'computed', offset: 0, count: 102, chart: chart(10) },
      { kind: 'computed', from: day(2), offset: 102, count: 0 },
      { kind: 'computed', from: day(3), reason: 'new tool', offset: 102, count: 2, chart: chart(20) },
    ],
  };
  it('give each point the limits of its own', () => {
    const { entries, variation } = shownSeries(staged, LIMITS);
    expect(entries.map(({ limits }) => limits?.upper)).toEqual([10, 10, 20, 20]);
    expect(variation.map(({ limits }) => limits?.upper)).toEqual([5, 10, 10]);
  });
  it('begin at their first points; one without points is left out', () => {
    expect(shownSeries(staged, LIMITS).stages).toMatchObject([
      { position: 0, isBeginning: false },
      { position: 2, isBeginning: true, from: day(3), reason: 'new tool' },
    ]);
  });
  it('are those of the view', () => {
    const { stages, entries } = shownSeries(staged, LIMITS, { from: Date.parse(day(3)) });
    expect(stages).toMatchObject([{ position: 0, isBeginning: false, reason: 'new tool' }]);
    expect(entries.map(({ limits }) => limits?.upper)).toEqual([20, 20]);
  });
  it('have no limits where they are not known', () => {
    const [first, , last] = staged.stages!;
    const { chart: _chart, ...unknown } = last!;
    expect(shownSeries({ ...staged, stages: [first!, unknown] }, LIMITS).entries.map(({ limits }) => limits?.upper)).toEqual([
      10,
      10,
      undefined,
      undefined,
    ]);
  });
  it('begin in time where the values stand for subgroups, whose limits do not hold for them', () => {
    const { stages, entries } = shownSeries({ ...staged, chart: { ...chart(20), type: 'xbarR' } }, LIMITS);
    expect(stages.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(entries.some(({ limits }) => limits)).toBe(false);
  });
});

describe('counts', () => {
  const point = (index: number, count: number, upper: number) => ({
    index,
    time: day(index),
    measurementUuid: `m${index}`,
    count,
    size: 100,
    value: count / 100,
    centerLine: 0.02,
    lower: 0,
    upper,
    isBeyond: count / 100 > upper,
  });
  const counts: CharacteristicSeries = {
    ...single,
    countChart: {
      type: 'p',
      rate: 0.02,
      baseline: { count: 4 },
      // The sample with the index 3 is left out.
      points: [point(1, 2, 0.06), point(2, 3, 0.06), point(4, 9, 0.08)],
    },
    stages: [
      { kind: 'computed', offset: 0, count: 3 },
      { kind: 'computed', from: day(3), offset: 3, count: 2 },
    ],
    ruleHits: [
      { rule: 'nelson1', on: 'location', index: 4, measurementUuid: 'm4' },
      { rule: 'nelson1', on: 'location', index: 3, measurementUuid: 'm3' },
    ],
  };
  it('are points of the chart with the limits of their samples', () => {
    const { entries, decimals } = shownSeries(counts, LIMITS);
    expect(entries.map(({ position, mean, limits, sample }) => [position, mean, limits?.upper, sample?.count])).toEqual([
      [0, 0.02, 0.06, 2],
      [1, 0.03, 0.06, 3],
      [2, 0.09, 0.08, 9],
    ]);
    expect(decimals).toBe(4);
  });
  it('break rules, and begin stages, at the points of their samples', () => {
    const { hits, stages } = shownSeries(counts, LIMITS);
    expect(hits).toEqual([{ rule: 'nelson1', position: 2.5 }]);
    expect(stages.map(({ position }) => position)).toEqual([0, 2]);
  });
  it('are cut to the times of the view', () => {
    const { entries, hits } = shownSeries(counts, LIMITS, { from: Date.parse(day(2)) });
    expect(entries.map(({ mean }) => mean)).toEqual([0.03, 0.09]);
    expect(hits).toEqual([{ rule: 'nelson1', position: 1.5 }]);
  });
  it.each([
    [0.05, 4],
    [0.9, 3],
    [15, 1],
    [12_345, 0],
    [0, 0],
  ])('%d is written with %d decimal places', (value, decimals) => {
    expect(significantDecimals(value)).toBe(decimals);
  });
});
