import { deviationConstants, rangeConstants } from '../charts/constants.ts';
import type { GroupChartType } from '../charts/group-chart.ts';
import { chiSquareCdf, chiSquareSurvival, rangeSurvival } from '../probabilities.ts';
import { criticalDeviation, criticalRange, criticalSpread, FARTHEST_CHANCE } from './evidence.ts';
import { leftOutOf } from './scores.ts';
import { judge, MIN_GROUPS, MIN_SINGLE_POINTS, type Stability, type StabilityOptions, type BeyondLimits } from './verdict.ts';

/**
 * Judges single values on their chart and on that of their moving ranges.
 * @param values in the order of measurement, NaN for a missing one; scores of the model where it is not normal
 */
export function assessIndividuals(values: Float64Array, options: StabilityOptions): Stability {
  const sigma = options.given?.sigma ?? verdictSigma(values);
  const count = countOf(values);
  const { differences, centerLine } = standardised(values, undefined, sigma, options.given?.centerLine);
  const degreesOfFreedom = options.given ? (options.given.degreesOfFreedom ?? Infinity) : verdictFreedom(count);
  let ranges = 0;
  for (let i = 1; i < values.length; i++) if (!Number.isNaN(values[i]! - values[i - 1]!)) ranges++;
  const probability = FARTHEST_CHANCE / Math.max(1, count + ranges);
  const isJudged = sigma !== undefined && (isKnown(options) || count >= MIN_SINGLE_POINTS);
  const limit = isJudged ? criticalDeviation(probability, Math.max(1, degreesOfFreedom)) : Infinity;
  let farRange = -1;
  for (let i = 1; i < values.length && farRange < 0; i++) {
    if (Math.abs(differences[i]! - differences[i - 1]!) > limit * Math.SQRT2) farRange = i;
  }
  return judge({
    data: { differences },
    deviations: differences,
    sigma: sigma ?? 0,
    centerLine,
    count,
    isEnough: sigma !== undefined && count >= MIN_SINGLE_POINTS,
    farLocation: firstBeyond(differences, limit),
    farVariation: farRange,
    options,
  });
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
  const mean = meanRange(values, Infinity);
  if (mean === undefined || !(mean > 0) || !Number.isFinite(mean)) return undefined;
  return meanRange(values, UPPER_RANGE * mean)! / MEAN_RANGE_BELOW || undefined;
}

function meanRange(values: Float64Array, most: number): number | undefined {
  let [mean, count] = [0, 0];
  for (let i = 1; i < values.length; i++) {
    const range = Math.abs(values[i]! - values[i - 1]!);
    if (range <= most) mean += (range - mean) / ++count;
  }
  return count === 0 ? undefined : mean;
}

/** Differences from the centre line in standard deviations of a value; the computed centre leaves out the points farthest out. */
function standardised(
  points: Float64Array,
  counts: ArrayLike<number> | undefined,
  sigma: number | undefined,
  givenCenter: number | undefined,
): { differences: Float64Array; centerLine: number } {
  const differences = new Float64Array(points.length).fill(NaN);
  if (sigma === undefined) return { differences, centerLine: givenCenter ?? 0 };
  const centerLine = givenCenter ?? centerWithoutFarthest(points, counts);
  for (let i = 0; i < points.length; i++) differences[i] = (points[i]! - centerLine) / sigma;
  return { differences, centerLine };
}

function centerWithoutFarthest(points: Float64Array, counts: ArrayLike<number> | undefined): number {
  const origin = points.find((point) => !Number.isNaN(point)) ?? 0;
  let [weight, sum, measured] = [0, 0, 0];
  for (let i = 0; i < points.length; i++) {
    if (Number.isNaN(points[i]!)) continue;
    measured++;
    weight += counts?.[i] ?? 1;
    sum += (points[i]! - origin) * (counts?.[i] ?? 1);
  }
  const leftOut = new Set<number>();
  while (leftOut.size < leftOutOf(measured) && leftOut.size + 1 < measured) {
    const mean = origin + sum / weight;
    let farthest = -1;
    for (let i = 0; i < points.length; i++) {
      if (Number.isNaN(points[i]!) || leftOut.has(i)) continue;
      if (farthest < 0 || Math.abs(points[i]! - mean) > Math.abs(points[farthest]! - mean)) farthest = i;
    }
    leftOut.add(farthest);
    weight -= counts?.[farthest] ?? 1;
    sum -= (points[farthest]! - origin) * (counts?.[farthest] ?? 1);
  }
  return origin + sum / weight;
}

function firstBeyond(deviations: Float64Array, limit: number): number {
  return deviations.findIndex((deviation) => Math.abs(deviation) > limit);
}

function countOf(points: Float64Array): number {
  let count = 0;
  for (const point of points) if (!Number.isNaN(point)) count++;
  return count;
}
