import type { Family, FamilyFit } from './families/family.ts';
import type { ModelDescription, ModelName } from './fitted-model.ts';
import { percentilesOf } from './indices-of-model.ts';
import { distancesOf, fittedModel, MODEL_KINDS } from './model-functions.ts';
import { maximize } from './optimization.ts';
import { mirroredSample, rangeOf, shiftedSample, smallestOf, type WeightedSample } from './sample/weighted-sample.ts';

/** A model with the figures of its fit; the likelihood of `normal` is that of the deviation with n. */
export interface ModelFit extends ModelDescription {
  readonly logLikelihood: number;
  /** Akaike's criterion for small samples; the smaller one is better. */
  readonly aicc: number;
  /** The origin of the threshold; atEdge: its search ran into the nearest or the farthest one. */
  readonly thresholdOrigin: 'none' | 'given' | 'estimated' | 'atEdge';
}

export interface FitOptions {
  /** The threshold of the model, in the values' own direction; without it the threshold is estimated. */
  readonly boundary?: number | undefined;
  /** The step of the values: a threshold is at least half of it from the nearest value. */
  readonly resolution?: number | undefined;
}

/** The threshold is sought from 0.1/n to 20 ranges beyond the values. */
const NEAREST_THRESHOLD = 0.1;
const FARTHEST_THRESHOLD = 20;

/** Distance of the first search, in logarithms of the distance from the smallest value. */
const SEARCH_STEP = 1;
const POSITION_TOLERANCE = 1e-5;
const EDGE = 1e-3;

/**
 * Fits a model by maximum likelihood, an unknown threshold by profile likelihood.
 * @returns undefined where the model has no maximum or does not allow a value, or the values are too few for its parameters
 */
export function fitModel(name: ModelName, sample: WeightedSample, options: FitOptions = {}): ModelFit | undefined {
  const { family, mirrored } = MODEL_KINDS[name];
  if (sample.values.length < 2) return undefined;
  if (!family.positive) return described(name, sample.count, family.fit(sample), 'none', family.parameters);
  if (options.boundary === undefined) {
    const directed = mirrored ? mirroredSample(sample) : sample;
    const found = fitThreshold(family, directed, options.resolution ?? 0);
    return described(name, sample.count, found, found?.isAtEdge ? 'atEdge' : 'estimated', family.parameters + 1);
  }
  const threshold = mirrored ? -options.boundary : options.boundary;
  const distances = distancesOf(sample, mirrored, threshold);
  if (!(smallestOf(distances) > 0)) return undefined;
  const found = family.fit(distances);
  // A threshold of −0 becomes 0.
  const bounded = found && { ...found, parameters: { ...found.parameters, threshold: threshold + 0 } };
  return described(name, sample.count, bounded, 'given', family.parameters);
}

function described(
  name: ModelName,
  count: number,
  found: FamilyFit | undefined,
  thresholdOrigin: ModelFit['thresholdOrigin'],
  estimated: number,
): ModelFit | undefined {
  if (!found || count <= estimated + 1 || !Number.isFinite(found.logLikelihood)) return undefined;
  if (!Object.values<number>({ ...found.parameters }).every(Number.isFinite)) return undefined;
  const { parameters, logLikelihood } = found;
  // Values of hundreds of orders of magnitude give a tail beyond the largest double.
  const { low, median, high } = percentilesOf(fittedModel({ name, parameters }));
  if (![low, median, high].every(Number.isFinite)) return undefined;
  return { name, parameters, logLikelihood, aicc: aiccOf(logLikelihood, estimated, count), thresholdOrigin };
}

/** −2 ln L + 2k + 2k(k + 1) / (n − k − 1) (Hurvich and Tsai 1989). */
function aiccOf(likelihood: number, estimated: number, count: number): number {
  return -2 * likelihood + 2 * estimated + (2 * estimated * (estimated + 1)) / (count - estimated - 1);
}

/** Maximises the likelihood over the distance of the threshold from the smallest value. */
function fitThreshold(
  family: Family,
  sample: WeightedSample,
  resolution: number,
): (FamilyFit & { readonly isAtEdge: boolean }) | undefined {
  const smallest = smallestOf(sample);
  const range = rangeOf(sample);
  const fromSmallest = shiftedSample(sample, smallest);
  const nearest = Math.log(Math.max((NEAREST_THRESHOLD / sample.count) * range, resolution / 2));
  const farthest = Math.log(FARTHEST_THRESHOLD * range);
  if (!(nearest < farthest) || !Number.isFinite(nearest) || !Number.isFinite(farthest)) return undefined;
  const fitAt = (logDistance: number) => family.fit(shiftedSample(fromSmallest, -Math.exp(logDistance)));
  const profile = (logDistance: number) => fitAt(logDistance)?.logLikelihood ?? -Infinity;

  const steps = Math.max(2, Math.ceil((farthest - nearest) / SEARCH_STEP));
  const grid = Array.from({ length: steps + 1 }, (_, i) => nearest + (i * (farthest - nearest)) / steps);
  const likelihoods = grid.map(profile);
  let best = { at: grid[0]!, value: likelihoods[0]! };
  for (let i = 0; i <= steps; i++) {
    const value = likelihoods[i]!;
    if (value > best.value) best = { at: grid[i]!, value };
    const isPeak = value >= (likelihoods[i - 1] ?? -Infinity) && value >= (likelihoods[i + 1] ?? -Infinity);
    if (!isPeak || value === -Infinity) continue;
    const ends = [grid[Math.max(0, i - 1)]!, grid[Math.min(steps, i + 1)]!] as const;
    const peak = maximize(profile, ends, POSITION_TOLERANCE);
    if (peak.value > best.value) best = peak;
  }
  const found = fitAt(best.at);
  if (!found) return undefined;
  const isAtEdge = best.at - nearest < EDGE || farthest - best.at < EDGE;
  return { ...found, parameters: { ...found.parameters, threshold: smallest - Math.exp(best.at) }, isAtEdge };
}
