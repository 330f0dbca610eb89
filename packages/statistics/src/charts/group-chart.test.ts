import { describe, expect, it } from '@jest/globals';
import { PISTON_RINGS, QCC_SUBGROUPS } from '../oracles.fixture.ts';
import { R_UNEQUAL } from '../r-charts.fixture.ts';
import { randomNumbers } from '../random.fixture.ts';
import { groupChart, limitsOfGroup, type GroupChartType, type GroupSigmaMethod } from './group-chart.ts';
import { groupFigures, type Grouping } from './grouping.ts';

const DIGITS = 10;

function groupingOf(sizes: readonly number[]): Grouping {
  const starts = new Uint32Array(sizes.length + 1);
  sizes.forEach((size, i) => (starts[i + 1] = starts[i]! + size));
  return { starts, sizes: Uint16Array.from(sizes) };
}

const chartOf = (values: readonly number[], sizes: readonly number[], type: GroupChartType, method: GroupSigmaMethod) =>
  groupChart(groupFigures(Float64Array.from(values), groupingOf(sizes)), type, method);
const equal = (values: readonly number[], size: number) => new Array<number>(values.length / size).fill(size);

describe('chart of groups of unequal size', () => {
  const { sizes, values } = R_UNEQUAL;
  const pooled = chartOf(values, sizes, 'xbarS', 'pooled')!;

  it('weighs ranges as Minitab does', () => expect(chartOf(values, sizes, 'xbarR', 'rbar')!.sigma).toBeCloseTo(R_UNEQUAL.sigmaR, DIGITS));
  it('weighs standard deviations as Minitab does', () => {
    expect(chartOf(values, sizes, 'xbarS', 'sbar')!.sigma).toBeCloseTo(R_UNEQUAL.sigmaS, DIGITS);
  });
  it('pools variances as R does', () => expect(pooled.sigma).toBeCloseTo(R_UNEQUAL.sigmaPooled, DIGITS));
  it('has the mean of all values as centre line', () => expect(pooled.centerLine).toBeCloseTo(R_UNEQUAL.centre, DIGITS));
  it('has limits for each size', () => {
    sizes.forEach((size, i) => {
      const { location, variation } = limitsOfGroup(pooled, size);
      expect(location.upper).toBeCloseTo(R_UNEQUAL.meansUpper[i]!, DIGITS);
      expect(location.lower).toBeCloseTo(R_UNEQUAL.meansLower[i]!, DIGITS);
      expect(variation!.upper).toBeCloseTo(R_UNEQUAL.sdUpper[i]!, DIGITS);
      expect(variation!.lower).toBeCloseTo(R_UNEQUAL.sdLower[i]!, DIGITS);
    });
  });
  it('judges a group of one value on the chart of means only', () => {
    const { location, variation } = limitsOfGroup(pooled, 1);
    expect(location.upper - location.centerLine).toBeCloseTo(3 * pooled.sigma, DIGITS);
    expect(variation).toBeUndefined();
  });
  it('counts degrees of freedom by size', () => {
    const freedom = sizes.reduce((sum, size) => sum + size - 1, 0);
    expect(pooled.degreesOfFreedom).toBe(freedom);
    expect(chartOf(values, sizes, 'xbarR', 'rbar')!.degreesOfFreedom).toBeCloseTo(0.9 * freedom, DIGITS);
  });
});

describe('chart of groups of equal size', () => {
  it('agrees with the formulas D3·R̄ and D4·R̄, and 3σ/√n for means', () => {
    const chart = chartOf(QCC_SUBGROUPS, equal(QCC_SUBGROUPS, 4), 'xbarR', 'rbar')!;
    const meanRange = (0.04 + 0.04 + 0.07) / 3;
    const { location, variation } = limitsOfGroup(chart, 4);
    expect(variation!.centerLine).toBeCloseTo(meanRange, DIGITS);
    expect(variation!.upper).toBeCloseTo(2.282 * meanRange, DIGITS);
    expect(variation!.lower).toBe(0);
    expect(location.upper - location.centerLine).toBeCloseTo((3 * meanRange) / 2.059 / 2, DIGITS);
  });

  /** Groups of five whose mean range, or mean standard deviation, is the published one. */
  const rings = (half: number) =>
    Array.from({ length: PISTON_RINGS.subgroups }, () => [1, -1, 0, 0, 0].map((sign) => PISTON_RINGS.mean + sign * half)).flat();

  it('agrees with qcc on the R chart of piston rings', () => {
    const values = rings(PISTON_RINGS.meanRange / 2);
    const chart = chartOf(values, equal(values, 5), 'xbarR', 'rbar')!;
    const { location, variation } = limitsOfGroup(chart, 5);
    expect(chart.sigma).toBeCloseTo(PISTON_RINGS.sigmaOfRange, 6);
    expect(location.lower).toBeCloseTo(73.98805, 5);
    expect(location.upper).toBeCloseTo(74.0143, 4);
    expect(variation!.upper).toBeCloseTo(0.0481, 4);
  });
  it('agrees with qcc on the s chart of piston rings', () => {
    const values = rings(PISTON_RINGS.meanDeviation * Math.SQRT2);
    const chart = chartOf(values, equal(values, 5), 'xbarS', 'sbar')!;
    expect(chart.sigma).toBeCloseTo(PISTON_RINGS.sigmaOfDeviation, 9);
    expect(limitsOfGroup(chart, 5).variation!.upper).toBeCloseTo(PISTON_RINGS.upperLimitOfDeviation, 7);
  });

  it('judges standard deviations of groups of more than 25 values', () => {
    const { normal } = randomNumbers(3);
    const values = Array.from({ length: 4000 }, normal);
    expect(chartOf(values, equal(values, 400), 'xbarS', 'sbar')!.sigma).toBeCloseTo(1, 1);
  });
  it('refuses ranges of more than 25 values', () => {
    const values = new Array<number>(52).fill(0);
    expect(() => chartOf(values, equal(values, 26), 'xbarR', 'rbar')).toThrow('ranges of groups of 26 values');
    expect(() => chartOf(values, equal(values, 26), 'xbarS', 'rbar')).toThrow('ranges of groups of 26 values');
  });
  it('has none without a group of two values', () => expect(chartOf([1, 2], [1, 1], 'xbarR', 'rbar')).toBeUndefined());
  it('has none where the spread exceeds a double', () => expect(chartOf([-1.7e308, 1.7e308], [2], 'xbarR', 'rbar')).toBeUndefined());
  it('keeps its digits for 1e12 ± 6', () => {
    const values = [1e12 - 6, 1e12 + 6, 1e12 - 6, 1e12 + 6];
    const chart = chartOf(values, [2, 2], 'xbarS', 'pooled')!;
    expect(chart.sigma).toBeCloseTo(6 * Math.SQRT2, 9);
    expect(chart.centerLine).toBe(1e12);
  });
});
