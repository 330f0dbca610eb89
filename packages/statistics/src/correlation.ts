import { momentsOf } from './descriptive/moments.ts';
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

function ranksOf(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]!] === values[order[start]!]) end++;
    for (let i = start; i <= end; i++) ranks[order[i]!] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return ranks;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
