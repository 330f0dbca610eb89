import { quantile } from '../descriptive/quantiles.ts';
import { c4, deviationConstants, rangeConstants } from './constants.ts';
import type { Subgroup } from './subgroups.ts';

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
  // Makes no array of the ranges, because this function is hot.
  let [mean, count] = [0, 0];
  for (let i = 1; i < values.length; i++) {
    const range = Math.abs(values[i]! - values[i - 1]!);
    if (Number.isFinite(range)) mean += (range - mean) / ++count;
  }
  return count === 0 ? undefined : finite({ sigma: mean / rangeConstants(2).d2, degreesOfFreedom: count });
}

/**
 * σ within complete subgroups of one size of at least 2: R̄ / d2, s̄ / c4, or √(Σ(nᵢ − 1)sᵢ² / Σ(nᵢ − 1)).
 * Degrees of freedom: 0.9·k(n − 1), f(n)·k(n − 1), and Σ(nᵢ − 1).
 * @param unbiased divides the pooled estimate by c4(Σ(nᵢ − 1) + 1), as Minitab does
 * @returns undefined without a complete subgroup
 */
export function sigmaOfSubgroups(
  subgroups: readonly Subgroup[],
  size: number,
  method: 'rbar' | 'sbar' | 'pooled',
  unbiased = false,
): SigmaEstimate | undefined {
  const complete = subgroups.filter((subgroup) => subgroup.complete);
  if (complete.length === 0) return undefined;
  const freedom = complete.length * (size - 1);
  switch (method) {
    case 'rbar':
      return finite({
        sigma: average(complete.map((subgroup) => subgroup.range)) / rangeConstants(size).d2,
        degreesOfFreedom: 0.9 * freedom,
      });
    case 'sbar':
      return finite({
        sigma: average(complete.map((subgroup) => subgroup.standardDeviation ?? NaN)) / deviationConstants(size).c4,
        degreesOfFreedom: factorOfMeanDeviation(size) * freedom,
      });
    case 'pooled': {
      const pooled = rootMeanSquare(complete.map((subgroup) => subgroup.standardDeviation ?? NaN));
      return finite({ sigma: unbiased ? pooled / c4(freedom + 1) : pooled, degreesOfFreedom: freedom });
    }
  }
}

export function average(values: ArrayLike<number>): number {
  let mean = 0;
  for (let i = 0; i < values.length; i++) mean += (values[i]! - mean) / (i + 1);
  return mean;
}

/** The root of the mean square, scaled by the largest value so that squares do not overflow. */
function rootMeanSquare(values: readonly number[]): number {
  const largest = Math.max(...values);
  if (!(largest > 0)) return largest;
  return largest * Math.sqrt(average(values.map((value) => (value / largest) ** 2)));
}

/** f(n) of the degrees of freedom of s̄ (Bissell 1990; Minitab, methods and formulas for capability). */
function factorOfMeanDeviation(size: number): number {
  const small = [0.88, 0.92, 0.94, 0.95, 0.96, 0.96, 0.97, 0.97];
  return small[size - 2] ?? (size < 18 ? 0.98 : 0.99);
}

function finite(estimate: SigmaEstimate): SigmaEstimate | undefined {
  return Number.isFinite(estimate.sigma) ? estimate : undefined;
}
