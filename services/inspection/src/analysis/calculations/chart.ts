import {
  areManyIncomplete,
  assessGroups,
  assessIndividuals,
  fittedModel,
  groupChart,
  groupFigures,
  groupsInRange,
  individualsChart,
  judgedValues,
  limitsOfGroup,
  mapMeasured,
  MAX_RANGE_GROUP_SIZE,
  momentsOf,
  type ControlLimits,
  type GroupFigures,
  type Grouping,
  type GroupSigmaMethod,
  type JudgedValues,
  type ModelChoice,
  type Stability,
  type StabilityOptions,
  verdictFreedom,
  verdictSigma,
} from '@sinebar/statistics';
import { chooseWithEarlier } from './earlier-model.ts';
import { memoryChart, type MemoryFigures } from './memory-chart.ts';
import {
  groupAt,
  limitsOfGroups,
  limitsOfIndividuals,
  type GroupedPoints,
  type PlottedHit,
  type SingleValues,
  type StageLimits,
} from './stage-limits.ts';
import type { ChartFigures, ChartTask, ChartRequest, ChartValues, Control, ModelChoiceRequest, StageRange } from './tasks.ts';

/** The model of the values that are plotted, and the limits that it was chosen with. */
export interface ChosenModel {
  readonly limits: ModelChoiceRequest['limits'];
  readonly choice: ModelChoice;
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
  readonly control: Control;
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
  /** Charts of the stages before the newest one, undefined without limits. */
  readonly earlierStages: readonly (ChartFigures | undefined)[];
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
  const { newest: plotted, limitsOf } = plotter(task, request, { limits: task.model.limits, choice });
  const earlier = task.earlierStages.map(limitsOf);
  const hitsBefore = earlier.flatMap((stage) => stage?.hits ?? []);
  const isShown = (first: number) => first >= shown[0] && first < shown[1];
  const hits: ListedHit[] = [];
  for (const hit of [...(grouping ? hitsBefore : atNumbers(hitsBefore, values)), ...(plotted?.hits ?? [])]) {
    const first = grouping ? grouping.starts[hit.index]! : hit.index;
    if (isShown(first)) hits.push({ ...hit, first });
  }
  const memory = plotted?.memory && {
    ...plotted.memory,
    points: plotted.memory.points.filter(({ first }) => isShown(first)).slice(-mostSubgroups),
  };
  const common = {
    chart: plotted?.chart,
    earlierStages: earlier.map((stage) => stage?.chart),
    hits: hits.slice(-mostHits),
    notes: plotted?.notes ?? [],
    ...(memory && { memory }),
  };
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
  return plotter(task, request, model).newest;
}

/** Plots the newest stage, and computes the limits of others when they are asked for. */
function plotter(
  task: ChartValues,
  request: ChartRequest,
  model: ChosenModel,
): { newest: PlottedChart | undefined; limitsOf: (stage: StageRange) => StageLimits | undefined } {
  const judged = judgedValues(task.values, model.limits, model.choice);
  const points = task.grouping ? groupedPoints(task, task.grouping, request) : undefined;
  const single = points ? undefined : singleValues(task.values, judged);
  const plotted = points ? plotGroups(task, request, judged, points) : plotIndividuals(task, request, judged, single!);
  return {
    newest: plotted && request.memory ? { ...plotted, ...plotMemory(task, plotted, request.memory) } : plotted,
    limitsOf: (stage) => (points ? limitsOfGroups(points, stage, request) : limitsOfIndividuals(single!, stage, request)),
  };
}

export function plotMemory(
  { values, grouping, stageStart = 0 }: ChartValues,
  { chart, groups }: Pick<PlottedChart, 'chart' | 'groups'>,
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

/** Normal scores of single values, where their model is not normal. */
export function singleValues(values: Float64Array, { values: judged, scored }: JudgedValues): SingleValues {
  if (!scored) return { values };
  const model = fittedModel(scored.model);
  return { values, scored: { model, scores: mapMeasured(judged, (value) => model.score(value)) } };
}

function plotIndividuals(
  { values, baseline, stageStart = 0 }: ChartValues,
  request: ChartRequest,
  judged: JudgedValues,
  single: SingleValues,
): PlottedChart | undefined {
  const { rules, given } = request;
  const stage = limitsOfIndividuals(single, { start: stageStart, end: values.length, baseline, given }, request);
  if (!stage) return undefined;
  const { chart, degreesOfFreedom, centerLine, hits, beyond, control } = stage;
  // Limits that are given hold for the values, whatever their model.
  const scored = given ? undefined : judged.scored;
  const verdictValues = scored?.verdict ?? judged.values;
  const reference = given ? { centerLine, sigma: chart.sigma } : baselineReference(verdictValues, baseline, stageStart);
  const stability = assessIndividuals(fromStage(verdictValues, stageStart), {
    rules,
    beyondShown: beyond,
    ...(reference && { given: reference }),
    ...(scored && { levels: fromStage(judged.values, stageStart) }),
  });
  return {
    chart,
    degreesOfFreedom,
    hits: atNumbers(hits, values),
    stability: withLevels(fromStage(values, stageStart), stability),
    ...(scored && single.scored && { scores: single.scored.scores }),
    control,
    notes: [],
  };
}

/** Gives hits the index among the values with a number. */
function atNumbers(hits: readonly PlottedHit[], values: Float64Array): readonly PlottedHit[] {
  if (hits.length === 0) return hits;
  const numbers = indexesAmongNumbers(values);
  return hits.map((hit) => ({ ...hit, index: numbers[hit.index]! }));
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

/** Levels of a step are means of the values. */
function withLevels(values: Float64Array, stability: Stability, starts?: Uint32Array): Stability {
  const { since } = stability;
  if (since?.kind !== 'step') return stability;
  const first = starts ? starts[since.index]! : since.index;
  const [from, to] = [momentsOf(values.subarray(0, first))?.mean, momentsOf(values.subarray(first))?.mean];
  return from === undefined || to === undefined ? stability : { ...stability, since: { ...since, from, to } };
}

/** The groups of a chart, and how they are plotted. */
export function groupedPoints({ values }: ChartValues, grouping: Grouping, request: ChartRequest): GroupedPoints {
  const figures = groupFigures(values, grouping);
  const subgroupSize = request.subgroupBy === undefined ? request.subgroupSize : mostFrequent(grouping.sizes);
  return { values, grouping, figures, ...methodsOf(request, figures.largest), subgroupSize };
}

function plotGroups(
  { values, baseline, stageStart = 0 }: ChartValues,
  request: ChartRequest,
  judged: JudgedValues,
  points: GroupedPoints,
): PlottedChart | undefined {
  const { grouping, figures, type, sigmaMethod } = points;
  const { rules, given } = request;
  const stage = limitsOfGroups(points, { start: stageStart, end: values.length, baseline, given }, request);
  if (!stage) return undefined;
  const scored = given ? undefined : judged.scored;
  const { chart, degreesOfFreedom, centerLine, hits, beyond, control } = stage;
  const firstGroup = groupAt(grouping, stageStart);
  const known = given && { given: { centerLine, sigma: chart.sigma } };
  const levels = scored && fromStage(figures.means, firstGroup);
  const verdict = { type, sigmaMethod, rules, beyondShown: beyond, firstGroup, ...known, ...(levels && { levels }) };
  return {
    chart,
    degreesOfFreedom,
    hits,
    stability: withLevels(
      fromStage(values, stageStart),
      stabilityOfGroups(scored?.verdict ?? judged.values, grouping, groupsInRange(grouping, ...baseline), verdict),
      grouping.starts,
    ),
    groups: figures,
    control,
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
