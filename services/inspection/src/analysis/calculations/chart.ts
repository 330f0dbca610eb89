import {
  areManyIncomplete,
  assessGroups,
  assessIndividuals,
  groupChart,
  groupFigures,
  groupsInRange,
  individualsChart,
  isLimitRule,
  limitsOfGroup,
  MAX_RANGE_GROUP_SIZE,
  movingRangesBeyond,
  pointsBeyond,
  rangeConstants,
  ruleHits,
  type ControlLimits,
  type GroupChart,
  type GroupFigures,
  type Grouping,
  type GroupSigmaMethod,
  type RuleHit,
  type Stability,
  verdictFreedom,
  verdictSigma,
} from '@sinebar/statistics';
import type { ChartFigures, ChartTask, ChartRequest, ChartValues, GivenLimits } from './tasks.ts';

interface PlottedHit extends RuleHit {
  readonly on: 'location' | 'variation';
}

export interface PlottedChart {
  readonly chart: ChartFigures;
  readonly degreesOfFreedom: number;
  /** Broken rules by point: a value with a number, or a group. */
  readonly hits: readonly PlottedHit[];
  readonly stability: Stability;
  /** Figures of all groups; absent for single values. */
  readonly groups?: GroupFigures;
  readonly notes: readonly string[];
}

/** A broken rule, and the index of the first value of its point. */
export interface ListedHit extends PlottedHit {
  readonly first: number;
}

/** A group of consecutive measurements. Limits are present where its size is not that of the chart. */
export interface ListedSubgroup {
  /** Index of its first measurement and of the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly mean: number;
  /** Range or standard deviation, of two values or more. */
  readonly variation?: number;
  readonly limits?: { readonly location: ControlLimits; readonly variation?: ControlLimits };
}

export interface ChartResult {
  readonly chart: ChartFigures | undefined;
  readonly hits: readonly ListedHit[];
  /** Absent for single values, and where there are too many. */
  readonly subgroups?: readonly ListedSubgroup[];
  /** Number of subgroups that are shown, 0 for single values. */
  readonly subgroupCount: number;
  readonly notes: readonly string[];
}

export function calculateChart(task: ChartTask): ChartResult {
  const { values, grouping, chart: request, shown, mostHits, mostSubgroups } = task;
  const plotted = plot(task, request);
  const isShown = (first: number) => first >= shown[0] && first < shown[1];
  const hits: ListedHit[] = [];
  for (const hit of plotted?.hits ?? []) {
    const first = grouping ? grouping.starts[hit.index]! : hit.index;
    if (isShown(first)) hits.push({ ...hit, first });
  }
  const common = { chart: plotted?.chart, hits: hits.slice(-mostHits), notes: plotted?.notes ?? [] };
  if (!grouping) return { ...common, subgroupCount: 0 };
  const figures = plotted?.groups ?? groupFigures(values, grouping);
  const indices = Array.from(figures.counts.keys()).filter((group) => figures.counts[group]! > 0 && isShown(grouping.starts[group]!));
  const listed =
    indices.length > mostSubgroups ? undefined : indices.map((group) => listedSubgroup(group, grouping, figures, plotted?.chart));
  return { ...common, ...(listed && { subgroups: listed }), subgroupCount: indices.length };
}

function listedSubgroup(group: number, { starts }: Grouping, figures: GroupFigures, chart: ChartFigures | undefined): ListedSubgroup {
  const count = figures.counts[group]!;
  const variation = chart?.type === 'xbarS' ? figures.deviations[group]! : figures.ranges[group]!;
  const isUsual = count === chart?.subgroupSize;
  return {
    start: starts[group]!,
    end: starts[group + 1]!,
    count,
    mean: figures.means[group]!,
    ...(Number.isFinite(variation) && { variation }),
    ...(chart &&
      chart.type !== 'individuals' &&
      !isUsual && { limits: limitsOfGroup({ ...chart, type: chart.type, centerLine: chart.location.centerLine }, count) }),
  };
}

/** @returns undefined where the baseline has too few values for limits */
export function plot(task: ChartValues, request: ChartRequest): PlottedChart | undefined {
  return task.grouping ? plotGroups(task, task.grouping, request) : plotIndividuals(task, request);
}

