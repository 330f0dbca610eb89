import {
  groupChart,
  groupFigures,
  groupsInRange,
  individualsChart,
  isLimitRule,
  limitsOfGroup,
  movingRangesBeyond,
  pointsBeyond,
  ruleHits,
  sigmaOfMovingRanges,
  type ControlLimits,
  type FittedModel,
  type GroupChart,
  type GroupFigures,
  type Grouping,
  type GroupSigmaMethod,
  type IndividualsChart,
  type RuleHit,
} from '@sinebar/statistics';
import { givenGroups, givenIndividuals, givenLocation } from './given-limits.ts';
import type { ChartFigures, ChartRequest, Control, ControlOfGroups, StageRange } from './tasks.ts';

export interface PlottedHit extends RuleHit {
  readonly on: 'location' | 'variation';
}

/** The limits of one stage, and the points of it that break rules. */
export interface StageLimits {
  readonly chart: ChartFigures;
  readonly degreesOfFreedom: number;
  /** Centre line in the unit of the points, which are scores where the model is not normal. */
  readonly centerLine: number;
  /** In ascending order, by the index of the value or group. */
  readonly hits: readonly PlottedHit[];
  /** Number of points beyond the limits, on both charts. */
  readonly beyond: number;
  readonly control: Control;
}

/** Values in order, NaN for a missing one, and their normal scores where the model is not normal. */
export interface SingleValues {
  readonly values: Float64Array;
  readonly scored?: { readonly model: FittedModel; readonly scores: Float64Array } | undefined;
}

/** Values of another model than the normal one have limits from their normal scores, at unequal distances. */
export function limitsOfIndividuals(
  { values, scored }: SingleValues,
  { start, end, baseline, given }: StageRange,
  { rules, sigmaMethod }: ChartRequest,
): StageLimits | undefined {
  const method = sigmaMethod === 'medianMovingRange' ? sigmaMethod : 'movingRange';
  const { model, scores } = (!given && scored) || {};
  const chart = given ? givenIndividuals(given) : individualsChart((scores ?? values).subarray(...baseline), method);
  const estimate = scores ? sigmaOfMovingRanges(values.subarray(...baseline), method) : chart;
  if (!estimate || !chart) return undefined;
  const points = (scores ?? values).subarray(start, end);
  const { centerLine, lower, upper } = chart.location;
  const location = model
    ? { centerLine: model.valueAt(centerLine), lower: model.valueAt(lower), upper: model.valueAt(upper) }
    : chart.location;
  return {
    chart: {
      type: 'individuals',
      subgroupSize: 1,
      sigmaMethod: method,
      sigma: estimate.sigma,
      location,
      variation: chart.variation,
      ...(model && { scores: { model: model.name } }),
    },
    degreesOfFreedom: estimate.degreesOfFreedom,
    centerLine,
    hits: hitsOfIndividuals(points, chart, rules, start),
    beyond: pointsBeyond(points, chart.location).length + movingRangesBeyond(points, chart.variation).length,
    control: { type: 'individuals', chart, ...(model && { model: { name: model.name, parameters: model.parameters } }) },
  };
}

/** Finds the points that break rules. @param points values or scores, as the limits. @param start index of the first point */
export function hitsOfIndividuals(
  points: Float64Array,
  { location, variation }: Pick<IndividualsChart, 'location' | 'variation'>,
  rules: ChartRequest['rules'],
  start: number,
): readonly PlottedHit[] {
  return mergeHits(ruleHits(points, location, rules), movingRangesBeyond(points, variation), rules, start);
}

/** Values in groups, and the chart that they have. */
export interface GroupedPoints {
  readonly values: Float64Array;
  readonly grouping: Grouping;
  readonly figures: GroupFigures;
  readonly type: 'xbarR' | 'xbarS';
  readonly sigmaMethod: GroupSigmaMethod;
  /** Size of a complete group. */
  readonly subgroupSize: number;
}

export function limitsOfGroups(points: GroupedPoints, stage: StageRange, request: ChartRequest): StageLimits | undefined {
  const { values, grouping, type, sigmaMethod, subgroupSize } = points;
  const { baseline, given } = stage;
  const chart: GroupChart | undefined = given
    ? givenGroups(given, { type, sigmaMethod, subgroupSize })
    : groupChart(groupFigures(values, grouping, groupsInRange(grouping, ...baseline)), type, sigmaMethod);
  if (!chart) return undefined;
  const control: ControlOfGroups = { type: 'groups', chart, subgroupSize, ...(given && { given }) };
  const { location, variation } = limitsOfSize(control, subgroupSize);
  const { sigma, degreesOfFreedom, centerLine } = chart;
  return {
    chart: { type, subgroupSize, sigmaMethod, sigma, location, variation: variation ?? { centerLine: 0, lower: 0, upper: 0 } },
    degreesOfFreedom,
    centerLine,
    ...hitsOfGroups(points, control, stage, request.rules),
    control,
  };
}

/** Limits of a group with this number of values. */
export function limitsOfSize({ chart, subgroupSize, given }: ControlOfGroups, size: number): ReturnType<typeof limitsOfGroup> {
  const limits = limitsOfGroup(chart, size);
  return given ? { ...limits, location: givenLocation(given, chart.sigma, subgroupSize, size) } : limits;
}

/** Finds the groups of a stage that break rules, and counts those beyond the limits. */
export function hitsOfGroups(
  { grouping, figures }: Pick<GroupedPoints, 'grouping' | 'figures'>,
  control: ControlOfGroups,
  { start, end }: Pick<StageRange, 'start' | 'end'>,
  rules: ChartRequest['rules'],
): Pick<StageLimits, 'hits' | 'beyond'> {
  const { counts } = figures;
  const [first, next] = [groupAt(grouping, start), groupAt(grouping, end)];
  const means = figures.means.subarray(first, next);
  const variations = (control.chart.type === 'xbarR' ? figures.ranges : figures.deviations).subarray(first, next);
  const bySize = Array.from({ length: figures.largest + 1 }, (_, size) => (size === 0 ? undefined : limitsOfSize(control, size)));
  const locationAt = (index: number) => bySize[counts[first + index]!]?.location ?? NO_LIMITS;
  const variationAt = (index: number) => bySize[counts[first + index]!]?.variation ?? NO_LIMITS;
  const beyond = pointsBeyond(variations, variationAt);
  return {
    hits: mergeHits(ruleHits(means, locationAt, rules), beyond, rules, first),
    beyond: pointsBeyond(means, locationAt).length + beyond.length,
  };
}

/** Index of the first group that begins with this value or behind it. */
export function groupAt({ starts }: Grouping, value: number): number {
  const index = starts.findIndex((start) => start >= value);
  return index < 0 ? starts.length - 1 : index;
}

/** A group without a value has no point. */
const NO_LIMITS: ControlLimits = { centerLine: 0, lower: -Infinity, upper: Infinity };

/**
 * Joins broken rules of both charts; points of the spread break the rule of single points only, where that is asked for.
 * @param start index of the first point of the stage
 */
function mergeHits(broken: readonly RuleHit[], beyond: readonly number[], rules: ChartRequest['rules'], start: number): PlottedHit[] {
  const limitRule = rules.find(({ rule }) => isLimitRule(rule))?.rule;
  const hits: PlottedHit[] = broken.map(({ rule, index }) => ({ rule, index: start + index, on: 'location' }));
  if (limitRule !== undefined) for (const index of beyond) hits.push({ rule: limitRule, index: start + index, on: 'variation' });
  return hits.sort((a, b) => a.index - b.index);
}
