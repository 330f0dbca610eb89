import {
  areManyIncomplete,
  assessGroups,
  assessIndividuals,
  fittedModel,
  groupChart,
  groupFigures,
  groupsInRange,
  individualsChart,
  isLimitRule,
  judgedValues,
  limitsOfGroup,
  mapMeasured,
  MAX_RANGE_GROUP_SIZE,
  momentsOf,
  movingRangesBeyond,
  pointsBeyond,
  ruleHits,
  type ControlLimits,
  type GroupFigures,
  type Grouping,
  type GroupSigmaMethod,
  type JudgedValues,
  type ModelChoice,
  type RuleHit,
  type Stability,
  type StabilityOptions,
  verdictFreedom,
  verdictSigma,
} from '@sinebar/statistics';
import { chooseWithEarlier } from './earlier-model.ts';
import { givenGroups, givenIndividuals, givenLocation } from './given-limits.ts';
import { memoryChart, type MemoryFigures } from './memory-chart.ts';
import type { ChartFigures, ChartTask, ChartRequest, ChartValues, ModelChoiceRequest } from './tasks.ts';

/** The model of the values that are plotted, and the limits that it was chosen with. */
interface ChosenModel {
  readonly limits: ModelChoiceRequest['limits'];
  readonly choice: ModelChoice;
}

interface PlottedHit extends RuleHit {
  readonly on: 'location' | 'variation';
}

export interface PlottedChart {
  readonly chart: ChartFigures;
  readonly degreesOfFreedom: number;
  /** Broken rules by point: a value with a number, or a group. */
  readonly hits: readonly PlottedHit[];
  readonly stability: Stability;
  /** Normal scores of single values whose model is not normal. */
  readonly scores?: Float64Array;
  /** Present for charts that remember. */
  readonly memory?: MemoryFigures;
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
  /** The newest shown points of a chart that remembers. */
  readonly memory?: MemoryFigures;
  readonly hits: readonly ListedHit[];
  /** Absent for single values, and where there are too many. */
  readonly subgroups?: readonly ListedSubgroup[];
  /** Number of subgroups that are shown, 0 for single values. */
  readonly subgroupCount: number;
  /** Normal scores of single values whose model is not normal. */
  readonly scores?: Float64Array;
  readonly notes: readonly string[];
}

