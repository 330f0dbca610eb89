import { quantile } from './quantiles.ts';

export interface BoxPlot {
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  /** The smallest value that is at most 1.5 interquartile ranges below the lower quartile. */
  readonly lowerWhisker: number;
  readonly upperWhisker: number;
  /** Values beyond the whiskers, the farthest first. */
  readonly outliers: readonly number[];
}

const MAX_OUTLIERS = 200;

/**
 * Tukey's box plot with quartiles of type 7.
 * @param sorted ascending, at least one value
 */
export function boxPlot(sorted: Float64Array): BoxPlot {
  const lowerQuartile = quantile(sorted, 0.25);
  const upperQuartile = quantile(sorted, 0.75);
  const reach = 1.5 * (upperQuartile - lowerQuartile);

  let first = 0;
  while (sorted[first]! < lowerQuartile - reach) first++;
  let last = sorted.length - 1;
  while (sorted[last]! > upperQuartile + reach) last--;

  return {
    lowerQuartile,
    median: quantile(sorted, 0.5),
    upperQuartile,
    lowerWhisker: sorted[first]!,
    upperWhisker: sorted[last]!,
    outliers: farthestFirst(sorted, first, last, lowerQuartile, upperQuartile),
  };
}

/** Merges the values below `first` and above `last`, both of which are farthest at their outer ends. */
function farthestFirst(sorted: Float64Array, first: number, last: number, lowerQuartile: number, upperQuartile: number): number[] {
  const outliers: number[] = [];
  let below = 0;
  let above = sorted.length - 1;
  while (outliers.length < MAX_OUTLIERS && (below < first || above > last)) {
    const distanceBelow = below < first ? lowerQuartile - sorted[below]! : -1;
    const distanceAbove = above > last ? sorted[above]! - upperQuartile : -1;
    outliers.push(distanceBelow >= distanceAbove ? sorted[below++]! : sorted[above--]!);
  }
  return outliers;
}