function plotIndividuals(
  { values: all, baseline, stageStart = 0 }: ChartValues,
  { rules, sigmaMethod, given: givenLimits }: ChartRequest,
): PlottedChart | undefined {
  const method = sigmaMethod === 'medianMovingRange' ? sigmaMethod : 'movingRange';
  const ofBaseline = all.subarray(...baseline);
  const chart = givenLimits ? givenIndividuals(givenLimits) : individualsChart(ofBaseline, method);
  if (!chart) return undefined;
  const values = fromStage(all, stageStart);
  const broken = ruleHits(values, chart.location, rules);
  const beyond = movingRangesBeyond(values, chart.variation);
  const isEmpty = broken.length + beyond.length === 0;
  const numbers = isEmpty ? undefined : indexesAmongNumbers(all);
  const pointAt = (index: number) => (numbers ? numbers[index]! : index);
  const { degreesOfFreedom, ...figures } = chart;
  const isOfStage = ofBaseline.length >= values.length - stageStart;
  const sigma = givenLimits ? chart.sigma : isOfStage ? undefined : verdictSigma(ofBaseline);
  const freedom = givenLimits ? degreesOfFreedom : verdictFreedom(ofBaseline.length);
  const given = sigma === undefined ? undefined : { centerLine: chart.location.centerLine, sigma, degreesOfFreedom: freedom };
  const beyondShown = pointsBeyond(values, chart.location).length + beyond.length;
  return {
    chart: { type: 'individuals', subgroupSize: 1, sigmaMethod: method, ...figures },
    degreesOfFreedom,
    hits: mergeHits(broken, beyond, rules, pointAt),
    stability: assessIndividuals(values, { rules, beyondShown, ...(given && { given }) }),
    notes: [],
  };
}

function plotGroups(
  { values, baseline, stageStart = 0 }: ChartValues,
  grouping: Grouping,
  request: ChartRequest,
): PlottedChart | undefined {
  const figures = groupFigures(values, grouping);
  const ofBaseline = groupFigures(values, grouping, groupsInRange(grouping, ...baseline));
  const { type, sigmaMethod } = methodsOf(request, figures.largest);
  const subgroupSize = request.subgroupBy === undefined ? request.subgroupSize : mostFrequent(grouping.sizes);
  const { rules, given } = request;
  const chart = given ? givenGroups(given, { type, sigmaMethod, subgroupSize }) : groupChart(ofBaseline, type, sigmaMethod);
  if (!chart) return undefined;
  const { counts } = figures;
  const firstGroup = groupAt(grouping, stageStart);
  const means = fromStage(figures.means, firstGroup);
  const variations = fromStage(type === 'xbarR' ? figures.ranges : figures.deviations, firstGroup);
  const limitsOf = (size: number) => {
    const limits = limitsOfGroup(chart, size);
    return given ? { ...limits, location: givenLocation(given, chart.sigma, subgroupSize, size) } : limits;
  };
  const bySize = Array.from({ length: figures.largest + 1 }, (_, size) => (size === 0 ? undefined : limitsOf(size)));
  const locationAt = (index: number) => bySize[counts[index]!]?.location ?? NO_LIMITS;
  const variationAt = (index: number) => bySize[counts[index]!]?.variation ?? NO_LIMITS;
  const broken = ruleHits(means, locationAt, rules);
  const beyond = pointsBeyond(variations, variationAt);
  const { location, variation } = limitsOf(subgroupSize);
  const { sigma, degreesOfFreedom, centerLine } = chart;
  const isOfStage = !given && ofBaseline.counts.length >= counts.length - firstGroup;
  return {
    chart: { type, subgroupSize, sigmaMethod, sigma, location, variation: variation ?? { centerLine: 0, lower: 0, upper: 0 } },
    degreesOfFreedom,
    hits: mergeHits(broken, beyond, rules, (index) => index),
    stability: assessGroups(
      { type, counts, means, variations, sigma, degreesOfFreedom },
      {
        rules,
        beyondShown: pointsBeyond(means, locationAt).length + beyond.length,
        ...(!isOfStage && { given: { centerLine, sigma, degreesOfFreedom } }),
      },
    ),
    groups: figures,
    notes: notesOf(figures, request, type),
  };
}

/** Leaves out the points before a stage. */
function fromStage<Points extends Float64Array>(points: Points, start: number): Float64Array {
  return start === 0 ? points : points.slice().fill(NaN, 0, start);
}

/** Index of the first group that begins with this value or behind it. */
function groupAt({ starts }: Grouping, value: number): number {
  const index = starts.findIndex((start) => start >= value);
  return index < 0 ? starts.length - 1 : index;
}

/** A spread that somebody gives is known as well as one of very many values. */
const GIVEN_FREEDOM = 1_000_000;

