import { TurnLimit } from '@sinebar/concurrency';
import type { AnalysisChart, CharacteristicSeries } from '@sinebar/contracts';
import { groupsInRange, statusOf, type Grouping, type SpecificationLimits } from '@sinebar/statistics';
import type { SeriesQuery } from './analysis-parameters.ts';
import type { ChartResult } from './calculations/chart.ts';
import type { CountPointFigures } from './calculations/count-figures.ts';
import type { FoundGroup } from './calculations/tasks.ts';
import { firstTimeFrom, isoTimeOf, type IdentifiedValues } from './characteristic-values.ts';
import type { GroupName, GroupSource } from './groups/group-source.ts';

/** Most values out of tolerance and most broken rules in an answer, the newest ones. */
export const MAX_LISTED = 5000;

/** Time that the buckets of all series together take from one turn of the event loop. */
const BUCKETS_MS = 2;
const turn = new TurnLimit(BUCKETS_MS);

/** The groups of the points of a series. */
export interface SeriesGroups {
  source: GroupSource;
  /** Index of the group of each measured value; −1 for a missing one. */
  indexes: Int32Array;
  found: readonly FoundGroup[];
}

export interface SeriesInput {
  /** The measured values; single values must have no missing one. */
  measured: IdentifiedValues;
  chart: AnalysisChart | undefined;
  /** The chart of a characteristic that counts, undefined without limits; absent for measured values. */
  countChart?: (Omit<NonNullable<CharacteristicSeries['countChart']>, 'points'> & { points: readonly CountPointFigures[] }) | undefined;
  /** Present where the evaluation has stages. */
  stages?: CharacteristicSeries['stages'] | undefined;
  result: ChartResult;
  limits: SpecificationLimits;
  /** Most entries of the answer. */
  points: number;
  /** First value that is sent and the one after the last. */
  shown: readonly [number, number];
  /** Points of the chart before the first one that is sent. */
  offset: number;
  /** Newest single values to send beside the others. */
  newest: number;
  /** Members of the evaluation that the request replaces. */
  overridden: readonly string[];
  /** Sentences about what the evaluation asks for. */
  notes: string[];
  groups?: SeriesGroups;
}

/** Content of a series, by indices of the measured values. */
export interface SeriesOutline extends SeriesInput {
  /** First value that is sent and the one after the last. */
  start: number;
  end: number;
  /** Indices of the newest single values. */
  newestIndexes: number[];
  isWhole: boolean;
  /** First value of each bucket and the one after its last. */
  ranges: [number, number][];
  /** Values out of tolerance that are listed, in ascending order. */
  listed: readonly number[];
  hits: ChartResult['hits'];
  subgroups: NonNullable<ChartResult['subgroups']> | undefined;
  /** Normal scores of the values, where their model is not normal. */
  scores: Float64Array | undefined;
}

/** Chooses what a series shows: single values where they fit, else buckets. */
export function outlineSeries(input: SeriesInput): SeriesOutline {
  const { measured, result, limits, points, newest, shown } = input;
  const { values } = measured;
  const [start, end] = shown;
  const isWhole = end - start <= points;
  const outOfTolerance = isWhole ? [] : outsideTolerance(values, limits, [start, end]);
  return {
    ...input,
    start,
    end,
    newestIndexes: newestIndexesOf(values, newest),
    isWhole,
    ranges: isWhole ? [] : bucketRanges(start, end, points),
    listed: outOfTolerance.slice(-MAX_LISTED),
    hits: result.hits.slice(-MAX_LISTED),
    subgroups: result.subgroups,
    scores: result.scores?.filter((score) => !Number.isNaN(score)),
    notes: [
      ...input.notes,
      ...(outOfTolerance.length > MAX_LISTED ? [`Only the newest ${MAX_LISTED} values out of tolerance are listed.`] : []),
      ...(result.hits.length > MAX_LISTED ? [`Only the newest ${MAX_LISTED} broken rules are listed.`] : []),
      ...(result.subgroupCount > points ? [`There are ${result.subgroupCount} subgroups; more than ${points} are not listed.`] : []),
      ...result.notes,
      ...(result.chart || 'countChart' in input || values.length === 0
        ? []
        : ['There are too few values in the baseline for control limits.']),
      ...(values.length === 0 ? ['There are no values.'] : []),
    ],
  };
}

