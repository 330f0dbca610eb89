import {
  fittedModel,
  groupFigures,
  groupsInRange,
  judgedValues,
  momentsOf,
  RULES,
  type GroupFigures,
  type RunRule,
} from '@sinebar/statistics';
import { groupedPoints, plotMemory, singleValues } from './chart.ts';
import { calculateCountChart } from './count-figures.ts';
import { chooseWithEarlier } from './earlier-model.ts';
import { hitsOfGroups, hitsOfIndividuals, limitsOfGroups, limitsOfIndividuals, limitsOfSize, type PlottedHit } from './stage-limits.ts';
import type { BrokenRule, ChartRequest, ControlOfGroups, ControlOfIndividuals, JudgedSeries, Judgement, JudgementsTask } from './tasks.ts';

/** Judges characteristics one after another. */
export function judgeAll({ items }: JudgementsTask): Judgement[] {
  return items.map(judge);
}

/** Finds the points of the newest stage that break rules, with the functions that draw the chart. */
function judge(item: JudgedSeries): Judgement {
  if (item.counts) return judgeCounts(item, item.counts);
  const { grouping, control } = item;
  if (grouping) return judgeGroups(item, control?.type === 'groups' ? control : undefined);
  return judgeIndividuals(item, control?.type === 'individuals' ? control : undefined);
}

function judgeIndividuals(item: JudgedSeries, kept: ControlOfIndividuals | undefined): Judgement {
  const { values, chart: request, stageStart: start = 0, baseline } = item;
  if (kept) {
    const points = pointsOf(values, kept);
    return {
      broken: brokenIndividuals(values, points, kept, hitsOfIndividuals(points.subarray(start), kept.chart, request.rules, start), request),
    };
  }
  const { given } = request;
  const single = given ? { values } : singleValues(values, judgedValues(values, item.model.limits, choiceOf(item)));
  const stage = limitsOfIndividuals(single, { start, end: values.length, baseline, given }, request);
  if (!stage) return { broken: [] };
  const broken = request.memory
    ? brokenMemory(item, stage.chart, request.memory)
    : brokenIndividuals(values, single.scored?.scores ?? values, stage.control as ControlOfIndividuals, stage.hits, request);
  return { broken, ...(!given && { basisCount: countPoints(item) }) };
}

function pointsOf(values: Float64Array, { model }: ControlOfIndividuals): Float64Array {
  if (!model) return values;
  const fitted = fittedModel(model);
  return values.map((value) => (Number.isNaN(value) ? NaN : fitted.score(value)));
}

function brokenIndividuals(
  values: Float64Array,
  points: Float64Array,
  { chart, model }: ControlOfIndividuals,
  hits: readonly PlottedHit[],
  request: ChartRequest,
): BrokenRule[] {
  const fitted = model && fittedModel(model);
  const { centerLine, lower, upper } = chart.location;
  const location = fitted
    ? { centerLine: fitted.valueAt(centerLine), lower: fitted.valueAt(lower), upper: fitted.valueAt(upper) }
    : chart.location;
  return hits.map(({ rule, index, on }) => ({
    index,
    rule,
    length: on === 'variation' ? 1 : lengthOf(rule, request),
    on,
    value: on === 'location' ? values[index]! : Math.abs(points[index]! - points[index - 1]!),
    limits: finite(on === 'location' ? location : chart.variation),
  }));
}

function judgeGroups(item: JudgedSeries, kept: ControlOfGroups | undefined): Judgement {
  const { values, chart: request, stageStart: start = 0, baseline, grouping } = item;
  const points = groupedPoints(item, grouping!, request);
  const stage = { start, end: values.length, baseline, given: request.given };
  if (kept) {
    // Further groups are plotted by the type of chart that was chosen for all.
    return { broken: brokenGroups(points.figures, kept, hitsOfGroups(points, kept, stage, request.rules).hits, request) };
  }
  const found = limitsOfGroups(points, stage, request);
  if (!found) return { broken: [] };
  const broken = request.memory
    ? brokenMemory(item, found.chart, request.memory, points.figures)
    : brokenGroups(points.figures, found.control as ControlOfGroups, found.hits, request);
  return { broken, ...(!request.given && { basisCount: countPoints(item) }) };
}

