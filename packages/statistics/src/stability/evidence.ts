import { chiSquareSurvival, rangeSurvival, studentTwoSided } from '../probabilities.ts';

/** Chance that a stable process has a point as far out as the farthest one. */
export const FARTHEST_CHANCE = 0.02;

/** The distance in standard deviations beyond which the two-sided probability of Student's t falls below `probability`. */
export function criticalDeviation(probability: number, degreesOfFreedom: number): number {
  return critical((t) => studentTwoSided(t, degreesOfFreedom) < probability);
}

/** The range of `size` values, in standard deviations of a value, that is exceeded with `probability`. */
export function criticalRange(probability: number, size: number): number {
  return critical((range) => rangeSurvival(range, size) < probability);
}

/** The standard deviation of `size` values, in units of that of the process, that is exceeded with `probability`. */
export function criticalSpread(probability: number, size: number): number {
  return critical((spread) => chiSquareSurvival((size - 1) * spread * spread, size - 1) < probability);
}

/** The smallest argument that is beyond, to a millionth. */
function critical(isBeyond: (x: number) => boolean): number {
  let [low, high] = [0, 1];
  while (!isBeyond(high)) {
    if (high > 1e100) return Infinity;
    [low, high] = [high, 2 * high];
  }
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Points that are compared, and how much each weighs: the number of its values, 1 by default. */
export interface WeighedPoints {
  /** Differences from the centre line in standard deviations of a value; NaN for a missing point. */
  readonly differences: Float64Array;
  readonly weights?: ArrayLike<number>;
}

/** Least points on each side of a step. */
const MIN_POINTS_BESIDE_STEP = 3;

/** A step of the mean, at least three points from the ends. */
export interface Step {
  /** Index of the first point behind the cut. */
  readonly index: number;
  /** The means before and behind it, in standard deviations of a value. */
  readonly from: number;
  readonly to: number;
  /** Their distance in standard deviations of the difference of two such means. */
  readonly significance: number;
}

/** Points farther out weigh no more than this in a step: one of them is no change of level. */
const MAX_DEVIATION = 4;

/** Does what {@link largestStep} does, after moving points that are farther out to four of their standard deviations. */
export function largestStepOfMost(points: WeighedPoints): Step | undefined {
  return largestStep(points, MAX_DEVIATION);
}

/**
 * Finds the cut with the largest standardised difference of means.
 * @param most distance of a point from the centre line, in standard deviations of the point
 * @returns undefined below six points
 */
function largestStep(data: WeighedPoints, most: number): Step | undefined {
  const { differences, weights } = data;
  const all = sumsOf(data, most);
  const last = all.points - MIN_POINTS_BESIDE_STEP;
  let [points, weight, sum] = [0, 0, 0];
  let best = { index: -1, weight: 0, sum: 0, square: -1 };
  for (let i = 0; i < differences.length && points <= last; i++) {
    if (Number.isNaN(differences[i]!)) continue;
    if (points >= MIN_POINTS_BESIDE_STEP) {
      // The square of the significance, without a factor that all cuts share, is this quotient; it is computed only where it is larger.
      const distance = sum * all.weight - all.sum * weight;
      const divisor = weight * (all.weight - weight);
      if (distance * distance > best.square * divisor) best = { index: i, weight, sum, square: (distance * distance) / divisor };
    }
    points++;
    const own = weights === undefined ? 1 : weights[i]!;
    weight += own;
    sum += limited(differences[i]!, own, most) * own;
  }
  if (best.index < 0) return undefined;
  const rest = all.weight - best.weight;
  const [from, to] = [best.sum / best.weight, (all.sum - best.sum) / rest];
  return { index: best.index, from, to, significance: Math.abs(to - from) / Math.sqrt(1 / best.weight + 1 / rest) };
}

/** The difference, or the end of what it may be. */
function limited(difference: number, weight: number, most: number): number {
  const end = weight === 1 ? most : most / Math.sqrt(weight);
  return difference > end ? end : difference < -end ? -end : difference;
}

function sumsOf({ differences, weights }: WeighedPoints, most = Infinity): { points: number; weight: number; sum: number } {
  let [points, weight, sum] = [0, 0, 0];
  for (let i = 0; i < differences.length; i++) {
    if (Number.isNaN(differences[i]!)) continue;
    const own = weights === undefined ? 1 : weights[i]!;
    points++;
    weight += own;
    sum += limited(differences[i]!, own, most) * own;
  }
  return { points, weight, sum };
}

/** How the level of a process changed: at once, or steadily from a point on. */
export interface LevelChange {
  readonly kind: 'step' | 'drift';
  /** Index of the first point of the new level, or the one from which the level moves. */
  readonly index: number;
  /** The levels before, and behind the step or at the end of the drift, in the unit of the differences. */
  readonly from: number;
  readonly to: number;
}

/**
 * Fits a step and a hinge (a level, then a line from it) at all cuts by least squares, and answers the better one.
 * Both have three parameters, so the smaller sum of squares decides.
 * @returns undefined below six points
 */
export function findLevelChange(points: WeighedPoints): LevelChange | undefined {
  const { differences, weights } = points;
  const step = largestStep(points, Infinity);
  if (!step) return undefined;
  // Sums over the points from a cut on, with the number of measured points behind the cut as time; they grow from the end.
  const { weight: W, sum: Y } = sumsOf(points);
  let [weight, sum, times, squares, products, later] = [0, 0, 0, 0, 0, 0];
  // The squares that a step explains are the square of its significance.
  let best = { gain: step.significance ** 2, kind: 'step' as LevelChange['kind'], index: step.index, from: step.from, to: step.to };
  for (let i = differences.length - 1; i >= 0; i--) {
    const y = differences[i]!;
    if (Number.isNaN(y)) continue;
    // One point earlier, all times behind the cut grow by 1.
    squares += 2 * times + weight;
    products += sum;
    times += weight;
    const w = weights === undefined ? 1 : weights[i]!;
    weight += w;
    sum += w * y;
    later++;
    if (later < MIN_POINTS_BESIDE_STEP) continue;
    const spread = squares - (times * times) / W;
    const slope = (products - (times * Y) / W) / spread;
    const gain = slope * slope * spread;
    if (!(gain > best.gain)) continue;
    const from = (Y - slope * times) / W;
    best = { gain, kind: 'drift', index: i, from, to: from + slope * (later - 1) };
  }
  const { kind, index, from, to } = best;
  return { kind, index, from, to };
}
