import type { Index } from '../capability/indices.ts';
import type { SpecificationLimits } from '../capability/limits.ts';
import { normalQuantile } from '../distributions.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import { fitModel, type FitOptions, type ModelFit } from './fits.ts';
import { logLikelihood } from './families/family.ts';
import type { ModelParameters } from './fitted-model.ts';
import { indicesOfPercentiles, MODEL_INDEX_KEYS, percentilesOf, type ModelIndices } from './indices-of-model.ts';
import { distancesOf, fittedModel, MODEL_KINDS } from './model-functions.ts';
import { likelihoodRegion } from './likelihood-region.ts';
import { coordinatesOf } from './model-coordinates.ts';
import { randomNumbers } from './sample/random-numbers.ts';
import { mirroredSample, smallestOf, weightedSample, type WeightedSample } from './sample/weighted-sample.ts';

export type ModelIntervals = { readonly [K in keyof ModelIndices]?: Index };

export interface IntervalInput {
  readonly sample: WeightedSample;
  readonly limits: SpecificationLimits;
  /** Between 0 and 1, such as 0.95. */
  readonly confidence: number;
  readonly fitOptions: FitOptions;
}

/** Below this index the interval is symmetric on the index itself, above it on its logarithm. */
const MIN_LOGARITHMIC_INDEX = 0.33;

/** Steps of the differences, in units of 1/√n, which is about a standard error. */
const STEP = 0.1;

const BOOTSTRAP_DRAWS = 200;
const BOOTSTRAP_SEED = 20261125;
/** Larger samples are drawn in this size, and their spread is scaled. */
const MAX_BOOTSTRAP_SIZE = 1000;
const MIN_BOOTSTRAP_FITS = 100;

/**
 * Indices of a model with confidence intervals, by the observed information and the delta method.
 * A folded normal model near 0 has the interval of its likelihood; a parametric bootstrap replaces a matrix that is not usable.
 */
export function modelIntervals(fit: ModelFit, input: IntervalInput): ModelIntervals {
  const indices = indicesOf(fit, input.limits);
  const region = likelihoodRegion(fit, indices, input);
  if (region) return region;
  const errors = standardErrors(fit, indices, input) ?? bootstrapErrors(fit, indices, input);
  const reach = normalQuantile((1 + input.confidence) / 2);
  const intervals: { -readonly [K in keyof ModelIntervals]: ModelIntervals[K] } = {};
  for (const key of MODEL_INDEX_KEYS) {
    const value = indices[key];
    if (value !== undefined) intervals[key] = intervalOf(value, errors[key], reach);
  }
  return intervals;
}

function intervalOf(value: number, error: number | undefined, reach: number): Index {
  if (error === undefined || !Number.isFinite(error)) return { value };
  if (value < MIN_LOGARITHMIC_INDEX) return { value, lower: value - reach * error, upper: value + reach * error };
  const factor = Math.exp((reach * error) / value);
  return Number.isFinite(factor) ? { value, lower: value / factor, upper: value * factor } : { value };
}

function indicesOf(description: { readonly name: ModelFit['name']; readonly parameters: ModelParameters }, limits: SpecificationLimits) {
  return indicesOfPercentiles(percentilesOf(fittedModel(description)), limits);
}

