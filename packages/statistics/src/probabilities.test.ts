import { describe, expect, it } from '@jest/globals';
import { normalLogCdf, normalQuantile } from './distributions.ts';
import {
  binomialInterval,
  binomialTails,
  chiSquareCdf,
  chiSquareSurvival,
  fSurvival,
  poissonInterval,
  poissonTails,
  rangeSurvival,
  studentTwoSided,
} from './probabilities.ts';
import { randomNumbers } from './random.fixture.ts';

const relative = (found: number, expected: number) => Math.abs(found / expected - 1);

describe('tails of continuous distributions', () => {
  // R: 2 * pt(-2, 10), 2 * pt(-40, 5), 2 * pnorm(-8)
  it.each([
    [2, 10, 0.0733880347707404],
    [-2, 10, 0.0733880347707404],
    [8, Infinity, 1.2441921148543574e-15],
  ])('agree with R for t = %d with %d degrees of freedom', (t, freedom, expected) => {
    expect(relative(studentTwoSided(t, freedom), expected)).toBeLessThan(1e-12);
  });
  it('are 1 and 0 at the ends of Student’s t', () => expect([studentTwoSided(0, 5), studentTwoSided(Infinity, 5)]).toEqual([1, 0]));
  it('have the F distribution of t²', () => expect(relative(fSurvival(4, 1, 10), studentTwoSided(2, 10))).toBeLessThan(1e-12));
  it('are 1 and 0 at the ends of F', () => expect([fSurvival(0, 2, 3), fSurvival(Infinity, 2, 3)]).toEqual([1, 0]));
  it('have χ² of one degree of freedom as the square of a normal value', () => {
    expect(relative(chiSquareSurvival(9, 1), 0.0026997960632601866)).toBeLessThan(1e-12);
    expect(chiSquareCdf(9, 1)).toBeCloseTo(1 - 0.0026997960632601866, 12);
  });
  it('are 1 and 0 at the ends of χ²', () => {
    expect([chiSquareSurvival(0, 3), chiSquareSurvival(Infinity, 3), chiSquareCdf(0, 3), chiSquareCdf(Infinity, 3)]).toEqual([1, 0, 0, 1]);
  });
});

describe('tails of counts', () => {
  /** Sums the probabilities one by one. */
  function sums(probability: (k: number) => number, count: number, most: number): [number, number] {
    let [lower, upper] = [0, 0];
    for (let k = 0; k <= most; k++) {
      if (k <= count) lower += probability(k);
      if (k >= count) upper += probability(k);
    }
    return [lower, upper];
  }
  const factorial = (k: number): number => (k < 2 ? 1 : k * factorial(k - 1));
  const choose = (n: number, k: number) => factorial(n) / factorial(k) / factorial(n - k);

  it.each([0, 1, 4, 9, 12])('agree with the sum of binomial probabilities for %d of 12', (count) => {
    const [lower, upper] = sums((k) => choose(12, k) * 0.3 ** k * 0.7 ** (12 - k), count, 12);
    const tails = binomialTails(count, 12, 0.3);
    expect(relative(tails.lower, lower)).toBeLessThan(1e-12);
    expect(relative(tails.upper, upper)).toBeLessThan(1e-12);
  });
  it.each([0, 1, 4, 9, 20])('agree with the sum of Poisson probabilities for %d', (count) => {
    const [lower, upper] = sums((k) => (Math.exp(-5) * 5 ** k) / factorial(k), count, 100);
    const tails = poissonTails(count, 5);
    expect(relative(tails.lower, lower)).toBeLessThan(1e-11);
    expect(relative(tails.upper, upper)).toBeLessThan(1e-11);
  });
  it('are certain where nothing or everything is counted', () => {
    expect(binomialTails(0, 5, 0)).toEqual({ lower: 1, upper: 1 });
    expect(binomialTails(1, 5, 0)).toEqual({ lower: 1, upper: 0 });
    expect(binomialTails(5, 5, 1)).toEqual({ lower: 1, upper: 1 });
    expect(binomialTails(4, 5, 1)).toEqual({ lower: 0, upper: 1 });
    expect(poissonTails(0, 0)).toEqual({ lower: 1, upper: 1 });
    expect(poissonTails(2, 0)).toEqual({ lower: 1, upper: 0 });
  });
  it('has intervals from 0 where nothing is counted, and up to 1 where everything is', () => {
    // The ends that remain are 1 − (α/2)^(1/n) and −ln(α/2).
    expect(binomialInterval(0, 20, 0.95)[0]).toBe(0);
    expect(binomialInterval(0, 20, 0.95)[1]).toBeCloseTo(1 - 0.025 ** (1 / 20), 12);
    expect(binomialInterval(20, 20, 0.95)[1]).toBe(1);
    expect(poissonInterval(0, 0.95)[0]).toBe(0);
    expect(poissonInterval(0, 0.95)[1]).toBeCloseTo(-Math.log(0.025), 9);
  });
});

describe('rangeSurvival', () => {
  it('is that of a difference for two values', () => {
    for (const range of [0.1, 1, 3, 8]) {
      expect(relative(rangeSurvival(range, 2), studentTwoSided(range / Math.SQRT2, Infinity))).toBeLessThan(1e-10);
    }
  });
  // Upper 5 % and 0.1 % points of the studentized range for infinitely many degrees of freedom (Harter 1960).
  it.each([
    [3, 3.314, 0.05],
    [5, 3.858, 0.05],
    [10, 4.474, 0.05],
    [20, 5.012, 0.05],
    [5, 5.484, 0.001],
    [10, 5.973, 0.001],
  ])('has the tabulated point of %d values', (size, range, probability) => {
    expect(relative(rangeSurvival(range, size), probability)).toBeLessThan(3e-3);
  });
  it('agrees with simulated ranges', () => {
    const { normal } = randomNumbers(9);
    const runs = 20_000;
    let beyond = 0;
    for (let run = 0; run < runs; run++) {
      const values = [normal(), normal(), normal(), normal()];
      if (Math.max(...values) - Math.min(...values) > 3) beyond++;
    }
    const expected = rangeSurvival(3, 4);
    expect(Math.abs(beyond / runs - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / runs));
  });
  it('is 1 without a range', () => expect(rangeSurvival(0, 5)).toBe(1));
});

describe('normalQuantile', () => {
  it.each([0.3, 1.1e-3, 0.9e-3, 1e-8, 1e-16, 1e-40, 1e-300, 5e-324])('is the inverse of Φ at %d', (probability) => {
    expect(Math.abs(normalLogCdf(normalQuantile(probability)) - Math.log(probability))).toBeLessThan(1e-12 * -Math.log(probability));
  });
  it('has the printed value for 1e-10', () => expect(normalQuantile(1e-10)).toBeCloseTo(-6.361340902404056, 11));
});
