import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalCdf } from '../distributions.ts';
import type { ModelDescription } from './fitted-model.ts';
import { fittedModel, MODEL_KINDS } from './model-functions.ts';

const MODELS: readonly ModelDescription[] = [
  { name: 'normal', parameters: { location: 20, scale: 0.01 } },
  { name: 'student', parameters: { location: 5, scale: 0.2, degreesOfFreedom: 3.5 } },
  { name: 'lognormal', parameters: { location: -3, scale: 0.5, threshold: 100 } },
  { name: 'lognormalMirrored', parameters: { location: -3, scale: 0.5, threshold: -100 } },
  { name: 'weibull', parameters: { shape: 0.8, scale: 0.05, threshold: 0 } },
  { name: 'weibull', parameters: { shape: 140, scale: 3, threshold: 10 } },
  { name: 'weibullMirrored', parameters: { shape: 2, scale: 0.05, threshold: -10 } },
  { name: 'gamma', parameters: { shape: 0.7, scale: 2, threshold: 0 } },
  { name: 'gamma', parameters: { shape: 900, scale: 0.01, threshold: 0 } },
  { name: 'gammaMirrored', parameters: { shape: 3, scale: 2, threshold: 4 } },
  { name: 'rayleigh', parameters: { scale: 0.02, threshold: 0 } },
  { name: 'rayleighMirrored', parameters: { scale: 0.02, threshold: -1 } },
  { name: 'foldedNormal', parameters: { location: 0, scale: 0.01, threshold: 0 } },
  { name: 'foldedNormal', parameters: { location: 0.02, scale: 0.01, threshold: 0 } },
  { name: 'foldedNormalMirrored', parameters: { location: 0.3, scale: 0.01, threshold: -2 } },
];

const PROBABILITIES = [1e-12, 1e-6, 0.00135, 0.1, 0.5, 0.8, 0.99865, 1 - 1e-9];

/** The density as the family writes it, in the direction of the values. */
function density({ name, parameters }: ModelDescription, value: number): number {
  const { family, mirrored } = MODEL_KINDS[name];
  return Math.exp(family.distribution(parameters).logDensity((mirrored ? -value : value) - (parameters.threshold ?? 0)));
}

/** The probability between two values, by the middle of many narrow strips. */
function integral(model: ModelDescription, from: number, to: number, strips = 20_000): number {
  const width = (to - from) / strips;
  let sum = 0;
  for (let i = 0; i < strips; i++) sum += density(model, from + (i + 0.5) * width);
  return sum * width;
}

describe.each(MODELS)('$name $parameters', (description) => {
  const model = fittedModel(description);

  it('has a density whose integral is the distribution', () => {
    const [from, middle, to] = [model.quantile(0.01), model.quantile(0.4), model.quantile(0.99)];
    expect(integral(description, from, middle)).toBeCloseTo(0.39, 7);
    expect(integral(description, middle, to)).toBeCloseTo(0.59, 7);
  });
  it.each(PROBABILITIES)('has the probability %d at its quantile', (probability) => {
    const value = model.quantile(probability);
    // The distance of a value from a threshold of 100 keeps fewer digits.
    expect(Math.abs(model.cdf(value) / probability - 1)).toBeLessThan(description.parameters.threshold ? 1e-8 : 1e-10);
    expect(model.cdf(value) + model.survival(value)).toBeCloseTo(1, 12);
  });
  it.each([-6, -3, -1, 0, 0.5, 3, 7])('has the normal score %d at its value', (score) => {
    const value = model.valueAt(score);
    expect(model.score(value)).toBeCloseTo(score, 7);
    expect(Math.abs(model.survival(value) / normalCdf(-score) - 1)).toBeLessThan(1e-7);
  });
  it('has finite scores and values for any number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const figures = [model.score(value), model.cdf(value), model.survival(value), model.valueAt(Math.max(-40, Math.min(40, value)))];
        for (const figure of figures) expect(Number.isFinite(figure)).toBe(true);
      }),
      // The logarithm of this tail of a Rayleigh distribution is a double, and twice it is none.
      { examples: [[-2.681561585988468e152]] },
    );
  });
  it('has scores that grow with the value', () => {
    const values = Array.from({ length: 200 }, (_, i) => model.valueAt(-8 + i * 0.08));
    const scores = values.map((value) => model.score(value));
    for (let i = 1; i < scores.length; i++) expect(scores[i]!).toBeGreaterThanOrEqual(scores[i - 1]!);
  });
});

describe('scores far out', () => {
  it('follow the logarithm of a tail that is no double any more', () => {
    const model = fittedModel({ name: 'weibull', parameters: { shape: 2, scale: 1, threshold: 0 } });
    // ln P = −x²: the score of a tail e^(−2,000,000) is √(4,000,000 − ln(4,000,000 · 2π)) to five digits.
    expect(model.score(Math.sqrt(2e6))).toBeCloseTo(Math.sqrt(4e6 - Math.log(4e6 * 2 * Math.PI)), 4);
  });
  it('continue without a step where the tail leaves the range of a double', () => {
    const model = fittedModel({ name: 'gamma', parameters: { shape: 3, scale: 1, threshold: 0 } });
    const scores = Array.from({ length: 200 }, (_, i) => model.score(600 + i));
    const steps = scores.slice(1).map((score, i) => score - scores[i]!);
    expect(Math.max(...steps)).toBeLessThan(0.03);
    expect(Math.min(...steps)).toBeGreaterThan(0.02);
  });
  it('end beyond the threshold', () => {
    const model = fittedModel({ name: 'weibull', parameters: { shape: 2, scale: 1, threshold: 5 } });
    expect(model.score(4.9)).toBe(-1e6);
  });
});
