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
import type { ChartFigures, ChartTask, ChartRequest, ChartValues } from './tasks.js';

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

export interface ChartResult {
  readonly chart: ChartFigures | undefined;
  readonly hits: readonly PlottedHit[];
  /** Absent for single values. */
  readonly subgroups?: readonly Subgroup[];
}

export function calculateChart({ values, baseline, chart, mostHits = Infinity }: ChartTask): ChartResult {
  const plotted = plot({ values, baseline }, chart);
  const subgroups = chart.subgroupSize > 1 ? { subgroups: subgroupsOf(values, chart.subgroupSize) } : {};
  return { chart: plotted && figuresOf(plotted.chart), hits: plotted?.hits.slice(-mostHits) ?? [], ...subgroups };
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
  const limitRule = request.rules.find(isLimitRule);
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