export function calculateChart(task: ChartTask): ChartResult {
  const { values, grouping, chart: request, shown, mostHits, mostSubgroups } = task;
  const { choice } = chooseWithEarlier(values, momentsOf(values), task.model);
  const plotted = plot(task, request, { limits: task.model.limits, choice });
  const isShown = (first: number) => first >= shown[0] && first < shown[1];
  const hits: ListedHit[] = [];
  for (const hit of plotted?.hits ?? []) {
    const first = grouping ? grouping.starts[hit.index]! : hit.index;
    if (isShown(first)) hits.push({ ...hit, first });
  }
  const memory = plotted?.memory && {
    ...plotted.memory,
    points: plotted.memory.points.filter(({ first }) => isShown(first)).slice(-mostSubgroups),
  };
  const common = { chart: plotted?.chart, hits: hits.slice(-mostHits), notes: plotted?.notes ?? [], ...(memory && { memory }) };
  if (!grouping) return { ...common, ...(plotted?.scores && { scores: plotted.scores }), subgroupCount: 0 };
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
export function plot(task: ChartValues, request: ChartRequest, model: ChosenModel): PlottedChart | undefined {
  const judged = judgedValues(task.values, model.limits, model.choice);
  const plotted = task.grouping ? plotGroups(task, task.grouping, request, judged) : plotIndividuals(task, request, judged);
  return plotted && request.memory ? { ...plotted, ...plotMemory(task, plotted, request.memory) } : plotted;
}

function plotMemory(
  { values, grouping, stageStart = 0 }: ChartValues,
  { chart, groups }: PlottedChart,
  { settings, target = chart.location.centerLine }: NonNullable<ChartRequest['memory']>,
): Pick<PlottedChart, 'memory' | 'stability'> {
  const common = { target, sigma: chart.sigma, settings };
  if (grouping && groups) {
    const points = fromStage(groups.means, groupAt(grouping, stageStart));
    return memoryChart({ ...common, points, counts: groups.counts, firstOf: (index) => grouping.starts[index]! });
  }
  const numbers = indexesAmongNumbers(values);
  return memoryChart({ ...common, points: fromStage(values, stageStart), firstOf: (index) => numbers[index]! });
}

function movingRangeMethod({ sigmaMethod }: ChartRequest): 'movingRange' | 'medianMovingRange' {
  return sigmaMethod === 'medianMovingRange' ? sigmaMethod : 'movingRange';
}

/** Values of another model than the normal one have limits from their normal scores, at unequal distances. */
function plotIndividuals(
  { values, baseline, stageStart = 0 }: ChartValues,
  request: ChartRequest,
  judged: JudgedValues,
): PlottedChart | undefined {
  const { rules, given } = request;
  const method = movingRangeMethod(request);
  // Limits that are given hold for the values, whatever their model.
  const scored = given ? undefined : judged.scored;
  const raw = given ? givenIndividuals(given) : individualsChart(values.subarray(...baseline), method);
  const model = scored && fittedModel(scored.model);
  const scores = model && mapMeasured(judged.values, (value) => model.score(value));
  const chart = scores ? individualsChart(scores.subarray(...baseline), method) : raw;
  if (!raw || !chart) return undefined;
  const points = fromStage(scores ?? values, stageStart);
  const broken = ruleHits(points, chart.location, rules);
  const beyond = movingRangesBeyond(points, chart.variation);
  const isEmpty = broken.length + beyond.length === 0;
  const numbers = isEmpty ? undefined : indexesAmongNumbers(values);
  const pointAt = (index: number) => (numbers ? numbers[index]! : index);
  const beyondShown = pointsBeyond(points, chart.location).length + beyond.length;
  const { centerLine, lower, upper } = chart.location;
  const location = model
    ? { centerLine: model.valueAt(centerLine), lower: model.valueAt(lower), upper: model.valueAt(upper) }
    : chart.location;
  const { sigma, degreesOfFreedom } = raw;
  const verdictValues = scored?.verdict ?? judged.values;
  const reference = given ? { centerLine, sigma } : baselineReference(verdictValues, baseline, stageStart);
  const stability = assessIndividuals(fromStage(verdictValues, stageStart), { rules, beyondShown, ...(reference && { given: reference }) });
  return {
    chart: {
      type: 'individuals',
      subgroupSize: 1,
      sigmaMethod: method,
      sigma,
      location,
      variation: chart.variation,
      ...(model && { scores: { model: model.name } }),
    },
    degreesOfFreedom,
    hits: mergeHits(broken, beyond, rules, pointAt),
    stability: withLevels(fromStage(values, stageStart), stability, scored),
    ...(scores && { scores }),
    notes: [],
  };
}

/** Centre line and spread of a baseline that is not the whole stage. @returns undefined where it is, or has too few values */
function baselineReference(values: Float64Array, baseline: readonly [number, number], stageStart: number): StabilityOptions['given'] {
  const ofBaseline = values.subarray(...baseline);
  if (ofBaseline.length >= values.length - stageStart) return undefined;
  const sigma = verdictSigma(ofBaseline);
  const chart = individualsChart(ofBaseline);
  if (sigma === undefined || !chart) return undefined;
  return { centerLine: chart.location.centerLine, sigma, degreesOfFreedom: verdictFreedom(ofBaseline.length) };
}

/** Levels of a step are means of the values, and those of a drift are values, also where scores were judged. */
function withLevels(values: Float64Array, stability: Stability, scored: JudgedValues['scored'], starts?: Uint32Array): Stability {
  const { since } = stability;
  if (!since || since.from === undefined || since.to === undefined) return stability;
  if (since.kind === 'drift') {
    if (!scored) return stability;
    const model = fittedModel(scored.model);
    return { ...stability, since: { ...since, from: model.valueAt(since.from), to: model.valueAt(since.to) } };
  }
  const first = starts ? starts[since.index]! : since.index;
  const [from, to] = [momentsOf(values.subarray(0, first))?.mean, momentsOf(values.subarray(first))?.mean];
  return from === undefined || to === undefined ? stability : { ...stability, since: { ...since, from, to } };
}

function plotGroups(
  { values, baseline, stageStart = 0 }: ChartValues,
  grouping: Grouping,
  request: ChartRequest,
  judged: JudgedValues,
): PlottedChart | undefined {
  const figures = groupFigures(values, grouping);
  const { type, sigmaMethod } = methodsOf(request, figures.largest);
  const ofBaseline = groupsInRange(grouping, ...baseline);
  const subgroupSize = request.subgroupBy === undefined ? request.subgroupSize : mostFrequent(grouping.sizes);
  const { rules, given } = request;
  const scored = given ? undefined : judged.scored;
  const chart = given
    ? givenGroups(given, { type, sigmaMethod, subgroupSize })
    : groupChart(groupFigures(values, grouping, ofBaseline), type, sigmaMethod);
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
  const beyondShown = pointsBeyond(means, locationAt).length + beyond.length;
  const { location, variation } = limitsOf(subgroupSize);
  const { sigma, degreesOfFreedom, centerLine } = chart;
  const verdict = { type, sigmaMethod, rules, beyondShown, firstGroup, ...(given && { given: { centerLine, sigma } }) };
  return {
    chart: { type, subgroupSize, sigmaMethod, sigma, location, variation: variation ?? { centerLine: 0, lower: 0, upper: 0 } },
    degreesOfFreedom,
    hits: mergeHits(broken, beyond, rules, (index) => index),
    stability: withLevels(
      fromStage(values, stageStart),
      stabilityOfGroups(scored?.verdict ?? judged.values, grouping, ofBaseline, verdict),
      scored,
      grouping.starts,
    ),
    groups: figures,
    notes: notesOf(figures, request, type),
  };
}

interface GroupVerdictOptions extends StabilityOptions {
  readonly type: 'xbarR' | 'xbarS';
  readonly sigmaMethod: GroupSigmaMethod;
  readonly firstGroup: number;
}

/** Judges groups of values, or of scores, by centre line and spread of the baseline, or by those that are given. */
function stabilityOfGroups(
  values: Float64Array,
  grouping: Grouping,
  baseline: readonly [number, number],
  { type, sigmaMethod, firstGroup, given, ...options }: GroupVerdictOptions,
): Stability {
  const { counts, means, ranges, deviations } = groupFigures(values, grouping);
  const chart = groupChart(groupFigures(values, grouping, baseline), type, sigmaMethod);
  const isOfStage = baseline[1] - baseline[0] >= counts.length - firstGroup;
  const { sigma = 0, degreesOfFreedom = 1, centerLine = 0 } = chart ?? {};
  const reference = given ?? (chart && !isOfStage ? { centerLine, sigma, degreesOfFreedom } : undefined);
  const variations = fromStage(type === 'xbarR' ? ranges : deviations, firstGroup);
  return assessGroups(
    { type, counts, means: fromStage(means, firstGroup), variations, sigma, degreesOfFreedom },
    { ...options, ...(reference && { given: reference }) },
  );
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
