import type { CharacteristicSeries } from '@sinebar/client';
import type { Column } from '../drawing/paths';
import { isOut, type ValueStatus } from '../small/value-status';

/** A stretch of a chart: one value, one subgroup, or a group of consecutive values. */
export interface ShownEntry extends Column {
  /** Points before it, from the first that is shown. */
  readonly position: number;
  readonly from?: string;
  readonly to?: string;
  /** Only of a single value. */
  readonly status?: ValueStatus;
  /** Control limits of a subgroup whose size is not the usual one. */
  readonly limits?: ControlLimits;
  readonly measurementUuids: readonly string[];
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
  readonly time?: string;
  readonly measurementUuid: string;
}

export interface ShownHit {
  readonly rule: string;
  readonly position: number;
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
}

/** The times of a view, in milliseconds since 1970; an open end shows everything. */
export interface ViewTimes {
  readonly from?: number;
  readonly to?: number;
}

interface Source {
  readonly entry: Omit<ShownEntry, 'position'>;
  readonly variation?: Omit<ShownVariation, 'position'>;
  readonly outOfTolerance: readonly { readonly value: number; readonly time?: string; readonly measurementUuid: string }[];
}

type Limits = { readonly lowerTolerance?: number; readonly upperTolerance?: number };

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
  const place = isSubgroups || (series.chart?.type ?? 'individuals') === 'individuals' ? byIndex(start) : byTime(entries);
  const hitsOn = (on: 'location' | 'variation') =>
    series.ruleHits
      .filter((hit) => hit.on === on)
      .map((hit) => ({ rule: hit.rule, position: place(hit) }))
      .filter((hit) => hit.position >= 0 && hit.position < position);
  return {
    entries,
    count: position,
    isSingle: series.kind === 'values' || isSubgroups,
    outOfTolerance,
    hits: hitsOn('location'),
    variationHits: hitsOn('variation'),
    variation,
  };
}

type Hit = CharacteristicSeries['ruleHits'][number];

const byIndex =
  (start: number) =>
  ({ index }: Hit) =>
    index - start + 0.5;

/** Subgroups that are too many to be listed are drawn as values: a hit is where its first value was measured. */
function byTime(entries: readonly ShownEntry[]): (hit: Hit) => number {
  return ({ time }) => {
    const entry = time === undefined ? undefined : entries.find(({ to }) => to !== undefined && to >= time);
    return entry === undefined || (entry.from ?? '') > time! ? -1 : entry.position + entry.count / 2;
  };
}

const pointsOf = (entry: Omit<ShownEntry, 'position'>, isSubgroups: boolean) => (isSubgroups ? 1 : entry.count);

function sourcesOf({ values, subgroups, buckets }: CharacteristicSeries): Source[] {
  if (subgroups) {
    return subgroups.map(({ time, mean, variation, count, measurementUuids, limits }) => ({
      entry: { ...stretch(time, time), ...single(mean), count, measurementUuids, ...(limits && { limits: limits.location }) },
      ...(variation !== undefined && { variation: { ...single(variation), ...(limits?.variation && { limits: limits.variation }) } }),
      outOfTolerance: [],
    }));
  }
  if (values) {
    return values.map((point, i) => {
      const { time, value, status, measurementUuid, score } = point;
      const previous = values[i - 1];
      // The variation chart of values that are not normal is that of their scores.
      const range = previous && (score === undefined ? value - previous.value : score - (previous.score ?? score));
      return {
        entry: { ...stretch(time, time), ...single(value), status, measurementUuids: [measurementUuid] },
        ...(range !== undefined && { variation: single(Math.abs(range)) }),
        outOfTolerance: isOut(status) ? [point] : [],
      };
    });
  }
  return (buckets ?? []).map(({ from, to, minimum, maximum, mean, count, movingRange, outOfTolerance }) => ({
    entry: { ...stretch(from, to), minimum, maximum, mean, count, measurementUuids: [] },
    ...(movingRange && { variation: { ...movingRange, count } }),
    outOfTolerance,
  }));
}

function single(value: number): Column {
  return { minimum: value, maximum: value, mean: value, count: 1 };
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
