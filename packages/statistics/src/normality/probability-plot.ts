import { pearson } from '../correlation.js';
import { momentsOf } from '../descriptive/moments.js';
import { normalQuantile } from '../distributions.js';

export interface ProbabilityPlot {
  /** Measured values beside the quantiles of the standard normal distribution at (i − 3/8) / (n + 1/4) (Blom 1958), ascending. */
  readonly points: readonly { readonly value: number; readonly quantile: number }[];
  /** value = intercept + slope·quantile, through mean and standard deviation; absent where the spread is not defined. */
  readonly line?: { readonly slope: number; readonly intercept: number };
}

/**
 * The normal probability plot, thinned out evenly to at most `maxPoints` with the first and the last value.
 * @param sorted ascending, at least one value
 * @param maxPoints at least 2
 */
export function probabilityPlot(sorted: Float64Array, maxPoints: number): ProbabilityPlot {
  const count = sorted.length;
  const sent = Math.min(count, maxPoints);
  const points = Array.from({ length: sent }, (_, i) => {
    const index = sent === 1 ? 0 : Math.round((i * (count - 1)) / (sent - 1));
    return { value: sorted[index]!, quantile: normalQuantile(plottingPosition(index, count)) };
  });
  const moments = momentsOf(sorted);
  if (moments?.standardDeviation === undefined) return { points };
  return { points, line: { slope: moments.standardDeviation, intercept: moments.mean } };
}

/** The correlation of values and quantiles over all points; undefined where all values are equal. */
export function probabilityCorrelation(sorted: Float64Array): number | undefined {
  const count = sorted.length;
  const quantiles = new Float64Array(count);
  for (let i = 0; i * 2 < count; i++) {
    const value = normalQuantile(plottingPosition(i, count));
    quantiles[i] = value;
    quantiles[count - 1 - i] = -value;
  }
  return pearson(sorted, quantiles);
}

function plottingPosition(index: number, count: number): number {
  return (index + 1 - 0.375) / (count + 0.25);
}