/** Limits of the mean of `size` values; a limit that is not given lies as far from the centre line as the other one, or 3 sigma. */
function givenLocation({ centerLine, lower, upper }: GivenLimits, sigma: number, usualSize: number, size: number): ControlLimits {
  const scale = Math.sqrt(usualSize / size);
  const reach = (3 * sigma) / Math.sqrt(usualSize);
  return {
    centerLine,
    lower: centerLine - (lower === undefined ? reach : centerLine - lower) * scale,
    upper: centerLine + (upper === undefined ? reach : upper - centerLine) * scale,
  };
}

function givenSigma({ centerLine, sigma, lower, upper }: GivenLimits, size: number): number {
  if (sigma !== undefined) return sigma;
  const below = centerLine - (lower ?? 2 * centerLine - upper!);
  const above = (upper ?? 2 * centerLine - lower!) - centerLine;
  return ((below + above) / 6) * Math.sqrt(size);
}

function givenIndividuals(given: GivenLimits) {
  const sigma = givenSigma(given, 1);
  const { d2, D4 } = rangeConstants(2);
  const meanRange = d2 * sigma;
  return {
    sigma,
    degreesOfFreedom: GIVEN_FREEDOM,
    location: givenLocation(given, sigma, 1, 1),
    variation: { centerLine: meanRange, lower: 0, upper: D4 * meanRange },
  };
}

function givenGroups(
  given: GivenLimits,
  { type, sigmaMethod, subgroupSize }: Pick<GroupChart, 'type' | 'sigmaMethod'> & { subgroupSize: number },
): GroupChart {
  return { type, sigmaMethod, sigma: givenSigma(given, subgroupSize), degreesOfFreedom: GIVEN_FREEDOM, centerLine: given.centerLine };
}

/** A group without a value has no point. */
const NO_LIMITS: ControlLimits = { centerLine: 0, lower: -Infinity, upper: Infinity };

/** The type and the estimate that fit the largest group. */
function methodsOf({ type, sigmaMethod }: ChartRequest, largest: number): { type: 'xbarR' | 'xbarS'; sigmaMethod: GroupSigmaMethod } {
  const isLarge = largest > MAX_RANGE_GROUP_SIZE;
  const wanted = type === 'xbarR' || type === 'xbarS' ? type : largest <= LARGEST_RANGE_SUBGROUP ? 'xbarR' : 'xbarS';
  const fitting = isLarge ? 'xbarS' : wanted;
  const method = sigmaMethod === 'rbar' || sigmaMethod === 'sbar' || sigmaMethod === 'pooled' ? sigmaMethod : undefined;
  return {
    type: fitting,
    sigmaMethod: method === undefined || (isLarge && method === 'rbar') ? (fitting === 'xbarR' ? 'rbar' : 'sbar') : method,
  };
}

/** Subgroups of more values have a chart of standard deviations: their range leaves out too much of what is known. */
const LARGEST_RANGE_SUBGROUP = 10;

function notesOf(figures: GroupFigures, { type }: ChartRequest, used: 'xbarR' | 'xbarS'): string[] {
  const notes: string[] = [];
  if (areManyIncomplete(figures)) {
    notes.push(`${figures.incomplete} of ${figures.filled} subgroups are incomplete; their limits follow from the values that they have.`);
  }
  if (type === 'xbarR' && used === 'xbarS') {
    notes.push(`There are subgroups of ${figures.largest} values, so standard deviations are judged in place of ranges.`);
  }
  return notes;
}

function mostFrequent(sizes: Uint16Array): number {
  const frequencies = new Map<number, number>();
  for (const size of sizes) frequencies.set(size, (frequencies.get(size) ?? 0) + 1);
  let best = 1;
  for (const [size, frequency] of frequencies) {
    if (frequency > (frequencies.get(best) ?? 0) || (frequency === frequencies.get(best) && size > best)) best = size;
  }
  return best;
}

/** Joins broken rules of both charts; points of the spread break the rule of single points only, where that is asked for. */
function mergeHits(
  broken: readonly RuleHit[],
  beyond: readonly number[],
  rules: ChartRequest['rules'],
  pointAt: (index: number) => number,
): PlottedHit[] {
  const limitRule = rules.find(({ rule }) => isLimitRule(rule))?.rule;
  const hits: PlottedHit[] = broken.map(({ rule, index }) => ({ rule, index: pointAt(index), on: 'location' }));
  if (limitRule !== undefined) for (const index of beyond) hits.push({ rule: limitRule, index: pointAt(index), on: 'variation' });
  return hits.sort((a, b) => a.index - b.index);
}

/** Returns for each value its index among the values with a number. */
function indexesAmongNumbers(values: Float64Array): Uint32Array {
  const indexes = new Uint32Array(values.length);
  let index = 0;
  values.forEach((value, i) => {
    indexes[i] = index;
    if (!Number.isNaN(value)) index += 1;
  });
  return indexes;
}
