import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import type gammaIncomplete from '@stdlib/math-base-special-gammainc';
import { chiSquareQuantile, gammaTail, gammaTailQuantile } from './distributions.ts';

const gammainc = createRequire(import.meta.url)('@stdlib/math-base-special-gammainc') as typeof gammaIncomplete;

/** P(X > x) for a whole shape: the sum of the Poisson probabilities of fewer than `shape`, from the one at the mean on. */
function summedTail(x: number, shape: number): number {
  const middle = Math.min(shape - 1, Math.floor(x));
  const distance = (x - middle) / middle;
  const stirling = 1 / (12 * middle) - 1 / (360 * middle ** 3);
  const largest = Math.exp(middle * Math.log1p(distance) - (x - middle) - stirling) / Math.sqrt(2 * Math.PI * middle);
  let sum = largest;
  for (let k = middle, term = largest; k > 0 && term > 1e-18 * sum; k--) sum += term *= k / x;
  for (let k = middle + 1, term = largest; k < shape && term > 1e-18 * sum; k++) sum += term *= x / k;
  return sum;
}

describe.each([500, 700, 1500, 20_000, 500_000, 5_000_000])('a gamma distribution of shape %d', (shape) => {
  it.each([-8, -4, -1, -0.1, 0, 0.5, 2, 5, 9])('has the tails of a sum, %d standard deviations from its mean', (score) => {
    const x = shape + score * Math.sqrt(shape);
    const upper = summedTail(x, shape);
    expect(gammaTail(x, shape, 'upper') / upper).toBeCloseTo(1, 10);
    expect(gammaTail(x, shape, 'lower')).toBeCloseTo(1 - upper, 11);
  });
  it.each([1e-9, 0.00135, 0.3, 0.5, 0.975])('has quantiles with the probability %d', (probability) => {
    for (const tail of ['lower', 'upper'] as const) {
      expect(gammaTail(gammaTailQuantile(probability, shape, tail), shape, tail) / probability).toBeCloseTo(1, 9);
    }
    expect(gammaTail(chiSquareQuantile(probability, 2 * shape) / 2, shape, 'lower') / probability).toBeCloseTo(1, 9);
  });
});

it('continues the tails of smaller shapes', () => {
  const at = (shape: number) => gammaTail(shape + 20, shape, 'upper');
  expect(Math.abs(at(501) - 2 * at(500) + at(499))).toBeLessThan(1e-6);
  expect(Math.abs(at(500) - 2 * at(499.999) + at(499.998))).toBeLessThan(1e-11);
});

it('is needed as long as stdlib misses tails of large shapes', () => {
  expect(Math.abs(gammainc(5050, 5000, true, true) - summedTail(5050, 5000))).toBeGreaterThan(1e-4);
});
