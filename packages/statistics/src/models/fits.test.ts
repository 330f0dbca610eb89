import { describe, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import fc from 'fast-check';
import { fitModel } from './fits.ts';
import type { ModelName } from './fitted-model.ts';
import { fittedModel } from './model-functions.ts';
import { randomNumbers } from './sample/random-numbers.ts';
import { mirroredSample, weightedSample } from './sample/weighted-sample.ts';

const sampleOf = (values: readonly number[]) => weightedSample(Float64Array.from(values).sort());

/** ln f(x) as textbooks write it, of values above 0. */
const DENSITIES: Readonly<Partial<Record<ModelName, (x: number, first: number, second: number) => number>>> = {
  lognormal: (x, location, scale) => -Math.log(x * scale * Math.sqrt(2 * Math.PI)) - (Math.log(x) - location) ** 2 / (2 * scale ** 2),
  weibull: (x, shape, scale) => Math.log((shape / scale) * (x / scale) ** (shape - 1)) - (x / scale) ** shape,
  gamma: (x, shape, scale) => (shape - 1) * Math.log(x) - x / scale - shape * Math.log(scale) - logFactorial(shape - 1),
  foldedNormal: (x, location, scale) =>
    Math.log(Math.exp(-((x - location) ** 2) / (2 * scale ** 2)) + Math.exp(-((x + location) ** 2) / (2 * scale ** 2))) -
    Math.log(scale * Math.sqrt(2 * Math.PI)),
  rayleigh: (x, _none, scale) => Math.log(x / scale ** 2) - x ** 2 / (2 * scale ** 2),
};

/** ln x! by Stirling's series, after the recurrence has made x large. */
function logFactorial(x: number): number {
  let [shifted, product] = [x, 1];
  while (shifted < 20) product *= ++shifted;
  const series = 1 / (12 * shifted) - 1 / (360 * shifted ** 3) + 1 / (1260 * shifted ** 5);
  return (shifted + 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}

/** The largest likelihood of positive parameters on a grid, which is then narrowed: slow, and without any cleverness. */
function searched(values: readonly number[], density: (x: number, first: number, second: number) => number): number {
  let best = { first: 1, second: 1, value: -Infinity };
  const search = (reach: number, steps: number) => {
    const { first, second } = best;
    for (let i = -steps; i <= steps; i++) {
      for (let j = -steps; j <= steps; j++) {
        const at = { first: first * Math.exp((i * reach) / steps), second: second * Math.exp((j * reach) / steps) };
        const value = values.reduce((sum, x) => sum + density(x, at.first, at.second), 0);
        // Powers of the largest parameters leave the range of a double.
        if (Number.isFinite(value) && value > best.value) best = { ...at, value };
      }
    }
  };
  search(6, 25);
  for (let reach = 0.4; reach > 1e-5; reach *= 0.7) search(reach, 6);
  return best.value;
}

const RUNS = size({ short: 5, long: 300 });

describe('fitModel', () => {
  const values = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 10, maxLength: 25 });
  const different = values.filter((numbers) => new Set(numbers).size > 4);

  it.each(['weibull', 'gamma', 'foldedNormal', 'rayleigh'] as const)('finds the likelihood of a search on a grid for %s', (name) => {
    fc.assert(
      fc.property(different, (numbers) => {
        const scaled = numbers.map((value) => value / 100);
        const found = fitModel(name, sampleOf(scaled), { boundary: 0 })!.logLikelihood;
        const slow = searched(scaled, DENSITIES[name]!);
        expect(found).toBeGreaterThan(slow - 1e-6);
        // A folded normal location may be 0, which the positive grid only comes close to.
        expect(found).toBeLessThan(slow + 3e-3);
      }),
      { numRuns: RUNS },
    );
  });
  it('finds the likelihood of a search on a grid for lognormal', () => {
    fc.assert(
      fc.property(different, (numbers) => {
        // The factor makes all logarithms positive, as the grid needs it.
        const found = fitModel('lognormal', sampleOf(numbers.map((value) => value * 100)), { boundary: 0 })!.logLikelihood;
        const slow = searched(
          numbers.map((value) => value * 100),
          DENSITIES.lognormal!,
        );
        expect(Math.abs(found - slow)).toBeLessThan(1e-3);
      }),
      { numRuns: RUNS },
    );
  });
  it.each(['lognormal', 'weibull'] as const)('finds the best threshold of %s among many', (name) => {
    fc.assert(
      fc.property(different, (numbers) => {
        const sample = sampleOf(numbers);
        const found = fitModel(name, sample)!;
        const smallest = Math.min(...numbers);
        const range = Math.max(...numbers) - smallest;
        const [nearest, farthest] = [(0.1 / numbers.length) * range, 20 * range];
        for (let i = 0; i <= 300; i++) {
          const boundary = smallest - nearest * (farthest / nearest) ** (i / 300);
          expect(found.logLikelihood).toBeGreaterThan((fitModel(name, sample, { boundary })?.logLikelihood ?? -Infinity) - 1e-6);
        }
        expect(smallest - found.parameters.threshold!).toBeGreaterThan(nearest * (1 - 1e-9));
        expect(smallest - found.parameters.threshold!).toBeLessThan(farthest * (1 + 1e-9));
      }),
      { numRuns: RUNS },
    );
  });
  it('keeps a threshold half a step from the values', () => {
    const random = randomNumbers(1);
    const exponential = Array.from({ length: 60 }, () => 10 + Math.round(-5 * Math.log(random())));
    const { parameters } = fitModel('weibull', sampleOf(exponential), { resolution: 1 })!;
    expect(parameters.threshold).toBeLessThanOrEqual(Math.min(...exponential) - 0.5);
  });
  it.each(['lognormal', 'weibull'] as const)('fits %s to mirrored values with the mirrored model', (name) => {
    const random = randomNumbers(2);
    const skewed = Array.from({ length: 80 }, () => Math.round(1000 * random() ** 2) / 100);
    const plain = fitModel(name, sampleOf(skewed))!;
    const mirrored = fitModel(`${name}Mirrored`, mirroredSample(sampleOf(skewed)))!;
    expect(mirrored.logLikelihood).toBeCloseTo(plain.logLikelihood, 9);
    expect(fittedModel(mirrored).quantile(0.00135)).toBeCloseTo(-fittedModel(plain).quantile(0.99865), 9);
  });
  it('follows a change of the unit', () => {
    const random = randomNumbers(3);
    const roundness = Array.from({ length: 80 }, () => Math.round(-1000 * Math.log(random())) / 1000 + 0.001);
    for (const name of ['weibull', 'gamma', 'foldedNormal', 'rayleigh', 'lognormal'] as const) {
      const median = (factor: number) =>
        fittedModel(fitModel(name, sampleOf(roundness.map((value) => value * factor)), { boundary: 0 })!).quantile(0.99865);
      expect(median(1e6) / median(1) / 1e6).toBeCloseTo(1, 6);
    }
  });
  it.each([
    ['equal values', [3, 3, 3, 3, 3]],
    ['two values', [3, 4]],
    ['one value', [3]],
  ])('has no model of %s', (_, numbers) => {
    for (const name of ['normal', 'lognormal', 'weibull', 'gamma', 'foldedNormal', 'student'] as const) {
      expect(fitModel(name, sampleOf(numbers), { boundary: 0 })).toBeUndefined();
    }
  });
  it.each(['lognormal', 'weibull', 'gamma', 'foldedNormal', 'rayleigh'] as const)('has no %s of values at the boundary', (name) => {
    expect(fitModel(name, sampleOf([0, 1, 2, 3, 4, 5]), { boundary: 0 })).toBeUndefined();
  });
  it('has finite figures or none for any values', () => {
    const names = ['normal', 'student', 'lognormal', 'weibull', 'gamma', 'foldedNormal', 'rayleigh', 'weibullMirrored'] as const;
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 30 }),
        fc.constantFrom(...names),
        fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
        (numbers, name, boundary) => {
          const fit = fitModel(name, sampleOf(numbers), { boundary });
          if (!fit) return;
          for (const figure of [fit.logLikelihood, fit.aicc, ...Object.values<number>({ ...fit.parameters })])
            expect(Number.isFinite(figure)).toBe(true);
        },
      ),
      { numRuns: 10 * RUNS },
    );
  });
});
