import { quantile } from '../descriptive/quantiles.ts';
import { rangeConstants } from './constants.ts';

/** Estimates of the spread within a short time: the first two of single values, the others of subgroups. */
export const SIGMA_METHODS = ['movingRange', 'medianMovingRange', 'rbar', 'sbar', 'pooled'] as const;
export type SigmaMethod = (typeof SIGMA_METHODS)[number];

/** An estimated standard deviation, and the degrees of freedom of its confidence intervals. */
export interface SigmaEstimate {
  readonly sigma: number;
  readonly degreesOfFreedom: number;
}

/** The median of the moving range of normal values in units of their standard deviation. */
const MEDIAN_MOVING_RANGE = 0.954;

/** |xᵢ − xᵢ₋₁| of neighbours that are both measured. */
export function movingRanges(values: Float64Array): Float64Array {
  const ranges = new Float64Array(Math.max(0, values.length - 1));
  let count = 0;
  for (let i = 1; i < values.length; i++) {
    const range = Math.abs(values[i]! - values[i - 1]!);
    if (Number.isFinite(range)) ranges[count++] = range;
  }
  return ranges.subarray(0, count);
}

/**
 * σ of single values from their moving ranges: mean / d2(2), or median / 0.954.
 * @param values in the order of measurement; NaN is a missing value
 * @returns undefined without two neighbouring values
 */
export function sigmaOfMovingRanges(values: Float64Array, method: 'movingRange' | 'medianMovingRange'): SigmaEstimate | undefined {
  if (method === 'medianMovingRange') {
    const ranges = movingRanges(values).sort();
    if (ranges.length === 0) return undefined;
    return finite({ sigma: quantile(ranges, 0.5) / MEDIAN_MOVING_RANGE, degreesOfFreedom: ranges.length });
  }
  const { mean, count } = meanMovingRange(values, Number.MAX_VALUE);
  return count === 0 ? undefined : finite({ sigma: mean / rangeConstants(2).d2, degreesOfFreedom: count });
}

/** Keeps the sum of eight million ranges within a double; products with a power of two are exact. */
const SUM_SCALE = 2 ** -23;

/** The mean of the moving ranges up to `most`, and their number; NaN without one. */
export function meanMovingRange(values: Float64Array, most: number): { readonly mean: number; readonly count: number } {
  let [sum, count, previous] = [0, 0, NaN];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const range = Math.abs(value - previous);
    previous = value;
    if (!(range <= most)) continue;
    sum += range * SUM_SCALE;
    count++;
  }
  return { mean: sum / count / SUM_SCALE, count };
}

function finite(estimate: SigmaEstimate): SigmaEstimate | undefined {
  return Number.isFinite(estimate.sigma) ? estimate : undefined;
}
