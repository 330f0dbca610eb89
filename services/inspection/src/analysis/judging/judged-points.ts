import { cutGroups, type Grouping } from '@sinebar/statistics';
import type { AlarmKey } from '../../alarms/raised-alarms.ts';
import { PLAUSIBILITY, statusLimitsOf } from '../analysed-characteristic.ts';
import type { AssessedCharacteristic } from '../assessment/assessed-characteristics.ts';
import type { BrokenRule } from '../calculations/tasks.ts';
import { pointsOfRun, type RunHit, type RunPoints } from './alarm-runs.ts';

/** Points of a chart, or values, in the order of measurement. */
export interface JudgedPoints extends RunPoints {
  /** Milliseconds since 1970, NaN without a time. */
  timeAt: (index: number) => number;
}

/** A point that is wrong, with what its alarm shows. */
export interface JudgedHit extends RunHit {
  value: number;
  detail: { limits: BrokenRule['limits'] };
}

/** Points of a characteristic that were judged in one way. */
export interface JudgedTrack {
  key: AlarmKey;
  points: JudgedPoints;
  /** Those whose run has a new or changed point, in ascending order. */
  hits: readonly JudgedHit[];
  /** Index of the last hit of all; −1 without one. */
  lastHit: number;
  /** Measurements of the points that were judged anew. */
  affected: readonly number[];
}

/** Findings about a characteristic. */
export interface JudgedCharacteristic {
  assessed: AssessedCharacteristic;
  /** All its values. */
  values: JudgedPoints;
  tracks: JudgedTrack[];
}

type IsChanged = (measurementId: number) => boolean;

/** Whether a value is so far out that the measurement went wrong. Such a value is not judged otherwise. */
export function implausibleHits(values: Float64Array, { characteristic: { numbers } }: AssessedCharacteristic): JudgedHit[] {
  return outside(values, numbers[PLAUSIBILITY.lower], numbers[PLAUSIBILITY.upper]);
}

/** Compares values with their tolerance, as their status does: a natural boundary is a tolerance. */
export function toleranceHits(values: Float64Array, { characteristic: { limits } }: AssessedCharacteristic): JudgedHit[] {
  const { lowerTolerance, upperTolerance } = statusLimitsOf(limits);
  return outside(values, lowerTolerance, upperTolerance);
}

function outside(values: Float64Array, lower: number | null | undefined, upper: number | null | undefined): JudgedHit[] {
  const hits: JudgedHit[] = [];
  const [least, most] = [lower ?? -Infinity, upper ?? Infinity];
  if (least === -Infinity && most === Infinity) return hits;
  const limits = { ...(least > -Infinity && { lower: least }), ...(most < Infinity && { upper: most }) };
  values.forEach((value, index) => {
    if (value < least || value > most) hits.push({ index, length: 1, value, detail: { limits } });
  });
  return hits;
}

/** @param reach points before a hit, besides those of its run, on which it depends: one for a moving range */
export function trackOf(
  key: AlarmKey,
  points: JudgedPoints,
  hits: readonly JudgedHit[],
  isChanged: IsChanged,
  reach: 0 | 1 = 0,
): JudgedTrack {
  const isAffected = new Uint8Array(points.values.length);
  const affected: number[] = [];
  for (let index = 0; index < isAffected.length; index += 1) {
    if (!isChanged(points.idAt(index)) && !(reach === 1 && index > 0 && isChanged(points.idAt(index - 1)))) continue;
    isAffected[index] = 1;
    affected.push(points.idAt(index));
  }
  const isNew = (hit: JudgedHit) => pointsOfRun(points, hit).some((index) => isAffected[index] === 1);
  return { key, points, hits: hits.filter(isNew), lastHit: hits.at(-1)?.index ?? -1, affected };
}

/** Makes the tracks of broken rules, one for each rule and chart. @param grouping of the values; absent for single ones */
export function ruleTracks(
  broken: readonly BrokenRule[],
  values: JudgedPoints,
  grouping: Grouping | undefined,
  isChanged: IsChanged,
): JudgedTrack[] {
  const points = grouping ? groupPoints(values, grouping) : values;
  const changed = grouping ? changedGroups(values, grouping, isChanged) : isChanged;
  const isOfRange = (chart: AlarmKey['chart']) => (chart === 'variation' && !grouping ? 1 : 0);
  return [...Map.groupBy(broken, ({ rule, on }) => `${rule} ${on}`).values()].map((ofKey) => {
    const { rule, on } = ofKey[0]!;
    const hits = ofKey.map(({ index, length, value, limits }) => ({ index, length, value, detail: { limits } }));
    return trackOf({ kind: 'rule', rule, chart: on }, points, hits, changed, isOfRange(on));
  });
}

/** A group has the measurement and the time of its first member. */
function groupPoints({ values, idAt, timeAt }: JudgedPoints, { starts }: Grouping): JudgedPoints {
  const means = Float64Array.from({ length: starts.length - 1 }, (_, group) => {
    for (let i = starts[group]!; i < starts[group + 1]!; i += 1) if (!Number.isNaN(values[i]!)) return 0;
    return NaN;
  });
  return { values: means, idAt: (group) => idAt(starts[group]!), timeAt: (group) => timeAt(starts[group]!) };
}

/** Returns whether a group, named by its first measurement, has a changed member. */
function changedGroups({ idAt }: JudgedPoints, { starts }: Grouping, isChanged: IsChanged): IsChanged {
  const changed = new Set<number>();
  for (let group = 0; group + 1 < starts.length; group += 1) {
    for (let i = starts[group]!; i < starts[group + 1]!; i += 1) {
      if (!isChanged(idAt(i))) continue;
      changed.add(idAt(starts[group]!));
      break;
    }
  }
  return (id) => changed.has(id);
}

/** The number of groups without a newest one that has not all its members yet. */
export function completeGroups(values: Float64Array, { starts, sizes }: Grouping, ofValues: boolean): number {
  const last = sizes.length - 1;
  if (last < 0) return 0;
  let members = 0;
  for (let i = starts[last]!; i < starts[last + 1]!; i += 1) if (!ofValues || !Number.isNaN(values[i]!)) members += 1;
  return members < sizes[last]! ? last : last + 1;
}

/** Cuts a window into groups of a size; it begins with one. @param stageStarts indices at which a stage begins */
export function cutWindow(values: Float64Array, size: number, ofValues: boolean, stageStarts: readonly number[]): Grouping {
  return cutGroups(values, { by: 'size', size, of: ofValues ? 'values' : 'measurements' }, stageStarts);
}
