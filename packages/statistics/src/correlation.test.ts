import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { correlationWithInterval, fitLine, pearson, spearman } from './correlation.ts';
import { ANSCOMBE } from './oracles.fixture.ts';

const list = (...values: number[]) => Float64Array.from(values);

describe('correlation', () => {
  ANSCOMBE.forEach(({ x, y }, i) => {
    const [first, second] = [Float64Array.from(x), Float64Array.from(y)];
    it(`is 0.816 in set ${i + 1} of Anscombe`, () => expect(pearson(first, second)).toBeCloseTo(0.816, 2));
    it(`has the line 3 + 0.5x in set ${i + 1} of Anscombe`, () => {
      expect(fitLine(first, second)!.slope).toBeCloseTo(0.5, 2);
      expect(fitLine(first, second)!.intercept).toBeCloseTo(3, 1);
    });
  });

  it('has Fisher’s interval', () => {
    const { value, lower, upper } = correlationWithInterval(list(...ANSCOMBE[0]!.x), list(...ANSCOMBE[0]!.y), 0.95)!;
    expect(value).toBeCloseTo(0.8164205, 7);
    // R: cor.test(anscombe$x1, anscombe$y1)
    expect(lower).toBeCloseTo(0.4243912, 6);
    expect(upper).toBeCloseTo(0.9506933, 6);
  });
  it('has no interval below four pairs', () => {
    const result = correlationWithInterval(list(1, 2, 3), list(1, 3, 2), 0.95)!;
    expect(result.value).toBeCloseTo(0.5, 12);
    expect(Object.keys(result)).toEqual(['value']);
  });
  it('is exactly 1 on a line', () => expect(correlationWithInterval(list(1, 2, 3, 4), list(2, 4, 6, 8), 0.95)).toEqual({ value: 1 }));
  it('has none where one side does not vary', () => expect(pearson(list(1, 1, 1), list(1, 2, 3))).toBeUndefined());
  it('has none of one pair', () => expect(pearson(list(1), list(2))).toBeUndefined());

  it('ranks equal values by the mean of their ranks', () => {
    // R: cor(c(1, 2, 2, 3), c(1, 3, 2, 4), method = "spearman")
    expect(spearman(list(1, 2, 2, 3), list(1, 3, 2, 4))).toBeCloseTo(0.9486833, 7);
  });
  it('ranks a rising curve 1', () => expect(spearman(list(1, 2, 3, 4), list(1, 10, 100, 1000))).toBeCloseTo(1, 12));

  it('has a flat line through equal y', () => expect(fitLine(list(1, 2, 3), list(4, 4, 4))).toEqual({ slope: 0, intercept: 4 }));
  it('has no line through equal x', () => expect(fitLine(list(2, 2), list(1, 3))).toBeUndefined());

  it('stays between −1 and 1, and its line finite, for any values', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { minLength: 1 }), (pairs) => {
        const [x, y] = [Float64Array.from(pairs, ([a]) => a), Float64Array.from(pairs, ([, b]) => b)];
        const result = correlationWithInterval(x, y, 0.95);
        if (result) {
          expect(Math.abs(result.value)).toBeLessThanOrEqual(1);
          expect(Object.values(result).every((figure) => Number.isFinite(figure))).toBe(true);
        }
        const line = fitLine(x, y);
        if (line) expect(Number.isFinite(line.slope) && Number.isFinite(line.intercept)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
