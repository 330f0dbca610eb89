import { boxPlot, type BoxPlot } from '../descriptive/box-plot.ts';
import { momentsOf, type Moments } from '../descriptive/moments.ts';
import { sortValues } from '../descriptive/quantiles.ts';

/** Most groups that are told apart; the others are one. */
export const MAX_GROUPS = 100;

/** The values of one key, or of all keys that are not told apart. */
export interface KeyedGroup {
  /** Absent in the group of the others. */
  readonly key?: number;
  /** Number of keys that the group of the others joins; absent in any other group. */
  readonly others?: number;
  /** Index of its first value. */
  readonly first: number;
  readonly count: number;
}

/** Which group each value belongs to. */
export interface GroupAssignment {
  /** Index of the group of each value; −1 for a missing value. */
  readonly indexes: Int32Array;
  readonly groups: readonly KeyedGroup[];
}

export interface GroupOptions {
  readonly most?: number;
  /** Which keys are told apart where there are too many: those with the most values, or those that come last. */
  readonly apart?: 'largest' | 'last';
}

/**
 * Assigns values to groups by their key, in the order in which keys first come; keys beyond `most` groups are one group at the end.
 * @param values NaN for a missing value, which belongs to no group
 * @param keys from 0 on, such as indices of a list of texts; a negative one stands for a measurement without the attribute
 */
export function assignGroups(
  values: Float64Array,
  keys: Int32Array,
  { most = MAX_GROUPS, apart = 'largest' }: GroupOptions = {},
): GroupAssignment {
  const found = new Map<number, { key: number; first: number; count: number }>();
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    const group = found.get(keys[i]!);
    if (group) group.count++;
    else found.set(keys[i]!, { key: keys[i]!, first: i, count: 1 });
  }
  const all = [...found.values()];
  const told = all.length <= most ? all : toldApart(all, most - 1, apart);
  const isTold = new Set(told);
  const groups: KeyedGroup[] = all.filter((group) => isTold.has(group));
  const others = all.filter((group) => !isTold.has(group));
  if (others.length > 0) {
    const count = others.reduce((sum, group) => sum + group.count, 0);
    groups.push({ others: others.length, first: others[0]!.first, count });
  }
  const indexOf = new Map(groups.map(({ key }, index) => [key, index]));
  const indexes = Int32Array.from(values, (value, i) => (Number.isNaN(value) ? -1 : (indexOf.get(keys[i]) ?? groups.length - 1)));
  return { indexes, groups };
}

function toldApart<G extends { readonly count: number }>(groups: readonly G[], most: number, apart: 'largest' | 'last'): readonly G[] {
  return apart === 'last' ? groups.slice(-most) : groups.toSorted((a, b) => b.count - a.count).slice(0, most);
}

/** Divides values by their groups, in the order of measurement. */
export function valuesOfGroups(values: Float64Array, { indexes, groups }: GroupAssignment): Float64Array[] {
  const divided = groups.map(({ count }) => new Float64Array(count));
  const filled = new Uint32Array(groups.length);
  for (let i = 0; i < values.length; i++) {
    const group = indexes[i]!;
    if (group >= 0) divided[group]![filled[group]!++] = values[i]!;
  }
  return divided;
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