function brokenGroups(figures: GroupFigures, control: ControlOfGroups, hits: readonly PlottedHit[], request: ChartRequest): BrokenRule[] {
  const variations = control.chart.type === 'xbarR' ? figures.ranges : figures.deviations;
  return hits.map(({ rule, index, on }) => {
    const { location, variation } = limitsOfSize(control, figures.counts[index]!);
    return {
      index,
      rule,
      length: on === 'variation' ? 1 : lengthOf(rule, request),
      on,
      value: on === 'location' ? figures.means[index]! : variations[index]!,
      limits: finite(on === 'location' ? location : (variation ?? {})),
    };
  });
}

/** Points of a chart that remembers which are beyond its limits. */
function brokenMemory(
  item: JudgedSeries,
  chart: Parameters<typeof plotMemory>[1]['chart'],
  request: NonNullable<ChartRequest['memory']>,
  groups?: GroupFigures,
): BrokenRule[] {
  const { grouping, values } = item;
  const { memory } = plotMemory(item, { chart, ...(groups && { groups }) }, request);
  // A point is named by its first value: of single values the index among those with a number.
  const indexes = grouping
    ? new Map(Array.from(grouping.starts, (start, group) => [start, group]))
    : new Map(
        Array.from(values.keys())
          .filter((index) => !Number.isNaN(values[index]!))
          .map((index, number) => [number, index]),
      );
  const isEwma = 'ewma' in request.settings;
  return memory!.points
    .filter(({ isBeyond }) => isBeyond)
    .map(({ first, value, lower, upper, above = 0, below = 0 }) => ({
      index: indexes.get(first)!,
      rule: isEwma ? 'ewma' : 'cusum',
      length: 1,
      on: 'location' as const,
      value: isEwma ? value! : Math.max(above, below),
      limits:
        'ewma' in request.settings
          ? finite({ lower: lower!, upper: upper!, centerLine: memory!.target })
          : { upper: request.settings.cusum.h },
    }));
}

function judgeCounts(
  { values, baseline, stageStart = 0 }: JudgedSeries,
  { sizes, given, ...chart }: NonNullable<JudgedSeries['counts']>,
): Judgement {
  const end = values.length;
  const { points, hits } = calculateCountChart({
    kind: 'countChart',
    values,
    sizes,
    chart,
    stages: [{ start: stageStart, end, baseline, given }],
    shown: [0, end],
    mostHits: Infinity,
    mostPoints: Infinity,
  });
  const shown = new Map(points.map((point) => [point.index, point]));
  const broken = hits.flatMap(({ rule, index, on }) => {
    const point = shown.get(index);
    if (!point) return [];
    const { value, lower, upper, centerLine } = point;
    return [{ index, rule, length: lengthOf(rule, chart), on, value, limits: finite({ lower, upper, centerLine }) }];
  });
  return { broken, ...(!given && { basisCount: baseline[1] - baseline[0] }) };
}

function choiceOf({ values, model }: JudgedSeries) {
  return chooseWithEarlier(values, momentsOf(values), model).choice;
}

function lengthOf(rule: RunRule, { rules }: Pick<ChartRequest, 'rules'>): number {
  return rules.find((setting) => setting.rule === rule)?.length ?? RULES[rule].length;
}

/** Counts the points of a baseline. */
export function countPoints({ values, grouping, baseline }: Pick<JudgedSeries, 'values' | 'grouping' | 'baseline'>): number {
  return grouping
    ? groupFigures(values, grouping, groupsInRange(grouping, ...baseline)).filled
    : countNumbers(values.subarray(...baseline));
}

function countNumbers(values: Float64Array): number {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count += 1;
  return count;
}

/** Leaves out limits that there are not: those of groups without a value are infinite. */
function finite(limits: BrokenRule['limits']): BrokenRule['limits'] {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => Number.isFinite(limit)));
}
