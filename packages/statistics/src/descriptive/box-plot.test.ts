import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boxPlot } from './box-plot.ts';
import { quantile, sortValues } from './quantiles.ts';

const sorted = (...values: number[]) => sortValues(Float64Array.from(values));

describe('quantile', () => {
  it('is that of type 7, the default of R', () => {
    expect([0, 0.1, 0.25, 0.5, 0.75, 1].map((p) => quantile(sorted(1, 2, 4, 8, 16), p))).toEqual([1, 1.4, 2, 4, 8, 16]);
  });
  it('is the value itself of one value', () => expect(quantile(sorted(7), 0.3)).toBe(7));
  it('stays finite between the ends of the range of a double', () => expect(quantile(sorted(-1.7e308, 1.7e308), 0.5)).toBe(0));

  it('rises with the probability and stays between the extremes', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(values, probability, probability, (list, a, b) => {
        const data = sorted(...list);
        expect(quantile(data, Math.min(a, b))).toBeLessThanOrEqual(quantile(data, Math.max(a, b)));
        expect(quantile(data, a)).toBeGreaterThanOrEqual(data[0]!);
        expect(quantile(data, b)).toBeLessThanOrEqual(data[data.length - 1]!);
      }),
    );
  });
});

describe('sortValues', () => {
  it('leaves out missing values', () => expect([...sorted(3, NaN, 1)]).toEqual([1, 3]));
  it('sorts numbers and not text', () => expect([...sorted(10, 9, -1)]).toEqual([-1, 9, 10]));
});

describe('boxPlot', () => {
  it('ends its whiskers at the last values within 1.5 interquartile ranges', () => {
    expect(boxPlot(sorted(1, 2, 3, 4, 5, 6, 7, 8, 9, 30))).toEqual({
      lowerQuartile: 3.25,
      median: 5.5,
      upperQuartile: 7.75,
      lowerWhisker: 1,
      upperWhisker: 9,
      outliers: [30],
    });
  });
  it('lists the farthest outliers first', () => {
    expect(boxPlot(sorted(-50, -20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40, 90)).outliers).toEqual([90, -50, 40, -20]);
  });
  it('lists at most 200 outliers', () => {
    const values = [...Array.from({ length: 1000 }, () => 0), ...Array.from({ length: 240 }, (_, i) => i + 1)];
    expect(boxPlot(sorted(...values)).outliers).toEqual(Array.from({ length: 200 }, (_, i) => 240 - i));
  });
  it('has no outliers among equal values', () => expect(boxPlot(sorted(2, 2, 2)).outliers).toEqual([]));
});
