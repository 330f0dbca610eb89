import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assessCapability, assessNormality } from '../assessment.ts';
import { pearson } from '../correlation.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import { normalQuantile } from '../distributions.ts';
import { NORMALITY_VALUES } from '../oracles.fixture.ts';
import { andersonDarling } from './anderson-darling.ts';
import { probabilityCorrelation, probabilityPlot } from './probability-plot.ts';

const sorted = (values: readonly number[]) => sortValues(Float64Array.from(values));

/** A² and p of R's fBasics, from the tests of statsmodels. */
const ORACLES: readonly [string, (x: number) => number, number, number][] = [
  ['x', (x) => x, 0.5867235358882148, 0.1115380760041617],
  ['x²', (x) => x * x, 2.976266267594575, 8.753003709960645e-8],
  ['ln x²', (x) => Math.log(x * x), 0.4892557856308528, 0.1968040759316307],
  ['exp(−x²)', (x) => Math.exp(-x * x), 1.4599014654282669, 0.0006380009232897535],
];

describe('andersonDarling', () => {
  for (const [name, transform, statistic, pValue] of ORACLES) {
    const result = andersonDarling(sorted(NORMALITY_VALUES.map(transform)))!;
    it(`has A² of R for ${name}`, () => expect(result.statistic).toBeCloseTo(statistic, 10));
    it(`has p of R for ${name}`, () => expect(Math.abs(result.pValue / pValue - 1)).toBeLessThan(1e-8));
  }
  it('needs eight values', () => expect(andersonDarling(sorted([1, 2, 3, 4, 5, 6, 7]))).toBeUndefined());
  it('needs values that differ', () => expect(andersonDarling(sorted(new Array<number>(20).fill(4)))).toBeUndefined());
  it('is finite for an outlier of a thousand standard deviations', () => {
    const result = andersonDarling(sorted([...Array.from({ length: 2000 }, (_, i) => i / 2000), 1e9]))!;
    expect(Number.isFinite(result.statistic)).toBe(true);
    expect(result.pValue).toBeGreaterThanOrEqual(0);
    expect(result.pValue).toBeLessThan(1e-10);
  });
  it('does not change with shift and scale', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 8, maxLength: 50 }), (values) => {
        const plain = andersonDarling(sorted(values));
        const moved = andersonDarling(sorted(values.map((value) => value * 4 + 10)));
        if (plain === undefined) expect(moved).toBeUndefined();
        else expect(moved!.statistic).toBeCloseTo(plain.statistic, 8);
      }),
    );
  });
  it('has a probability for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 8 }), (values) => {
        const result = andersonDarling(sorted(values));
        if (!result) return;
        expect(result.pValue).toBeGreaterThanOrEqual(0);
        expect(result.pValue).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('probability plot', () => {
  const perfect = sorted(Array.from({ length: 999 }, (_, i) => 20 + 0.5 * normalQuantile((i + 1 - 0.375) / 999.25)));

  it('is a line for normal quantiles', () => expect(probabilityCorrelation(perfect)).toBeCloseTo(1, 12));
  it('has the first and the last value among the points sent', () => {
    const { points } = probabilityPlot(perfect, 10);
    expect(points).toHaveLength(10);
    expect(points[0]!.value).toBe(perfect[0]);
    expect(points[9]!.value).toBe(perfect[998]);
  });
  it('has a line through mean and standard deviation', () => {
    const { line } = probabilityPlot(perfect, 10);
    expect(line!.intercept).toBeCloseTo(20, 10);
    expect(line!.slope).toBeCloseTo(0.5, 2);
  });
  it('sends all values where they fit', () =>
    expect(probabilityPlot(sorted([3, 1, 2]), 500).points.map(({ value }) => value)).toEqual([1, 2, 3]));
  it('has a point at the middle of one value', () => {
    expect(probabilityPlot(sorted([7]), 500)).toEqual({ points: [{ value: 7, quantile: 0 }] });
  });
  it("is Pearson's correlation of values and quantiles", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 50 }), (values) => {
        const ascending = sorted(values);
        const quantiles = ascending.map((_, i) => normalQuantile((i + 1 - 0.375) / (values.length + 0.25)));
        const expected = pearson(ascending, quantiles);
        if (expected === undefined) expect(probabilityCorrelation(ascending)).toBeUndefined();
        else expect(probabilityCorrelation(ascending)).toBeCloseTo(expected, 10);
      }),
    );
  });
  it('is finite for the largest doubles', () => {
    const correlation = probabilityCorrelation(sorted([-1.1e308, -1e308, 0, 1e308, 1.1e308]))!;
    expect(correlation).toBeGreaterThan(0.9);
    expect(correlation).toBeLessThanOrEqual(1);
  });
  it('has no correlation of equal values', () => expect(probabilityCorrelation(sorted([2, 2, 2]))).toBeUndefined());
});

describe('assessNormality', () => {
  const rejected = { statistic: 2, adjusted: 2, pValue: 0.01 };
  it('is unknown without a test', () => expect(assessNormality(7, undefined, () => 1)).toBe('unknown'));
  it('is yes when the test does not reject', () => expect(assessNormality(50, { ...rejected, pValue: 0.05 }, () => 0.9)).toBe('yes'));
  it('is nearly when the plot is straight', () => expect(assessNormality(5000, rejected, () => 0.995)).toBe('nearly'));
  it('is no otherwise', () => expect(assessNormality(5000, rejected, () => 0.9949)).toBe('no'));
});

describe('assessCapability', () => {
  it('is unknown without an index', () => expect(assessCapability(undefined, 1.33, 'yes')).toBe('unknown'));
  it('is yes when the lower bound meets the required value', () => {
    expect(assessCapability({ value: 1.5, lower: 1.33, upper: 1.7 }, 1.33, 'yes')).toBe('yes');
  });
  it('is uncertain when only the index does', () =>
    expect(assessCapability({ value: 1.4, lower: 1.2, upper: 1.6 }, 1.33, 'yes')).toBe('uncertain'));
  it('is uncertain without an interval', () => expect(assessCapability({ value: 3 }, 1.33, 'yes')).toBe('uncertain'));
  it('is not stable where the index would do', () => {
    expect(assessCapability({ value: 1.5, lower: 1.33, upper: 1.7 }, 1.33, 'no')).toBe('notStable');
    expect(assessCapability({ value: 1.4, lower: 1.2, upper: 1.6 }, 1.33, 'no')).toBe('notStable');
  });
  it('stays no below the required value, stable or not', () => {
    expect(assessCapability({ value: 1.32, lower: 1.2, upper: 1.4 }, 1.33, 'no')).toBe('no');
  });
  it('is at most uncertain where no model fits', () => {
    expect(assessCapability({ value: 1.5, lower: 1.4, upper: 1.7 }, 1.33, 'yes', true)).toBe('uncertain');
    expect(assessCapability({ value: 1.2, lower: 1.1, upper: 1.3 }, 1.33, 'yes', true)).toBe('no');
  });
  it('does not change where points are beyond by chance', () => {
    expect(assessCapability({ value: 1.5, lower: 1.33, upper: 1.7 }, 1.33, 'nearly')).toBe('yes');
  });
  it('is no below it', () => expect(assessCapability({ value: 1.32, lower: 1.2, upper: 1.4 }, 1.33, 'yes')).toBe('no'));
});
