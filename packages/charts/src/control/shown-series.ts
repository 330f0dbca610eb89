import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import type { Column } from '../drawing/paths.ts';
import type { Limits } from '../drawing/tolerance-scale.ts';
import { isOut, type ValueStatus } from '../drawing/value-status.ts';

/** A stretch of a chart: one value, one subgroup, or a group of consecutive values. */
export interface ShownEntry extends Column {
  /** Points before it, from the first that is shown. */
  readonly position: number;
  readonly from?: string;
  readonly to?: string;
  /** Only of a single value. */
  readonly status?: ValueStatus;
  /** Control limits of its stage, of a subgroup whose size is not the usual one, or of a sample that counts. */
  readonly limits?: ControlLimits;
  /** What was counted, of how many parts or units. */
  readonly sample?: { readonly count: number; readonly size: number };
  readonly measurementUuids: readonly string[];
  /** Index of its group, where it has one. */
  readonly group?: number;
}

/** A point of the variation chart. */
export interface ShownVariation extends Column {
  readonly position: number;
  readonly limits?: ControlLimits;
}

export interface ControlLimits {
  readonly centerLine: number;
  readonly lower: number;
  readonly upper: number;
}

/** A value that stands out, drawn on its own. */
export interface ShownValue {
  /** Middle of the point, in points from the first that is shown. */
  readonly position: number;
  readonly value: number;
  readonly status: ValueStatus;
  readonly time?: string | undefined;
  readonly measurementUuid: string;
}

export interface ShownHit {
  readonly rule: string;
  readonly position: number;
}

/** A stage with points in view. */
export interface ShownStage {
  /** Its first point in view. */
  readonly position: number;
  /** Whether it begins behind the first point in view. */
  readonly isBeginning: boolean;
  readonly from?: string;
  readonly reason?: string;
  /** Its chart, where its limits are known. */
  readonly chart?: NonNullable<CharacteristicSeries['chart']>;
}

/** The points of a chart between two times, ready to be drawn. */
export interface ShownSeries {
  readonly entries: readonly ShownEntry[];
  /** Points that the entries stand for. */
  readonly count: number;
  /** Whether each entry is a single point. */
  readonly isSingle: boolean;
  readonly outOfTolerance: readonly ShownValue[];
  /** Points that break a rule of the location chart, and of the variation chart. */
  readonly hits: readonly ShownHit[];
  readonly variationHits: readonly ShownHit[];
  /** Points of the variation chart, at the same positions. */
  readonly variation: readonly ShownVariation[];
  /** Stages in view, where there are several: then every point has the limits of its own, or none. */
  readonly stages: readonly ShownStage[];
  /** Decimal places of the points of a chart of counts, whose unit is not that of the values. */
  readonly decimals?: number;
  /** Colour and shape of each group of the entries; present where the reader has split the values. */
  readonly slots?: readonly number[];
}

/** The times of a view, in milliseconds since 1970; an open end shows everything. */
export interface ViewTimes {
  readonly from?: number;
  readonly to?: number;
}

interface Source {
  readonly entry: Omit<ShownEntry, 'position'>;
  readonly variation?: Omit<ShownVariation, 'position'>;
  readonly outOfTolerance: readonly { readonly value: number; readonly time?: string | undefined; readonly measurementUuid: string }[];
}

