import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FLOW_RATES, NIST_NUMACC } from '../oracles.fixture.ts';
import { momentsOf } from './moments.ts';

const of = (...values: number[]) => momentsOf(Float64Array.from(values));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const moderate = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('momentsOf', () => {
  for (const { name, values, mean, standardDeviation } of NIST_NUMACC) {
    it(`has the certified mean of NIST ${name}`, () => {
      expect(Math.abs(of(...values)!.mean / mean - 1)).toBeLessThan(1e-15);
    });
    it(`has the certified standard deviation of NIST ${name}`, () => {
      expect(Math.abs(of(...values)!.standardDeviation! / standardDeviation - 1)).toBeLessThan(1e-8);
    });
  }

  it('agrees with the NIST handbook on flow rates', () => {
    expect(of(...FLOW_RATES)!.mean).toBeCloseTo(50.81, 10);
    expect(of(...FLOW_RATES)!.standardDeviation).toBeCloseTo(2.0338524, 7);
  });

  it('has none without values', () => expect(of()).toBeUndefined());
  it('has none with missing values only', () => expect(of(NaN, NaN)).toBeUndefined());
  it('has no standard deviation of one value', () => expect(of(5)).toEqual({ count: 1, mean: 5, minimum: 5, maximum: 5 }));
  it('has no spread of equal values', () => expect(of(0.1, 0.1, 0.1)!.standardDeviation).toBe(0));
  it('skips missing values', () => expect(of(1, NaN, 3)).toMatchObject({ count: 2, mean: 2, minimum: 1, maximum: 3 }));
  it('averages values whose sum exceeds a double', () => expect(of(1.5e308, 1.7e308)!.mean / 1.6e308).toBeCloseTo(1, 12));
  it('leaves out a standard deviation that exceeds a double', () => {
    expect(of(-1.7e308, 1.7e308)).toEqual({ count: 2, mean: 0, minimum: -1.7e308, maximum: 1.7e308 });
  });
  it('measures the spread of large values', () => expect(of(1e300, 3e300)!.standardDeviation! / (Math.SQRT2 * 1e300)).toBeCloseTo(1, 12));

  it('has finite figures, and the mean between the extremes', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), (values) => {
        const { mean, minimum, maximum, standardDeviation } = of(...values)!;
        expect(mean).toBeGreaterThanOrEqual(minimum);
        expect(mean).toBeLessThanOrEqual(maximum);
        if (standardDeviation !== undefined) expect(Number.isFinite(standardDeviation)).toBe(true);
      }),
    );
  });

  it('does not depend on the order of values', () => {
    fc.assert(
      fc.property(fc.array(moderate, { minLength: 2 }), (values) => {
        const [forward, backward] = [of(...values)!, of(...values.toReversed())!];
        expect(forward.mean).toBeCloseTo(backward.mean, 8);
        expect(forward.standardDeviation).toBeCloseTo(backward.standardDeviation!, 6);
      }),
    );
  });

  it('follows a shift and a scale', () => {
    fc.assert(
      fc.property(fc.array(moderate, { minLength: 2 }), fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
        const [plain, moved] = [of(...values)!, of(...values.map((value) => value * 2 + shift))!];
        expect(moved.mean).toBeCloseTo(plain.mean * 2 + shift, 6);
        expect(moved.standardDeviation).toBeCloseTo(plain.standardDeviation! * 2, 5);
      }),
    );
  });
});
