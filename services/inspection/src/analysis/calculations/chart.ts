import { controlChart, pointsBeyond, ruleHits, subgroupsOf, type ControlChart, type RuleHit, type Subgroup } from '@sinebar/statistics';
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

export function calculateChart({ values, baseline, chart }: ChartTask): ChartResult {
  const plotted = plot({ values, baseline }, chart);
  const subgroups = chart.subgroupSize > 1 ? { subgroups: subgroupsOf(values, chart.subgroupSize) } : {};
  return { chart: plotted && figuresOf(plotted.chart), hits: plotted?.hits ?? [], ...subgroups };
}

export function figuresOf({ type, subgroupSize, sigmaMethod, sigma, location, variation }: ControlChart): ChartFigures {
  return { type, subgroupSize, sigmaMethod, sigma, location, variation };
}

/** @returns undefined where the baseline has too few values for limits */
export function plot({ values, baseline }: ChartValues, request: ChartRequest): PlottedChart | undefined {
  const chart = controlChart(values.subarray(...baseline), request);
  if (!chart) return undefined;
  const { location, variation } = request.subgroupSize === 1 ? pointsOfValues(values) : pointsOfSubgroups(values, request);
  const hits: PlottedHit[] = ruleHits(location, chart.location, request.rules).map((hit) => ({ ...hit, on: 'location' }));
  const limitRule = request.rules.find((rule) => rule === 'nelson1' || rule === 'westernElectric1');
  if (limitRule !== undefined) {
    hits.push(...pointsBeyond(variation, chart.variation).map((index) => ({ rule: limitRule, index, on: 'variation' as const })));
  }
  const numbers = request.subgroupSize === 1 ? placesOf(values) : undefined;
  return {
    chart,
    hits: (numbers ? hits.map((hit) => ({ ...hit, index: numbers[hit.index]! })) : hits).sort((a, b) => a.index - b.index),
    points: location.reduce((count, point) => (Number.isNaN(point) ? count : count + 1), 0),
  };
}

function pointsOfValues(values: Float64Array) {
  return { location: values, variation: values.map((value, i) => (i === 0 ? NaN : Math.abs(value - values[i - 1]!))) };
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
