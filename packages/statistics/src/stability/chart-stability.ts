import { deviationConstants, rangeConstants } from '../charts/constants.ts';
import type { GroupChartType } from '../charts/group-chart.ts';
import { meanMovingRange } from '../charts/sigma.ts';
import { countOf } from '../descriptive/measured-values.ts';
import { chiSquareCdf, chiSquareSurvival, rangeSurvival } from '../probabilities.ts';
import { criticalDeviation, criticalRange, criticalSpread, FARTHEST_CHANCE } from './evidence.ts';
import { farthestOut } from './farthest.ts';
import { leftOutOf } from './scores.ts';
import { judge, MIN_GROUPS, MIN_SINGLE_POINTS, type Stability, type StabilityOptions, type BeyondLimits } from './verdict.ts';

/**
 * Judges single values on their chart and on that of their moving ranges.
 * @param values in the order of measurement, NaN for a missing one; scores of the model where it is not normal
 */
export function assessIndividuals(values: Float64Array, options: StabilityOptions): Stability {
  const ranges = meanMovingRange(values, Infinity);
  const sigma = options.given?.sigma ?? sigmaWithoutFarRanges(values, ranges.mean);
  const count = countOf(values);
  const { differences, centerLine } = standardised(values, undefined, sigma, options.given?.centerLine);
  const degreesOfFreedom = options.given ? (options.given.degreesOfFreedom ?? Infinity) : verdictFreedom(count);
  const probability = FARTHEST_CHANCE / Math.max(1, count + ranges.count);
  const isJudged = sigma !== undefined && (isKnown(options) || count >= MIN_SINGLE_POINTS);
  const limit = isJudged ? criticalDeviation(probability, Math.max(1, degreesOfFreedom)) : Infinity;
  return judge({
    data: { differences },
    deviations: differences,
    sigma: sigma ?? 0,
    centerLine,
    count,
    isEnough: sigma !== undefined && count >= MIN_SINGLE_POINTS,
    ...firstFar(differences, limit),
    options,
  });
}

/** Indices of the first value and of the first moving range beyond a limit, which is in standard deviations of each; −1 without one. */
function firstFar(differences: Float64Array, limit: number): { readonly farLocation: number; readonly farVariation: number } {
  const mostRange = limit * Math.SQRT2;
  let [farLocation, farVariation, previous] = [-1, -1, NaN];
  for (let i = 0; i < differences.length; i++) {
    const difference = differences[i]!;
    if (Math.abs(difference) > limit && farLocation < 0) farLocation = i;
    if (Math.abs(difference - previous) > mostRange && farVariation < 0) farVariation = i;
    previous = difference;
  }
  return { farLocation, farVariation };
}

export interface GroupPoints {
  readonly type: GroupChartType;
  /** Figures of the groups: counts, means, and ranges or standard deviations. */
  readonly counts: ArrayLike<number>;
  readonly means: Float64Array;
  readonly variations: Float64Array;
  /** σ within the groups, and its degrees of freedom. */
  readonly sigma: number;
  readonly degreesOfFreedom: number;
}

/** Judges groups on the chart of their means and on that of their ranges or standard deviations. */
export function assessGroups(groups: GroupPoints, options: StabilityOptions): Stability {
  const { type, counts, means, variations } = groups;
  const sigma = options.given?.sigma ?? (groups.sigma > 0 ? groups.sigma : undefined);
  const { differences, centerLine } = standardised(means, counts, sigma, options.given?.centerLine);
  const deviations = differences.map((difference, i) => difference * Math.sqrt(counts[i]!));
  const [points, spreads] = [countOf(means), countOf(variations)];
  const isJudged = sigma !== undefined && (isKnown(options) || points >= MIN_GROUPS);
  const probability = FARTHEST_CHANCE / Math.max(1, points + spreads);
  const limit = isJudged
    ? criticalDeviation(probability, options.given ? (options.given.degreesOfFreedom ?? Infinity) : groups.degreesOfFreedom)
    : Infinity;
  const spreadLimits: number[] = [];
  const spreadLimit = (size: number) =>
    (spreadLimits[size] ??= type === 'xbarR' ? criticalRange(probability, size) : criticalSpread(probability, size));
  let farVariation = -1;
  for (let i = 0; isJudged && i < variations.length && farVariation < 0; i++) {
    if (variations[i]! > spreadLimit(counts[i]!) * sigma) farVariation = i;
  }
  return judge({
    data: { differences, weights: counts },
    deviations,
    sigma: sigma ?? 0,
    centerLine,
    count: points,
    isEnough: sigma !== undefined && points >= MIN_GROUPS,
    farLocation: firstBeyond(deviations, limit),
    farVariation,
    ...(sigma !== undefined && { variationBeyond: spreadsBeyond(groups, sigma) }),
    options,
  });
}

