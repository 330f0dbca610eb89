import { boxPlot, type BoxPlot } from '../descriptive/box-plot.ts';
import { momentsOf, type Moments } from '../descriptive/moments.ts';
import { sortValues } from '../descriptive/quantiles.ts';

/** Most groups that are told apart; the others are one. */
export const MAX_GROUPS = 100;

/** Values of one key, or of all keys that are not told apart. */
export interface KeyedGroup {
  /** Absent in the group of the others. */
  readonly key?: number;
  /** In the order of measurement, without missing ones. */
  readonly values: Float64Array;
}

/**
 * Divides values by their key, in the order in which keys first come; beyond `most` groups, the smallest ones are one at the end.
 * @param values NaN for a missing value, which belongs to no group
 * @param keys from 0 on, such as indices of a list of texts; a negative one stands for a measurement without the attribute
 */
export function groupByKey(values: Float64Array, keys: Int32Array, most = MAX_GROUPS): KeyedGroup[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i]!)) counts.set(keys[i]!, (counts.get(keys[i]!) ?? 0) + 1);
  }
  const ownKeys = counts.size <= most ? undefined : largestKeys(counts, most - 1);
  const groups = new Map<number | undefined, { values: Float64Array; filled: number }>();
  let others = 0;
  for (const [key, count] of counts) {
    if (!ownKeys || ownKeys.has(key)) groups.set(key, { values: new Float64Array(count), filled: 0 });
    else others += count;
  }
  if (others > 0) groups.set(undefined, { values: new Float64Array(others), filled: 0 });
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    const group = groups.get(keys[i]) ?? groups.get(undefined)!;
    group.values[group.filled++] = values[i]!;
  }
  return Array.from(groups, ([key, group]) => ({ ...(key !== undefined && { key }), values: group.values }));
}

function largestKeys(counts: ReadonlyMap<number, number>, most: number): Set<number> {
  const bySize = [...counts].sort(([, a], [, b]) => b - a);
  return new Set(bySize.slice(0, most).map(([key]) => key));
}

/** Location, spread and box of one group. */
export interface KeyedGroupFigures extends Moments {
  readonly box: BoxPlot;
}

/** @returns undefined without values */
export function figuresOfGroup(values: Float64Array): KeyedGroupFigures | undefined {
  const moments = momentsOf(values);
  return moments && { ...moments, box: boxPlot(sortValues(values.slice())) };
}
