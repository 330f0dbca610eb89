import { deviationConstants, rangeConstants } from './constants.ts';
import { average, sigmaOfMovingRanges, sigmaOfSubgroups, type SigmaEstimate, type SigmaMethod } from './sigma.ts';
import { subgroupsOf, type Subgroup } from './subgroups.ts';

export const CHART_TYPES = ['individuals', 'xbarR', 'xbarS'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** Centre line and limits at three standard deviations of the plotted points. */
export interface ControlLimits {
  readonly centerLine: number;
  readonly lower: number;
  readonly upper: number;
}

export interface ControlChart {
  readonly type: ChartType;
  readonly subgroupSize: number;
  readonly sigmaMethod: SigmaMethod;
  /** The spread within subgroups or between neighbours, and its degrees of freedom. */
  readonly sigma: number;
  readonly degreesOfFreedom: number;
  /** Single values, or means of subgroups. */
  readonly location: ControlLimits;
  /** Moving ranges, ranges, or standard deviations of subgroups. */
  readonly variation: ControlLimits;
}

export interface ChartSettings {
  readonly type: ChartType;
  /** 1 for individuals, else 2 to 25. */
  readonly subgroupSize: number;
  /** Must fit the type: moving ranges for individuals, the others for subgroups. */
  readonly sigmaMethod: SigmaMethod;
  /** Divides a pooled estimate by c4. */
  readonly unbiased?: boolean;
}

/** The estimate that the formulas of a chart use unless another one is chosen. */
export const DEFAULT_SIGMA_METHOD: Readonly<Record<ChartType, SigmaMethod>> = { individuals: 'movingRange', xbarR: 'rbar', xbarS: 'sbar' };

/** Whether a chart of this type can use the estimate. */
export function fitsChart(type: ChartType, method: SigmaMethod): boolean {
  return (type === 'individuals') === (method === 'movingRange' || method === 'medianMovingRange');
}

/**
 * Computes limits from the values of a baseline.
 * @param values in the order of measurement; NaN is a missing value
 * @returns undefined where there are too few values: two neighbours, or one complete subgroup
 */
export function controlChart(values: Float64Array, settings: ChartSettings): ControlChart | undefined {
  return settings.type === 'individuals' ? chartOfIndividuals(values, settings) : chartOfSubgroups(values, settings);
}

function chartOfIndividuals(values: Float64Array, settings: ChartSettings): ControlChart | undefined {
  const method = settings.sigmaMethod === 'medianMovingRange' ? 'medianMovingRange' : 'movingRange';
  const estimate = sigmaOfMovingRanges(values, method);
  if (!estimate) return undefined;
  const { d2, D4 } = rangeConstants(2);
  // σ·d2 is the mean moving range that fits the estimate, whichever method made it.
  const centerLine = estimate.sigma * d2;
  return finiteChart({
    type: 'individuals',
    subgroupSize: 1,
    sigmaMethod: method,
    ...estimate,
    location: around(average(withoutMissing(values)), 3 * estimate.sigma),
    variation: { centerLine, lower: 0, upper: D4 * centerLine },
  });
}

function withoutMissing(values: Float64Array): Float64Array {
  return values.includes(NaN) ? values.filter((value) => !Number.isNaN(value)) : values;
}

function chartOfSubgroups(values: Float64Array, settings: ChartSettings): ControlChart | undefined {
  const { type, subgroupSize, sigmaMethod, unbiased } = settings;
  const complete = subgroupsOf(values, subgroupSize).filter((subgroup) => subgroup.complete);
  const estimate = sigmaOfSubgroups(complete, subgroupSize, subgroupMethod(sigmaMethod), unbiased);
  if (!estimate) return undefined;
  return finiteChart({
    type,
    subgroupSize,
    sigmaMethod,
    ...estimate,
    location: around(average(complete.map((subgroup) => subgroup.mean)), reachOfMeans(complete, settings, estimate)),
    variation: variationLimits(complete, settings, estimate),
  });
}

function subgroupMethod(method: SigmaMethod): 'rbar' | 'sbar' | 'pooled' {
  if (method === 'rbar' || method === 'sbar' || method === 'pooled') return method;
  throw new RangeError(`Sigma cannot be estimated by ${method} from subgroups.`);
}

/** A2·R̄ and A3·s̄ where σ comes from them, else 3σ/√n. */
function reachOfMeans(subgroups: readonly Subgroup[], { sigmaMethod, subgroupSize }: ChartSettings, { sigma }: SigmaEstimate): number {
  if (sigmaMethod === 'rbar') return rangeConstants(subgroupSize).A2 * average(subgroups.map((subgroup) => subgroup.range));
  return (3 * sigma) / Math.sqrt(subgroupSize);
}

function variationLimits(subgroups: readonly Subgroup[], settings: ChartSettings, { sigma }: SigmaEstimate): ControlLimits {
  if (settings.type === 'xbarR') {
    const { d2, D3, D4 } = rangeConstants(settings.subgroupSize);
    const centerLine = settings.sigmaMethod === 'rbar' ? average(subgroups.map((subgroup) => subgroup.range)) : sigma * d2;
    return { centerLine, lower: D3 * centerLine, upper: D4 * centerLine };
  }
  const { c4, B3, B4 } = deviationConstants(settings.subgroupSize);
  const centerLine = sigma * c4;
  return { centerLine, lower: B3 * centerLine, upper: B4 * centerLine };
}

function around(centerLine: number, reach: number): ControlLimits {
  return { centerLine, lower: centerLine - reach, upper: centerLine + reach };
}

function finiteChart(chart: ControlChart): ControlChart | undefined {
  const { location, variation } = chart;
  const figures = [location.centerLine, location.lower, location.upper, variation.centerLine, variation.lower, variation.upper];
  return figures.every((figure) => Number.isFinite(figure)) ? chart : undefined;
}
