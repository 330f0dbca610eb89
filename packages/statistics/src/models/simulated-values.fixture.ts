import type { ModelDescription } from './fitted-model.ts';
import { fittedModel } from './model-functions.ts';
import { randomNumbers } from './sample/random-numbers.ts';

/** Sets of values of a known distribution, measured to 0.0001; the same for the same seed. */
export function simulatedSets(description: ModelDescription, count: number, sets: number, seed = 11): Float64Array[] {
  const random = randomNumbers(seed);
  const model = fittedModel(description);
  return Array.from({ length: sets }, () =>
    Float64Array.from({ length: count }, () => Math.round(model.quantile(random()) * 10_000) / 10_000),
  );
}

/** The upper limit at which a distribution has a true index. */
export function upperLimitFor(description: ModelDescription, index: number): number {
  const model = fittedModel(description);
  return model.quantile(0.5) + index * (model.quantile(0.99865) - model.quantile(0.5));
}

/** Distributions above a natural boundary of 0. */
export const BOUNDED: Readonly<Record<string, ModelDescription>> = {
  'half normal': { name: 'foldedNormal', parameters: { location: 0, scale: 0.01, threshold: 0 } },
  'Weibull 1.5': { name: 'weibull', parameters: { shape: 1.5, scale: 0.02, threshold: 0 } },
  'lognormal 0.5': { name: 'lognormal', parameters: { location: -4, scale: 0.5, threshold: 0 } },
  exponential: { name: 'weibull', parameters: { shape: 1, scale: 0.02, threshold: 0 } },
  Rayleigh: { name: 'rayleigh', parameters: { scale: 0.02, threshold: 0 } },
  'gamma 3': { name: 'gamma', parameters: { shape: 3, scale: 0.01, threshold: 0 } },
};

/** Skewed distributions without a natural boundary. */
export const UNBOUNDED: Readonly<Record<string, ModelDescription>> = {
  'shifted lognormal': { name: 'lognormal', parameters: { location: -3, scale: 0.5, threshold: 100 } },
  'shifted Weibull': { name: 'weibull', parameters: { shape: 1.5, scale: 0.05, threshold: 10 } },
  'gamma to the left': { name: 'gammaMirrored', parameters: { shape: 3, scale: 0.02, threshold: -50 } },
};
