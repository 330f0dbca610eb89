import { meanOf } from '../descriptive/moments.ts';
import { rangeConstants } from './constants.ts';
import { sigmaOfMovingRanges, type SigmaEstimate, type SigmaMethod } from './sigma.ts';

export const CHART_TYPES = ['individuals', 'xbarR', 'xbarS'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** Centre line and limits at three standard deviations of the plotted points. */
export interface ControlLimits {
  readonly centerLine: number;
  readonly lower: number;
  readonly upper: number;
}

/** The chart of single values; `sigma` is the spread between neighbours. */
export interface IndividualsChart extends SigmaEstimate {
  readonly location: ControlLimits;
  /** Limits of the moving ranges. */
  readonly variation: ControlLimits;
}

/** Whether a chart of this type can use the estimate. */
export function fitsChart(type: ChartType, method: SigmaMethod): boolean {
  return (type === 'individuals') === (method === 'movingRange' || method === 'medianMovingRange');
}

/**
 * Computes limits from the single values of a baseline.
 * @param values in the order of measurement; NaN is a missing value
 * @returns undefined without two neighbours, and where a limit exceeds a double
 */
export function individualsChart(
  values: Float64Array,
  method: 'movingRange' | 'medianMovingRange' = 'movingRange',
): IndividualsChart | undefined {
  const estimate = sigmaOfMovingRanges(values, method);
  if (!estimate) return undefined;
  const { d2, D4 } = rangeConstants(2);
  // σ·d2 is the mean moving range that fits the estimate, whichever method made it.
  const meanRange = estimate.sigma * d2;
  const centerLine = meanOf(values);
  const location = { centerLine, lower: centerLine - 3 * estimate.sigma, upper: centerLine + 3 * estimate.sigma };
  const variation = { centerLine: meanRange, lower: 0, upper: D4 * meanRange };
  const areFinite = [location.lower, location.upper, variation.upper].every((limit) => Number.isFinite(limit));
  return areFinite ? { ...estimate, location, variation } : undefined;
}
