import type { Index } from '../capability/indices.ts';
import type { SpecificationLimits } from '../capability/limits.ts';
import { normalQuantile } from '../distributions.ts';
import type { ModelFit } from './fits.ts';
import { logLikelihood } from './families/family.ts';
import type { ModelParameters } from './fitted-model.ts';
import { indicesOfPercentiles, MODEL_INDEX_KEYS, percentilesOf, type ModelIndices } from './indices-of-model.ts';
import { distancesOf, fittedModel, MODEL_KINDS } from './model-functions.ts';
import type { WeightedSample } from './sample/weighted-sample.ts';

/** Above this ratio of location to scale a folded normal model is nearly normal, and its information matrix is usable. */
const MAX_RATIO = 2;

/** Shares of the location in the mean of the squares at which the likelihood is followed. */
const STEPS = 20;
const MAX_SHARE = 0.95;

/**
 * Intervals of a folded normal model near 0, where location and scale can hardly be told apart and no matrix says how far they reach:
 * the smallest and the largest index of all parameters whose likelihood the values do not contradict.
 * @returns undefined for any other model
 */
export function likelihoodRegion(
  fit: ModelFit,
  indices: ModelIndices,
  { sample, limits, confidence }: { readonly sample: WeightedSample; readonly limits: SpecificationLimits; readonly confidence: number },
): { -readonly [K in keyof ModelIndices]?: Index } | undefined {
  const { family, mirrored } = MODEL_KINDS[fit.name];
  const { location = 0, scale, threshold = 0 } = fit.parameters;
  if ((fit.name !== 'foldedNormal' && fit.name !== 'foldedNormalMirrored') || location > MAX_RATIO * scale) return undefined;
  const distances = distancesOf(sample, mirrored, threshold);
  const likelihoodAt = (parameters: ModelParameters) => logLikelihood(distances, family.distribution(parameters));
  const lowest = fit.logLikelihood - normalQuantile((1 + confidence) / 2) ** 2 / 2;
  const size = Math.hypot(location, scale);
  const step = 0.1 / Math.sqrt(sample.count);
  const bounds: { -readonly [K in keyof ModelIndices]: [number, number] } = {};
  for (const key of MODEL_INDEX_KEYS) if (indices[key] !== undefined) bounds[key] = [indices[key], indices[key]];
  for (const share of [...Array.from({ length: STEPS }, (_, i) => (i * MAX_SHARE) / (STEPS - 1)), location / size]) {
    const parametersAt = (logFactor: number) => {
      const moved = size * Math.exp(logFactor);
      return { location: share * moved, scale: moved * Math.sqrt(1 - share * share), threshold };
    };
    const [left, middle, right] = [-step, 0, step].map((by) => likelihoodAt(parametersAt(by))) as [number, number, number];
    // The likelihood is nearly a parabola of the logarithm of the size.
    const curvature = (2 * middle - left - right) / (step * step);
    const top = (right - left) / (2 * step) / curvature;
    const excess = middle + (curvature * top * top) / 2 - lowest;
    if (!(excess >= 0) || !(curvature > 0)) continue;
    const reach = Math.sqrt((2 * excess) / curvature);
    for (const by of [top - reach, top + reach]) {
      const model = fittedModel({ name: fit.name, parameters: parametersAt(by) });
      const found = indicesOfPercentiles(percentilesOf(model), limits);
      for (const key of MODEL_INDEX_KEYS) {
        if (bounds[key] === undefined || found[key] === undefined) continue;
        bounds[key] = [Math.min(bounds[key][0], found[key]), Math.max(bounds[key][1], found[key])];
      }
    }
  }
  const intervals: { -readonly [K in keyof ModelIndices]?: Index } = {};
  for (const key of MODEL_INDEX_KEYS) {
    if (bounds[key]) intervals[key] = { value: indices[key]!, lower: bounds[key][0], upper: bounds[key][1] };
  }
  return intervals;
}
