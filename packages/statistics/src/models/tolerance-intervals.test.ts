import { describe, expect, it } from '@jest/globals';
import { logGamma, normalCdf, normalQuantile } from '../distributions.ts';
import { TOLERANCE_FACTORS_OF_R } from './models-of-r.fixture.ts';
import { toleranceInterval } from './tolerance-intervals.ts';

const factorsFor = (count: number, content?: number, confidence?: number) =>
  toleranceInterval({ count, mean: 0, standardDeviation: 1 }, content, confidence)!;

/** P(Z ≥ √n(z − k·s/σ)), by the middle of many strips over the density of s/σ. */
function chanceOfOneSided(count: number, factor: number, content: number): number {
  const degrees = count - 1;
  const constant = Math.log(2) + (degrees / 2) * Math.log(degrees / 2) - logGamma(degrees / 2);
  const strips = 20_000;
  let sum = 0;
  for (let i = 0; i < strips; i++) {
    const ratio = ((i + 0.5) * 5) / strips;
    const density = Math.exp(constant + (degrees - 1) * Math.log(ratio) - (degrees * ratio * ratio) / 2);
    sum += (density * normalCdf(Math.sqrt(count) * (factor * ratio - normalQuantile(content))) * 5) / strips;
  }
  return sum;
}

describe('toleranceInterval', () => {
  it.each(TOLERANCE_FACTORS_OF_R)('has the two-sided factor of R for $n values', ({ n, twoSided }) => {
    expect(factorsFor(n).twoSided.factor).toBeCloseTo(twoSided, 8);
  });
  // R takes an approximation of the noncentral t distribution from a noncentrality of 37.62 on, which 300 values exceed.
  it.each(TOLERANCE_FACTORS_OF_R.filter(({ n }) => n <= 100))('has the one-sided factor of R for $n values', ({ n, oneSided }) => {
    expect(factorsFor(n).oneSided.factor).toBeCloseTo(oneSided, 8);
  });
  it.each([
    [2, 0.99, 0.95],
    [4, 0.9, 0.99],
    [15, 0.5, 0.9],
    [15, 0.6, 0.1],
    [300, 0.99, 0.95],
    [1000, 0.9973, 0.9],
  ])('has its confidence by another integral (%d values, content %d, confidence %d)', (count, content, confidence) => {
    const { factor } = factorsFor(count, content, confidence).oneSided;
    expect(chanceOfOneSided(count, factor, content)).toBeCloseTo(confidence, content > 0.9 && count > 5 ? 7 : 5);
  });
  it('comes close to the quantiles for very many values', () => {
    const { twoSided, oneSided } = factorsFor(10_000_000);
    expect(twoSided.factor).toBeCloseTo(normalQuantile(0.995), 2);
    expect(oneSided.factor).toBeCloseTo(normalQuantile(0.99), 2);
  });
  it('lies around the mean in units of the standard deviation', () => {
    const { twoSided, oneSided } = toleranceInterval({ count: 30, mean: 10, standardDeviation: 2 })!;
    expect(twoSided.upper).toBeCloseTo(10 + 2 * twoSided.factor, 12);
    expect(oneSided.lower).toBeCloseTo(10 - 2 * oneSided.factor, 12);
  });
  it('needs two values', () => expect(toleranceInterval({ count: 1, mean: 3 })).toBeUndefined());
  it('needs values that differ', () => expect(toleranceInterval({ count: 9, mean: 3, standardDeviation: 0 })).toBeUndefined());
  it('is absent where it exceeds a double', () =>
    expect(toleranceInterval({ count: 3, mean: 0, standardDeviation: 1e308 })).toBeUndefined());
});
