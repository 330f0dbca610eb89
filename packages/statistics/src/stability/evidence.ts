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
export function largestStepOfMost({ differences, weights }: WeighedPoints): Step | undefined {
  const moved = differences.map((difference, i) => {
    const most = MAX_DEVIATION / Math.sqrt(weights?.[i] ?? 1);
    return Math.min(most, Math.max(-most, difference));
  });
  return largestStep(weights ? { differences: moved, weights } : { differences: moved });
}

/** Finds the cut with the largest standardised difference of means. @returns undefined below six points */
function largestStep(data: WeighedPoints): Step | undefined {
  const { differences, weights } = data;
  const all = sumsOf(data);
  let [points, weight, sum] = [0, 0, 0];
  let best: Step | undefined;
  for (let i = 0; i < differences.length; i++) {
    const difference = differences[i]!;
    if (Number.isNaN(difference)) continue;
    if (points >= MIN_POINTS_BESIDE_STEP && all.points - points >= MIN_POINTS_BESIDE_STEP) {
      const rest = all.weight - weight;
      const [from, to] = [sum / weight, (all.sum - sum) / rest];
      const significance = Math.abs(to - from) / Math.sqrt(1 / weight + 1 / rest);
      if (!best || significance > best.significance) best = { index: i, from, to, significance };
    }
    points++;
    weight += weights?.[i] ?? 1;
    sum += difference * (weights?.[i] ?? 1);
  }
  return best;
}

function sumsOf({ differences, weights }: WeighedPoints): { points: number; weight: number; sum: number } {
  let [points, weight, sum] = [0, 0, 0];
  for (let i = 0; i < differences.length; i++) {
    if (Number.isNaN(differences[i]!)) continue;
    points++;
    weight += weights?.[i] ?? 1;
    sum += differences[i]! * (weights?.[i] ?? 1);
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
  const step = largestStep(points);
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
    const w = weights?.[i] ?? 1;
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