/** Ids of the measurements that a series names. */
export function namedMeasurements(outline: SeriesOutline): Float64Array {
  const { measured, isWhole, subgroups, listed, hits, newestIndexes, start, end } = outline;
  const remembered = outline.result.memory?.points.map(({ first }) => first) ?? [];
  const counted = outline.countChart?.points.map(({ index }) => index) ?? [];
  const wanted = [...listed, ...hits.map(({ first }) => first), ...newestIndexes, ...remembered, ...counted];
  if (isWhole || subgroups) for (let i = start; i < end; i += 1) wanted.push(i);
  return Float64Array.from(wanted, (i) => measured.ids[i]!);
}

/** Builds the answer. @param uuids of {@link namedMeasurements}. @param names of the groups */
export async function seriesAnswer(
  outline: SeriesOutline,
  uuids: ReadonlyMap<number, string>,
  names: readonly GroupName[] = [],
): Promise<CharacteristicSeries> {
  const { measured, chart, limits, isWhole, ranges, listed, hits, subgroups, notes, start, end, newestIndexes, offset, scores } = outline;
  const { values, ids, times } = measured;
  const timeAt = (index: number) => isoTimeOf(times[index]!);
  const uuidAt = (index: number) => uuids.get(ids[index]!) ?? '';
  const groupOf = (first: number, next: number) => commonGroup(outline.groups, first, next);
  const point = (index: number) => ({
    ...timed(timeAt(index)),
    value: values[index]!,
    measurementUuid: uuidAt(index),
    ...groupOf(index, index + 1),
  });
  const judged = (index: number) => ({ ...point(index), status: statusOf(values[index]!, limits) });
  const areSingle = chart === undefined || chart.type === 'individuals';
  let nextListed = 0;
  const bucket = ([first, next]: readonly [number, number]) => {
    const figures = figuresOf(values.subarray(first, next));
    if (!figures) return undefined;
    const [from, to] = [timeAt(first), timeAt(next - 1)];
    const outside = [];
    for (; nextListed < listed.length && listed[nextListed]! < next; nextListed += 1) outside.push(point(listed[nextListed]!));
    return {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...figures,
      ...groupOf(first, next),
      ...(areSingle && movingRangesOf(scores ?? values, first, next)),
      outOfTolerance: outside,
    };
  };
  const buckets = [];
  for (const range of ranges) {
    await turn.wait();
    const shown = bucket(range);
    if (shown) buckets.push(shown);
  }
  return {
    count: countNumbers(values),
    offset,
    kind: isWhole ? 'values' : 'buckets',
    ...(isWhole && {
      values: numbersIn(values, start, end).map((index) => ({ ...judged(index), ...(scores && { score: scores[index]! }) })),
    }),
    ...(newestIndexes.length > 0 && { newest: newestIndexes.map(judged) }),
    ...(subgroups && {
      subgroups: subgroups.map(({ start: first, end: next, count, mean, variation, limits: own }) => ({
        ...timed(timeAt(first)),
        mean,
        ...(variation !== undefined && { variation }),
        count,
        ...groupOf(first, next),
        measurementUuids: numbersIn(values, first, next).map(uuidAt),
        ...(own && { limits: { location: own.location, ...(own.variation && { variation: own.variation }) } }),
      })),
    }),
    ...(!isWhole && { buckets }),
    ...(outline.groups && { grouped: { by: outline.groups.source.by, groups: [...names] } }),
    ...(chart && { chart }),
    ...(outline.countChart && {
      countChart: {
        ...outline.countChart,
        points: outline.countChart.points.map(({ index, ...figures }) => ({
          index,
          ...timed(timeAt(index)),
          measurementUuid: uuidAt(index),
          ...figures,
          ...groupOf(index, index + 1),
        })),
      },
    }),
    ...(outline.stages && { stages: outline.stages }),
    ...(outline.result.memory && {
      memory: memoryOf(outline.result.memory, (first) => ({ ...timed(timeAt(first)), measurementUuid: uuidAt(first) })),
    }),
    ruleHits: hits.map(({ rule, on, index, first }) => ({ rule, on, index, ...timed(timeAt(first)), measurementUuid: uuidAt(first) })),
    ...(outline.overridden.length > 0 && { overridden: [...outline.overridden] }),
    ...(notes.length > 0 && { notes }),
  };
}

