import { mapMeasured } from './descriptive/measured-values.ts';
import { momentsOf } from './descriptive/moments.ts';
import { sortValues } from './descriptive/quantiles.ts';
import { normalQuantile } from './distributions.ts';

/** A coefficient and its confidence interval; the interval needs four pairs. */
export interface Correlation {
  readonly value: number;
  readonly lower?: number;
  readonly upper?: number;
}

/**
 * Pearson's r of pairs without missing values.
 * @returns undefined below two pairs and where one side has equal values only
 */
export function pearson(first: Float64Array, second: Float64Array): number | undefined {
  const sums = sumsOf(first, second);
  if (!sums) return undefined;
  return clamp(sums.products / Math.sqrt(sums.squaresX) / Math.sqrt(sums.squaresY));
}

/** Pearson's r with Fisher's interval tanh(artanh(r) ± z / √(n − 3)). */
export function correlationWithInterval(first: Float64Array, second: Float64Array, confidence: number): Correlation | undefined {
  const value = pearson(first, second);
  if (value === undefined) return undefined;
  if (first.length < 4 || Math.abs(value) === 1) return { value };
  const reach = normalQuantile((1 + confidence) / 2) / Math.sqrt(first.length - 3);
  return { value, lower: Math.tanh(Math.atanh(value) - reach), upper: Math.tanh(Math.atanh(value) + reach) };
}

/** Spearman's ρ: Pearson's r of the ranks, equal values sharing the mean of theirs. */
export function spearman(first: Float64Array, second: Float64Array): number | undefined {
  return pearson(ranksOf(first), ranksOf(second));
}

/**
 * The least squares line y = intercept + slope·x.
 * @returns undefined where all x are equal or the line exceeds a double
 */
export function fitLine(x: Float64Array, y: Float64Array): { slope: number; intercept: number } | undefined {
  const sums = sumsOf(x, y);
  if (!sums && momentsOf(x)?.standardDeviation && momentsOf(y)?.standardDeviation === 0) return { slope: 0, intercept: y[0]! };
  if (!sums) return undefined;
  const slope = (sums.products / sums.squaresX) * (sums.scaleY / sums.scaleX);
  const intercept = sums.meanY - slope * sums.meanX;
  return Number.isFinite(slope) && Number.isFinite(intercept) ? { slope, intercept } : undefined;
}

interface Sums {
  readonly meanX: number;
  readonly meanY: number;
  /** Standard deviations by which the differences are divided before they are multiplied, so that nothing overflows. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly squaresX: number;
  readonly squaresY: number;
  readonly products: number;
}

function sumsOf(x: Float64Array, y: Float64Array): Sums | undefined {
  const momentsX = momentsOf(x);
  const momentsY = momentsOf(y);
  if (!momentsX?.standardDeviation || !momentsY?.standardDeviation) return undefined;
  const [scaleX, scaleY] = [momentsX.standardDeviation, momentsY.standardDeviation];
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (let i = 0; i < x.length; i++) {
    const differenceX = (x[i]! - momentsX.mean) / scaleX;
    const differenceY = (y[i]! - momentsY.mean) / scaleY;
    squaresX += differenceX * differenceX;
    squaresY += differenceY * differenceY;
    products += differenceX * differenceY;
  }
  if (!(squaresX > 0 && squaresY > 0 && Number.isFinite(squaresX) && Number.isFinite(squaresY))) return undefined;
  return { meanX: momentsX.mean, meanY: momentsY.mean, scaleX, scaleY, squaresX, squaresY, products };
}

/** The rank of each value; equal ones share the mean of theirs. */
function ranksOf(values: Float64Array): Float64Array {
  const sorted = sortValues(values.slice());
  return mapMeasured(values, (value) => {
    const isBelow = (other: number) => other < value;
    const isNotAbove = (other: number) => other <= value;
    return (partitionPoint(sorted, isBelow) + partitionPoint(sorted, isNotAbove) + 1) / 2;
  });
}

/** The number of values at the beginning for which a condition holds that no later one meets. */
function partitionPoint(sorted: Float64Array, holds: (value: number) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
