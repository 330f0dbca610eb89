import type { AnalysisChart, CharacteristicSeries } from '@sinebar/contracts';
import { statusOf, type SpecificationLimits } from '@sinebar/statistics';
import type { ChartResult } from './calculations/chart.js';
import type { CharacteristicValues } from './characteristic-values.js';

/** Most values out of tolerance and most broken rules in an answer, the newest ones. */
const MAX_LISTED = 10_000;

export interface SeriesInput {
  /** The measured values; single values must have no missing one. */
  measured: CharacteristicValues;
  chart: AnalysisChart | undefined;
  result: ChartResult;
  limits: SpecificationLimits;
  /** Most entries of the answer. */
  points: number;
  subgroupSize: number;
}

/** What a series shows, by indices of the measured values. */
interface SeriesOutline extends SeriesInput {
  isWhole: boolean;
  /** First value of each bucket and the one after its last. */
  ranges: [number, number][];
  /** Values out of tolerance that are listed. */
  listed: ReadonlySet<number>;
  hits: ChartResult['hits'];
  subgroups: NonNullable<ChartResult['subgroups']> | undefined;
  notes: string[];
}

/** Chooses what a series shows: single values where they fit, else buckets. */
export function outlineSeries(input: SeriesInput): SeriesOutline {
  const { measured, result, limits, points } = input;
  const count = measured.values.length;
  const isWhole = count <= points;
  const outOfTolerance = isWhole ? [] : outsideTolerance(measured.values, limits);
  const subgroups = result.subgroups && result.subgroups.length <= points ? result.subgroups : undefined;
  return {
    ...input,
    isWhole,
    ranges: isWhole ? [] : bucketRanges(count, points),
    listed: new Set(outOfTolerance.slice(-MAX_LISTED)),
    hits: result.hits.slice(-MAX_LISTED),
    subgroups,
    notes: [
      ...(outOfTolerance.length > MAX_LISTED ? [`Only the newest ${MAX_LISTED} values out of tolerance are listed.`] : []),
      ...(result.hits.length > MAX_LISTED ? [`Only the newest ${MAX_LISTED} broken rules are listed.`] : []),
      ...(result.subgroups && !subgroups ? [`There are ${result.subgroups.length} subgroups; more than ${points} are not listed.`] : []),
      ...(result.chart || count === 0 ? [] : ['There are too few values in the baseline for control limits.']),
      ...(count === 0 ? ['There are no values.'] : []),
    ],
  };
}

/** Ids of the measurements that a series names. */
export function namedMeasurements(outline: SeriesOutline): Float64Array {
  const { measured, isWhole, subgroups, listed, hits } = outline;
  if (isWhole || subgroups) return measured.ids;
  return Float64Array.from([...listed, ...hits.map(({ index }) => firstOfPoint(outline, index))], (i) => measured.ids[i]!);
}

/** Builds the answer. @param uuids of {@link namedMeasurements} */
export function seriesAnswer(outline: SeriesOutline, uuids: ReadonlyMap<number, string>): CharacteristicSeries {
  const { measured, chart, limits, isWhole, ranges, listed, hits, subgroups, notes } = outline;
  const { values, ids, times } = measured;
  const timeAt = (index: number) => isoTimeOf(times[index]!);
  const uuidAt = (index: number) => uuids.get(ids[index]!) ?? '';
  const point = (index: number) => ({ ...timed(timeAt(index)), value: values[index]!, measurementUuid: uuidAt(index) });
  return {
    count: values.length,
    kind: isWhole ? 'values' : 'buckets',
    ...(isWhole && { values: Array.from(values, (value, i) => ({ ...point(i), status: statusOf(value, limits) })) }),
    ...(subgroups && {
      subgroups: subgroups.map((subgroup) => {
        const variation = chart?.type === 'xbarS' ? subgroup.standardDeviation : subgroup.range;
        return {
          ...timed(timeAt(subgroup.start)),
          mean: subgroup.mean,
          ...(variation !== undefined && { variation }),
          count: subgroup.count,
          measurementUuids: Array.from({ length: subgroup.count }, (_, i) => uuidAt(subgroup.start + i)),
        };
      }),
    }),
    ...(!isWhole && {
      buckets: ranges.map(([start, end]) => {
        const [from, to] = [timeAt(start), timeAt(end - 1)];
        const outside = [];
        for (let i = start; i < end; i += 1) if (listed.has(i)) outside.push(point(i));
        return {
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...figuresOf(values.subarray(start, end)),
          outOfTolerance: outside,
        };
      }),
    }),
    ...(chart && { chart }),
    ruleHits: hits.map(({ rule, on, index }) => {
      const first = firstOfPoint(outline, index);
      return { rule, on, index, ...timed(timeAt(first)), measurementUuid: uuidAt(first) };
    }),
    ...(notes.length > 0 && { notes }),
  };
}

/** The index of the first value of a point of the chart. */
function firstOfPoint({ subgroupSize, result }: SeriesOutline, index: number): number {
  return subgroupSize === 1 ? index : (result.subgroups?.[index]?.start ?? 0);
}

/** Divides the values into at most `most` ranges of equal length, up to one value. */
function bucketRanges(count: number, most: number): [number, number][] {
  return Array.from({ length: most }, (_, i) => [Math.floor((i * count) / most), Math.floor(((i + 1) * count) / most)]);
}

function outsideTolerance(values: Float64Array, limits: SpecificationLimits): number[] {
  const { lowerTolerance = -Infinity, upperTolerance = Infinity } = limits;
  const outside: number[] = [];
  values.forEach((value, i) => {
    if (value < lowerTolerance || value > upperTolerance) outside.push(i);
  });
  return outside;
}

function figuresOf(values: Float64Array) {
  let minimum = Infinity;
  let maximum = -Infinity;
  let mean = 0;
  values.forEach((value, i) => {
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
    // Each part is divided before it is added, so that no sum exceeds a double.
    mean += value / (i + 1) - mean / (i + 1);
  });
  return { count: values.length, minimum, maximum, mean, first: values[0]!, last: values[values.length - 1]! };
}

function timed(time: string | undefined): { time?: string } {
  return time === undefined ? {} : { time };
}

/** ISO 8601 in UTC; undefined for a measurement without a time. */
export function isoTimeOf(ms: number): string | undefined {
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