/** The limits of a range or standard deviation in units of σ, and the probability of a point beyond them. */
interface SpreadLimits {
  readonly lower: number;
  readonly upper: number;
  readonly rate: number;
}

function spreadsBeyond({ type, counts, variations }: GroupPoints, sigma: number): BeyondLimits {
  const limits: SpreadLimits[] = [];
  let [points, beyond, first, rates] = [0, 0, -1, 0];
  for (let index = 0; index < variations.length; index++) {
    const variation = variations[index]!;
    if (Number.isNaN(variation)) continue;
    const { lower, upper, rate } = (limits[counts[index]!] ??= spreadLimits(type, counts[index]!));
    points++;
    rates += rate;
    if (variation <= upper * sigma && variation >= lower * sigma) continue;
    beyond++;
    if (first < 0) first = index;
  }
  return { beyond, first, points, rate: points === 0 ? 0 : rates / points };
}

function spreadLimits(type: GroupChartType, size: number): SpreadLimits {
  if (type === 'xbarR') {
    const { d2, D3, D4 } = rangeConstants(size);
    const [lower, upper] = [D3 * d2, D4 * d2];
    return { lower, upper, rate: rangeSurvival(upper, size) + (lower > 0 ? 1 - rangeSurvival(lower, size) : 0) };
  }
  const { c4, B3, B4 } = deviationConstants(size);
  const [lower, upper] = [B3 * c4, B4 * c4];
  const squares = (spread: number) => (size - 1) * spread * spread;
  return { lower, upper, rate: chiSquareSurvival(squares(upper), size - 1) + chiSquareCdf(squares(lower), size - 1) };
}

function isKnown({ given }: StabilityOptions): boolean {
  return given !== undefined && given.degreesOfFreedom === undefined;
}

/** Degrees of freedom of {@link verdictSigma} of single values. */
export function verdictFreedom(count: number): number {
  return 0.62 * (count - 1);
}

/** 3.267 times the mean range is the upper limit of moving ranges; below it lies 0.9756 of their mean. */
const UPPER_RANGE = 3.267;
const MEAN_RANGE_BELOW = 1.1005;

/**
 * σ for a verdict on single values: from the moving ranges that are not beyond the limit of their chart.
 * @returns undefined without neighbours or without spread
 */
export function verdictSigma(values: Float64Array): number | undefined {
  return sigmaWithoutFarRanges(values, meanMovingRange(values, Infinity).mean);
}

function sigmaWithoutFarRanges(values: Float64Array, mean: number): number | undefined {
  if (!(mean > 0) || !Number.isFinite(mean)) return undefined;
  return meanMovingRange(values, UPPER_RANGE * mean).mean / MEAN_RANGE_BELOW || undefined;
}

/** Differences from the centre line in standard deviations of a value; the computed centre leaves out the points farthest out. */
function standardised(
  points: Float64Array,
  counts: ArrayLike<number> | undefined,
  sigma: number | undefined,
  givenCenter: number | undefined,
): { differences: Float64Array; centerLine: number } {
  const differences = new Float64Array(points.length);
  if (sigma === undefined) return { differences: differences.fill(NaN), centerLine: givenCenter ?? 0 };
  const centerLine = givenCenter ?? centerWithoutFarthest(points, counts);
  for (let i = 0; i < points.length; i++) differences[i] = (points[i]! - centerLine) / sigma;
  return { differences, centerLine };
}

function centerWithoutFarthest(points: Float64Array, counts: ArrayLike<number> | undefined): number {
  const origin = points.find((point) => !Number.isNaN(point)) ?? 0;
  let [weight, sum, measured] = [0, 0, 0];
  for (let i = 0; i < points.length; i++) {
    if (Number.isNaN(points[i]!)) continue;
    const own = counts === undefined ? 1 : counts[i]!;
    measured++;
    weight += own;
    sum += (points[i]! - origin) * own;
  }
  // The mean moves with each point that is left out.
  const distance = (point: number) => Math.abs(point - (origin + sum / weight));
  for (const farthest of farthestOut(points, Math.min(leftOutOf(measured), measured - 1), distance)) {
    weight -= counts?.[farthest] ?? 1;
    sum -= (points[farthest]! - origin) * (counts?.[farthest] ?? 1);
  }
  return origin + sum / weight;
}

function firstBeyond(deviations: Float64Array, limit: number): number {
  return deviations.findIndex((deviation) => Math.abs(deviation) > limit);
}