/** @returns undefined where the information matrix is not positive definite */
function standardErrors(fit: ModelFit, indices: ModelIndices, { sample, limits }: IntervalInput): ModelIndices | undefined {
  const { family, mirrored } = MODEL_KINDS[fit.name];
  const directed = mirrored ? mirroredSample(sample) : sample;
  const coordinates = coordinatesOf(fit, smallestOf(directed));
  const step = STEP / Math.sqrt(sample.count);
  const likelihoodAt = (moves: readonly number[]) => {
    const parameters = coordinates.parametersAt(moves);
    return logLikelihood(distancesOf(directed, false, parameters.threshold), family.distribution(parameters));
  };
  const axes = Array.from({ length: coordinates.dimension }, (_, axis) => axis);
  const moves = (first: number, firstBy: number, second: number, secondBy: number) =>
    axes.map((axis) => (axis === first ? firstBy : 0) + (axis === second ? secondBy : 0));

  const center = likelihoodAt(axes.map(() => 0));
  const information = axes.map((i) =>
    axes.slice(0, i + 1).map((j) => {
      const both = likelihoodAt(moves(i, step, j, step)) + likelihoodAt(moves(i, -step, j, -step));
      if (i === j) return (2 * center - both) / (4 * step * step);
      const opposite = likelihoodAt(moves(i, step, j, -step)) + likelihoodAt(moves(i, -step, j, step));
      return (opposite - both) / (4 * step * step);
    }),
  );
  const root = choleskyRoot(information);
  if (!root) return undefined;

  const ends = axes.map((axis) =>
    [-step, step].map((by) => indicesOf({ name: fit.name, parameters: coordinates.parametersAt(moves(axis, by, -1, 0)) }, limits)),
  );
  const errors: { -readonly [K in keyof ModelIndices]: ModelIndices[K] } = {};
  for (const key of MODEL_INDEX_KEYS) {
    if (indices[key] === undefined) continue;
    const gradient = ends.map(([low, high]) => (high![key]! - low![key]!) / (2 * step));
    const error = lengthInMetric(root, gradient);
    if (!Number.isFinite(error)) return undefined;
    errors[key] = error;
  }
  return errors;
}

/** The lower root of a positive definite matrix, of which the lower half is read. */
function choleskyRoot(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const root: number[][] = [];
  for (let i = 0; i < matrix.length; i++) {
    const row: number[] = [];
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= row[k]! * (j === i ? row[k]! : root[j]![k]!);
      if (j < i) row.push(rest / root[j]![j]!);
      // A diagonal that nearly vanishes is one of rounding errors.
      else if (rest > 1e-8 * matrix[i]![i]! && Number.isFinite(rest)) row.push(Math.sqrt(rest));
      else return undefined;
    }
    root.push(row);
  }
  return root;
}

/** √(gᵀ M⁻¹ g) with the root of M. */
function lengthInMetric(root: readonly (readonly number[])[], gradient: readonly number[]): number {
  const solved: number[] = [];
  for (let i = 0; i < root.length; i++) {
    let rest = gradient[i]!;
    for (let k = 0; k < i; k++) rest -= root[i]![k]! * solved[k]!;
    solved.push(rest / root[i]![i]!);
  }
  return Math.hypot(...solved);
}

/** Standard errors from samples of the fitted model, which are fitted anew; the same for the same values. */
function bootstrapErrors(fit: ModelFit, indices: ModelIndices, { sample, limits, fitOptions }: IntervalInput): ModelIndices {
  const random = randomNumbers(BOOTSTRAP_SEED);
  const model = fittedModel(fit);
  const size = Math.min(sample.count, MAX_BOOTSTRAP_SIZE);
  const drawn: ModelIndices[] = [];
  for (let draw = 0; draw < BOOTSTRAP_DRAWS; draw++) {
    const values = sortValues(Float64Array.from({ length: size }, () => model.quantile(random())));
    const again = fitModel(fit.name, weightedSample(values), fitOptions);
    if (again) drawn.push(indicesOf(again, limits));
  }
  const errors: { -readonly [K in keyof ModelIndices]: ModelIndices[K] } = {};
  if (drawn.length < MIN_BOOTSTRAP_FITS) return errors;
  for (const key of MODEL_INDEX_KEYS) {
    const value = indices[key];
    if (value === undefined) continue;
    const error =
      deviation(
        drawn.flatMap((again) => again[key] ?? []),
        value,
      ) * Math.sqrt(size / sample.count);
    errors[key] = error;
  }
  return errors;
}

/** Standard deviation on the scale of the interval, as an error of the index. */
function deviation(drawn: readonly number[], value: number): number {
  const isLogarithmic = value >= MIN_LOGARITHMIC_INDEX && drawn.every((index) => index > 0);
  const terms = isLogarithmic ? drawn.map(Math.log) : drawn;
  const mean = terms.reduce((sum, term) => sum + term, 0) / terms.length;
  const squares = terms.reduce((sum, term) => sum + (term - mean) ** 2, 0);
  return Math.sqrt(squares / (terms.length - 1)) * (isLogarithmic ? value : 1);
}