/** Prepares the part of a series between two times. @param series may hold more than these times, or less */
export function shownSeries(series: CharacteristicSeries, limits: Limits, view: ViewTimes = {}): ShownSeries {
  const sources = sourcesOf(series);
  const isSubgroups = series.subgroups !== undefined;
  const { first, last } = rangeOf(sources, view);
  const before = sources.slice(0, first).reduce((sum, { entry }) => sum + pointsOf(entry, isSubgroups), 0);
  let position = 0;
  const entries: ShownEntry[] = [];
  const outOfTolerance: ShownValue[] = [];
  const variation: ShownVariation[] = [];
  for (const source of sources.slice(first, last)) {
    const points = pointsOf(source.entry, isSubgroups);
    entries.push({ ...source.entry, count: points, position });
    if (source.variation) variation.push({ ...source.variation, position });
    source.outOfTolerance.forEach((point, i) => {
      // Values of a bucket are spread over its width in their order.
      const middle = position + (points * (i + 0.5)) / source.outOfTolerance.length;
      const status = limits.upperTolerance !== undefined && point.value > limits.upperTolerance ? 'aboveTolerance' : 'belowTolerance';
      outOfTolerance.push({ ...point, position: middle, status });
    });
    position += points;
  }
  const start = series.offset + before;
  const isByIndex = isSubgroups || (series.chart?.type ?? 'individuals') === 'individuals';
  const counted = series.countChart?.points.slice(first, last);
  const positionOf = counted ? byCount(counted) : isByIndex ? byIndex(start) : byTime(entries);
  const stages = stagesInView(series, position, ({ from, offset }) => {
    if (counted) return countBefore(counted, ({ index }) => index < offset);
    if (isByIndex) return offset - start;
    return entries.find(({ to = '' }) => to >= (from ?? ''))?.position ?? position;
  });
  // Limits of subgroups do not hold for the values that are drawn where subgroups are too many.
  const limitsAt = (of: 'location' | 'variation', at: number) =>
    isByIndex ? stages.findLast((stage) => stage.position <= at)?.chart?.[of] : undefined;
  const hitsOn = (on: 'location' | 'variation') =>
    series.ruleHits
      .filter((hit) => hit.on === on)
      .map((hit) => ({ rule: hit.rule, position: positionOf(hit) }))
      .filter((hit) => hit.position >= 0 && hit.position < position);
  return {
    entries: withLimits(entries, (at) => limitsAt('location', at)),
    count: position,
    isSingle: series.kind === 'values' || isSubgroups || counted !== undefined,
    outOfTolerance,
    hits: hitsOn('location'),
    variationHits: hitsOn('variation'),
    variation: withLimits(variation, (at) => limitsAt('variation', at)),
    stages,
    ...(counted && { decimals: countDecimals(counted) }),
  };
}

type Stage = NonNullable<CharacteristicSeries['stages']>[number];
type CountPoint = NonNullable<CharacteristicSeries['countChart']>['points'][number];

/** Places the stages; one without a point in view is left out. */
function stagesInView({ stages = [] }: CharacteristicSeries, count: number, startOf: (stage: Stage) => number): ShownStage[] {
  if (stages.length < 2) return [];
  const starts = stages.map(startOf);
  return stages.flatMap(({ from, reason, chart }, i) => {
    const [start, end] = [Math.max(0, starts[i]!), Math.min(starts[i + 1] ?? count, count)];
    if (start >= end) return [];
    const about = { ...(from !== undefined && { from }), ...(reason !== undefined && { reason }), ...(chart && { chart }) };
    return [{ position: start, isBeginning: starts[i]! > 0, ...about }];
  });
}

/** Whether a characteristic counts: it has a rate in place of an index, and no model. */
export function isOfCounts({ countChart, rate }: CharacteristicSummary): boolean {
  return countChart !== undefined || rate !== undefined;
}

/** The chart whose limits stand at the right edge: that of the last stage in view. */
export function chartInView({ stages }: ShownSeries, chart: ShownStage['chart']): ShownStage['chart'] {
  return stages.length > 0 ? stages.at(-1)!.chart : chart;
}

/** Gives each point the limits at its position, unless it has its own. */
function withLimits<T extends { position: number; limits?: ControlLimits }>(
  points: readonly T[],
  limitsAt: (position: number) => ControlLimits | undefined,
): readonly T[] {
  return points.map((point) => {
    const limits = point.limits ?? limitsAt(point.position);
    return limits ? { ...point, limits } : point;
  });
}

/** Decimal places of the largest point or limit, which hold for all. */
function countDecimals(points: readonly CountPoint[]): number {
  const largest = Math.max(0, ...points.map(({ value, upper }) => Math.max(value, upper)));
  return significantDecimals(largest);
}

