import { describe, expect, it } from '@jest/globals';
import type { CountChartType } from './count-chart.ts';
import { rateTest } from './rate-test.ts';

const groupsOf = (type: CountChartType, totals: readonly (readonly [number, number])[]) =>
  totals.map(([count, size]) => ({ type, total: { count, size } }));

describe('rateTest', () => {
  it('agrees with prop.test of R on smokers among patients', () => {
    const { statistic, df, pValue } = rateTest(
      groupsOf('p', [
        [83, 86],
        [90, 93],
        [129, 136],
        [70, 82],
      ]),
    )!;
    expect(statistic).toBeCloseTo(12.6004, 4);
    expect(df).toBe(3);
    expect(pValue).toBeCloseTo(0.005585, 6);
  });
  it('of errors takes the variance of the Poisson distribution', () => {
    // 15 expected in each: 5²/15 + 5²/15.
    const { statistic, smallestExpected } = rateTest(
      groupsOf('u', [
        [10, 100],
        [20, 100],
      ]),
    )!;
    expect(statistic).toBeCloseTo(50 / 15, 12);
    expect(smallestExpected).toBeCloseTo(15, 12);
  });
  it('finds no difference between equal rates of samples of unequal size', () => {
    const found = rateTest(
      groupsOf('np', [
        [1, 10],
        [100, 1000],
      ]),
    )!;
    expect(found.pValue).toBeCloseTo(1, 12);
    expect(found.smallestExpected).toBeCloseTo(1, 12);
  });
  it.each([
    [[[1, 10]]],
    [
      [
        [0, 10],
        [0, 20],
      ],
    ],
    [
      [
        [10, 10],
        [20, 20],
      ],
    ],
  ] as const)('says nothing of %j', (totals) => {
    expect(rateTest(groupsOf('p', totals))).toBeUndefined();
  });
});
