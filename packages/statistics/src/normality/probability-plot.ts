import { momentsOf, type Moments } from '../descriptive/moments.ts';
import { normalQuantile } from '../distributions.ts';

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

/**
 * Pearson's correlation of values and quantiles over all points. The quantiles are symmetrical about 0, which is their mean.
 * @param sorted ascending
 * @param moments of the same values, where they are known
 * @returns undefined where all values are equal
 */
export function probabilityCorrelation(sorted: Float64Array, moments: Moments | undefined = momentsOf(sorted)): number | undefined {
  const count = sorted.length;
  if (!moments?.standardDeviation) return undefined;
  const { standardDeviation } = moments;
  let products = 0;
  let squares = 0;
  const quantiles = upperQuantiles(count);
  for (let low = 0, high = count - 1; low < high; low++, high--) {
    const quantile = quantiles[low]!;
    // Values are divided before they are multiplied, so that nothing overflows.
    products += quantile * (sorted[high]! / standardDeviation - sorted[low]! / standardDeviation);
    squares += 2 * quantile * quantile;
  }
  return Math.min(1, products / Math.sqrt(squares * (count - 1)));
}

/** Quantiles of the largest value, the second largest one and so on to the middle. */
function upperQuantiles(count: number): Float64Array {
  const quantiles = new Float64Array(count >> 1);
  const quantileAt = (index: number) => -normalQuantile(plottingPosition(index, count));
  let [from, atFrom] = [0, quantileAt(0)];
  while (from < quantiles.length) {
    // Behind the first ones the quantiles are a line over a 256th of those before, to a millionth.
    const to = Math.min(from + Math.max(1, from >> 8), quantiles.length);
    const atTo = quantileAt(to);
    const step = (atTo - atFrom) / (to - from);
    for (let i = from; i < to; i++) quantiles[i] = atFrom + (i - from) * step;
    [from, atFrom] = [to, atTo];
  }
  return quantiles;
}

function plottingPosition(index: number, count: number): number {
  return (index + 1 - 0.375) / (count + 0.25);
}