/** Decimal places with which a figure has three digits; a whole number of more digits has none. */
export function significantDecimals(value: number): number {
  return value > 0 ? Math.max(0, Math.min(2 - Math.floor(Math.log10(value)), 9)) : 0;
}

function countBefore<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  const index = items.findIndex((item) => !isBefore(item));
  return index < 0 ? items.length : index;
}

type Hit = CharacteristicSeries['ruleHits'][number];

const byIndex =
  (start: number) =>
  ({ index }: Hit) =>
    index - start + 0.5;

/** Samples that are left out have no point. */
function byCount(points: readonly CountPoint[]): (hit: Hit) => number {
  const positions = new Map(points.map(({ index }, position) => [index, position + 0.5]));
  return ({ index }) => positions.get(index) ?? -1;
}

/** Subgroups that are too many to be listed are drawn as values: a hit is where its first value was measured. */
function byTime(entries: readonly ShownEntry[]): (hit: Hit) => number {
  return ({ time }) => {
    const entry = time === undefined ? undefined : entries.find(({ to }) => to !== undefined && to >= time);
    return entry === undefined || (entry.from ?? '') > time! ? -1 : entry.position + entry.count / 2;
  };
}

const pointsOf = (entry: Omit<ShownEntry, 'position'>, isSubgroups: boolean) => (isSubgroups ? 1 : entry.count);

function sourcesOf({ values, subgroups, buckets, countChart }: CharacteristicSeries): Source[] {
  if (countChart) {
    return countChart.points.map(({ time, measurementUuid, count, size, value, centerLine, lower, upper, group }) => ({
      entry: {
        ...stretch(time, time),
        ...single(value),
        ...grouped(group),
        sample: { count, size },
        limits: { centerLine, lower, upper },
        measurementUuids: [measurementUuid],
      },
      outOfTolerance: [],
    }));
  }
  if (subgroups) {
    return subgroups.map(({ time, mean, variation, count, measurementUuids, limits, group }) => ({
      entry: {
        ...stretch(time, time),
        ...single(mean),
        ...grouped(group),
        count,
        measurementUuids,
        ...(limits && { limits: limits.location }),
      },
      ...(variation !== undefined && { variation: { ...single(variation), ...(limits?.variation && { limits: limits.variation }) } }),
      outOfTolerance: [],
    }));
  }
  if (values) {
    return values.map((point, i) => {
      const { time, value, status, measurementUuid, score, group } = point;
      const previous = values[i - 1];
      // The variation chart of values that are not normal is that of their scores.
      const range = previous && (score === undefined ? value - previous.value : score - (previous.score ?? score));
      return {
        entry: { ...stretch(time, time), ...single(value), ...grouped(group), status, measurementUuids: [measurementUuid] },
        ...(range !== undefined && { variation: single(Math.abs(range)) }),
        outOfTolerance: isOut(status) ? [point] : [],
      };
    });
  }
  return (buckets ?? []).map(({ from, to, minimum, maximum, mean, count, movingRange, outOfTolerance, group }) => ({
    entry: { ...stretch(from, to), ...grouped(group), minimum, maximum, mean, count, measurementUuids: [] },
    ...(movingRange && { variation: { ...movingRange, count } }),
    outOfTolerance,
  }));
}

function single(value: number): Column {
  return { minimum: value, maximum: value, mean: value, count: 1 };
}

function grouped(group: number | undefined): { group?: number } {
  return group === undefined ? {} : { group };
}

function stretch(from: string | undefined, to: string | undefined) {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function rangeOf(sources: readonly Source[], { from, to }: ViewTimes): { first: number; last: number } {
  const at = (time: string | undefined) => (time === undefined ? Number.NaN : Date.parse(time));
  let first = from === undefined ? 0 : sources.findIndex(({ entry }) => at(entry.to) >= from);
  if (first < 0) first = sources.length;
  let last = to === undefined ? sources.length : sources.findIndex(({ entry }) => at(entry.from) >= to);
  if (last < 0) last = sources.length;
  return { first, last: Math.max(first, last) };
}
