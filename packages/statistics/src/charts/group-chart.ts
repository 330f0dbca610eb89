import { deviationConstants, MAX_SUBGROUP_SIZE, rangeConstants } from './constants.ts';
import type { ControlLimits } from './control-chart.ts';
import type { GroupFigures } from './grouping.ts';
import type { SigmaEstimate } from './sigma.ts';

export type GroupChartType = 'xbarR' | 'xbarS';
export type GroupSigmaMethod = 'rbar' | 'sbar' | 'pooled';

/** Centre line and spread of a chart of groups; {@link limitsOfGroup} answers the limits of each group. */
export interface GroupChart extends SigmaEstimate {
  readonly type: GroupChartType;
  readonly sigmaMethod: GroupSigmaMethod;
  /** The mean of all values. */
  readonly centerLine: number;
}

export interface GroupLimits {
  readonly location: ControlLimits;
  /** Absent for a group of one value, which has no range. */
  readonly variation?: ControlLimits;
}

/** The largest group of which ranges can be judged. */
export const MAX_RANGE_GROUP_SIZE = MAX_SUBGROUP_SIZE;

/**
 * Computes centre line and spread from the groups of a baseline, complete or not.
 * @returns undefined without a group of two values, and where a figure exceeds a double
 * @throws RangeError for ranges of groups of more than {@link MAX_RANGE_GROUP_SIZE} values
 */
export function groupChart(figures: GroupFigures, type: GroupChartType, sigmaMethod: GroupSigmaMethod): GroupChart | undefined {
  if ((type === 'xbarR' || sigmaMethod === 'rbar') && figures.largest > MAX_RANGE_GROUP_SIZE) {
    throw new RangeError(`The ranges of groups of ${figures.largest} values cannot be judged.`);
  }
  const estimate = sigmaOfGroups(figures, sigmaMethod);
  const centerLine = meanOfGroups(figures);
  if (!estimate || !Number.isFinite(centerLine)) return undefined;
  const chart: GroupChart = { type, sigmaMethod, ...estimate, centerLine };
  const { lower, upper } = limitsOfGroup(chart, 1).location;
  // The upper limit of the ranges of 25 values, which is the largest one, is 6.1σ.
  return [lower, upper, 7 * estimate.sigma].every((limit) => Number.isFinite(limit)) ? chart : undefined;
}

/** Limits at three standard deviations for a group of `size` values: mean ± 3σ/√n; D3, D4 or B3, B4 for the spread. */
export function limitsOfGroup({ type, sigma, centerLine }: Pick<GroupChart, 'type' | 'sigma' | 'centerLine'>, size: number): GroupLimits {
  const reach = (3 * sigma) / Math.sqrt(size);
  const location = { centerLine, lower: centerLine - reach, upper: centerLine + reach };
  if (size < 2) return { location };
  if (type === 'xbarR') {
    const { d2, D3, D4 } = rangeConstants(size);
    const meanRange = d2 * sigma;
    return { location, variation: { centerLine: meanRange, lower: D3 * meanRange, upper: D4 * meanRange } };
  }
  const { c4, B3, B4 } = deviationConstants(size);
  const meanDeviation = c4 * sigma;
  return { location, variation: { centerLine: meanDeviation, lower: B3 * meanDeviation, upper: B4 * meanDeviation } };
}

/** Weights of one group size: those with which Minitab weighs the estimates of groups of unequal size. */
interface SizeWeights {
  readonly range: { readonly weight: number; readonly d2: number } | undefined;
  readonly deviation: { readonly weight: number; readonly c4: number };
}

function weightsOf(size: number): SizeWeights {
  const { c4 } = deviationConstants(size);
  const deviation = { weight: (c4 * c4) / (1 - c4 * c4), c4 };
  if (size > MAX_RANGE_GROUP_SIZE) return { range: undefined, deviation };
  const { d2, d3 } = rangeConstants(size);
  return { range: { weight: (d2 / d3) ** 2, d2 }, deviation };
}

/**
 * σ within groups: ranges weighed by (d2/d3)², standard deviations by c4²/(1 − c4²), or variances by n − 1.
 * Degrees of freedom: 0.9·Σ(nᵢ − 1), Σ f(nᵢ)(nᵢ − 1), and Σ(nᵢ − 1).
 */
export function sigmaOfGroups({ counts, ranges, deviations }: GroupFigures, method: GroupSigmaMethod): SigmaEstimate | undefined {
  const weights: SizeWeights[] = [];
  let [total, mean, squares, freedom, weighedFreedom] = [0, 0, 0, 0, 0];
  for (let i = 0; i < counts.length; i++) {
    const size = counts[i]!;
    if (size < 2) continue;
    const { range, deviation } = (weights[size] ??= weightsOf(size));
    freedom += size - 1;
    if (method === 'rbar') {
      total += range!.weight;
      mean += (ranges[i]! / range!.d2 - mean) * (range!.weight / total);
      weighedFreedom += 0.9 * (size - 1);
    } else if (method === 'sbar') {
      total += deviation.weight;
      mean += (deviations[i]! / deviation.c4 - mean) * (deviation.weight / total);
      weighedFreedom += factorOfMeanDeviation(size) * (size - 1);
    } else {
      squares += deviations[i]! ** 2 * (size - 1);
    }
  }
  if (freedom === 0) return undefined;
  const estimate =
    method === 'pooled'
      ? { sigma: Math.sqrt(squares / freedom), degreesOfFreedom: freedom }
      : { sigma: mean, degreesOfFreedom: weighedFreedom };
  return Number.isFinite(estimate.sigma) ? estimate : undefined;
}

/** f(n) of the degrees of freedom of s̄ (Bissell 1990; Minitab, methods and formulas for capability). */
function factorOfMeanDeviation(size: number): number {
  const small = [0.88, 0.92, 0.94, 0.95, 0.96, 0.96, 0.97, 0.97];
  return small[size - 2] ?? (size < 18 ? 0.98 : 0.99);
}

/** The mean of all values. */
function meanOfGroups({ counts, means }: GroupFigures): number {
  let [total, mean, origin] = [0, 0, NaN];
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (count === 0) continue;
    if (total === 0) origin = means[i]!;
    total += count;
    mean += (means[i]! - origin - mean) * (count / total);
  }
  return origin + mean;
}