/**
 * Finds the values to send: whole points that have a value in the wanted time. Limits and rules follow from all values.
 * @param times of the values, without missing ones in a series of single values
 * @returns the first value and the one after the last, and the points of the chart before them
 */
export function shownRange(
  times: Float64Array,
  { shownFrom, shownTo }: Pick<SeriesQuery, 'shownFrom' | 'shownTo'>,
  grouping: Grouping | undefined,
): { shown: readonly [number, number]; offset: number } {
  const from = shownFrom === undefined ? 0 : firstTimeFrom(times, shownFrom.ms);
  const to = shownTo === undefined ? times.length : Math.max(from, firstTimeFrom(times, shownTo.ms));
  if (!grouping) return { shown: [from, to], offset: from };
  const [first, end] = groupsInRange(grouping, from, to);
  return { shown: [grouping.starts[first] ?? 0, grouping.starts[end] ?? 0], offset: first };
}

/** Divides the values from `start` up to `end` into `most` ranges of equal length, up to one value. */
function bucketRanges(start: number, end: number, most: number): [number, number][] {
  const edge = (i: number) => start + Math.floor((i * (end - start)) / most);
  return Array.from({ length: most }, (_, i) => [edge(i), edge(i + 1)]);
}

function outsideTolerance(values: Float64Array, limits: SpecificationLimits, [start, end]: readonly [number, number]): number[] {
  const { lowerTolerance = -Infinity, upperTolerance = Infinity } = limits;
  const outside: number[] = [];
  for (let i = start; i < end; i += 1) if (values[i]! < lowerTolerance || values[i]! > upperTolerance) outside.push(i);
  return outside;
}

function countNumbers(values: Float64Array): number {
  let count = 0;
  for (const value of values) if (!Number.isNaN(value)) count += 1;
  return count;
}

function numbersIn(values: Float64Array, start: number, end: number): number[] {
  const indexes: number[] = [];
  for (let i = start; i < end; i += 1) if (!Number.isNaN(values[i]!)) indexes.push(i);
  return indexes;
}

function newestIndexesOf(values: Float64Array, most: number): number[] {
  const indexes: number[] = [];
  for (let i = values.length - 1; i >= 0 && indexes.length < most; i -= 1) if (!Number.isNaN(values[i]!)) indexes.push(i);
  return indexes.reverse();
}

function figuresOf(values: Float64Array) {
  const numbers = values.includes(NaN) ? values.filter((value) => !Number.isNaN(value)) : values;
  if (numbers.length === 0) return undefined;
  return { count: numbers.length, ...spreadOf(numbers), first: numbers[0]!, last: numbers[numbers.length - 1]! };
}

/** Smallest, largest and mean distance of each value from the one before it. */
function movingRangesOf(values: Float64Array, start: number, end: number) {
  const first = Math.max(start, 1);
  if (end <= first) return {};
  const distances = new Float64Array(end - first);
  for (let i = first; i < end; i += 1) distances[i - first] = Math.abs(values[i]! - values[i - 1]!);
  return { movingRange: spreadOf(distances) };
}

function spreadOf(numbers: Float64Array) {
  let minimum = Infinity;
  let maximum = -Infinity;
  let mean = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const value = numbers[i]!;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    // Each part is divided before it is added, so that no sum exceeds the range of a float64.
    mean += value / (i + 1) - mean / (i + 1);
  }
  return { minimum, maximum, mean };
}

function memoryOf(
  { target, sigma, settings, points }: NonNullable<ChartResult['memory']>,
  named: (first: number) => { time?: string; measurementUuid: string },
): CharacteristicSeries['memory'] {
  return {
    type: 'ewma' in settings ? 'ewma' : 'cusum',
    target,
    sigma,
    ...('ewma' in settings ? settings.ewma : settings.cusum),
    points: points.map(({ first, ...figures }) => ({ ...named(first), ...figures })),
  };
}

/** The group that all values of a range share. */
function commonGroup(groups: SeriesGroups | undefined, first: number, next: number): { group?: number } {
  let group: number | undefined;
  for (let i = first; groups && i < next; i += 1) {
    const index = groups.indexes[i]!;
    if (index < 0) continue;
    if (group !== undefined && index !== group) return {};
    group = index;
  }
  return group === undefined ? {} : { group };
}

function timed(time: string | undefined): { time?: string } {
  return time === undefined ? {} : { time };
}
