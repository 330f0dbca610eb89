import {
  controlChart,
  isLimitRule,
  movingRangesBeyond,
  pointsBeyond,
  ruleHits,
  subgroupsOf,
  type ControlChart,
  type RuleHit,
  type Subgroup,
} from '@sinebar/statistics';
import type { ChartFigures, ChartTask, ChartRequest, ChartValues } from './tasks.ts';

export interface PlottedHit extends RuleHit {
  readonly on: 'location' | 'variation';
}

export interface PlottedChart {
  readonly chart: ControlChart;
  /** Broken rules by point: a value with a number, or a subgroup. */
  readonly hits: readonly PlottedHit[];
  /** Number of points that the rules were applied to. */
  readonly points: number;
}

/** A broken rule, and the index of the first value of its point. */
export interface ListedHit extends PlottedHit {
  readonly first: number;
}

export interface ChartResult {
  readonly chart: ChartFigures | undefined;
  readonly hits: readonly ListedHit[];
  /** Absent for single values, and where there are too many. */
  readonly subgroups?: readonly Subgroup[];
  /** Number of subgroups that are shown, 0 for single values. */
  readonly subgroupCount: number;
}

export function calculateChart({ values, baseline, chart, shown, mostHits, mostSubgroups }: ChartTask): ChartResult {
  const plotted = plot({ values, baseline }, chart);
  const all = chart.subgroupSize > 1 ? subgroupsOf(values, chart.subgroupSize) : undefined;
  const isShown = (first: number) => first >= shown[0] && first < shown[1];
  const hits: ListedHit[] = [];
  for (const hit of plotted?.hits ?? []) {
    const first = all ? (all[hit.index]?.start ?? 0) : hit.index;
    if (isShown(first)) hits.push({ ...hit, first });
  }
  const subgroups = all?.filter(({ start }) => isShown(start));
  return {
    chart: plotted && figuresOf(plotted.chart),
    hits: hits.slice(-mostHits),
    ...(subgroups && subgroups.length <= mostSubgroups && { subgroups }),
    subgroupCount: subgroups?.length ?? 0,
  };
}

export function figuresOf({ type, subgroupSize, sigmaMethod, sigma, location, variation }: ControlChart): ChartFigures {
  return { type, subgroupSize, sigmaMethod, sigma, location, variation };
}

/** @returns undefined where the baseline has too few values for limits */
export function plot({ values, baseline }: ChartValues, request: ChartRequest): PlottedChart | undefined {
  const chart = controlChart(values.subarray(...baseline), request);
  if (!chart) return undefined;
  const subgroups = request.subgroupSize === 1 ? undefined : pointsOfSubgroups(values, request);
  const location = subgroups?.location ?? values;
  const broken = ruleHits(location, chart.location, request.rules);
  const limitRule = request.rules.find(({ rule }) => isLimitRule(rule))?.rule;
  const variationsBeyond = () =>
    subgroups ? pointsBeyond(subgroups.variation, chart.variation) : movingRangesBeyond(values, chart.variation);
  const beyond = limitRule === undefined ? [] : variationsBeyond();
  const isEmpty = broken.length + beyond.length === 0;
  const numbers = request.subgroupSize === 1 && !isEmpty ? placesOf(values) : undefined;
  const pointAt = (index: number) => (numbers ? numbers[index]! : index);
  const hits: PlottedHit[] = broken.map(({ rule, index }) => ({ rule, index: pointAt(index), on: 'location' }));
  for (const index of beyond) hits.push({ rule: limitRule!, index: pointAt(index), on: 'variation' });
  return {
    chart,
    hits: hits.sort((a, b) => a.index - b.index),
    points: countOf(location),
  };
}

/** Points of incomplete subgroups are missing: their limits would differ. */
function pointsOfSubgroups(values: Float64Array, { type, subgroupSize }: ChartRequest) {
  const subgroups = subgroupsOf(values, subgroupSize);
  const points = (figure: (subgroup: Subgroup) => number | undefined) =>
    Float64Array.from(subgroups, (subgroup) => (subgroup.complete ? (figure(subgroup) ?? NaN) : NaN));
  return {
    location: points(({ mean }) => mean),
    variation: points(({ range, standardDeviation }) => (type === 'xbarR' ? range : standardDeviation)),
  };
}

function countOf(points: Float64Array): number {
  let count = 0;
  for (const point of points) if (!Number.isNaN(point)) count += 1;
  return count;
}

/** Returns for each value its place among the values with a number. */
function placesOf(values: Float64Array): Uint32Array {
  const places = new Uint32Array(values.length);
  let place = 0;
  values.forEach((value, i) => {
    places[i] = place;
    if (!Number.isNaN(value)) place += 1;
  });
  return places;
}
