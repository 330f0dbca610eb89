/** Most measurements of one group; a longer run of one attribute value is cut. */
export const MAX_GROUP_SIZE = 500;

/** How the measurements of a characteristic are cut into groups. */
export type GroupingRule =
  /** Groups of `size` measurements, or of `size` values where measurements without a value are no members. */
  | { readonly by: 'size'; readonly size: number; readonly of: 'measurements' | 'values' }
  /** Consecutive measurements with the same key, which stands for the value of an attribute. */
  | { readonly by: 'key'; readonly keys: Int32Array };

/** Consecutive groups of the measurements of one characteristic. */
export interface Grouping {
  /** Index of the first measurement of each group, and at the end the number of measurements. */
  readonly starts: Uint32Array;
  /** Number of values of each group when it is complete. */
  readonly sizes: Uint16Array;
}

/**
 * Cuts all measurements of a characteristic into groups, before any value is left out.
 * A group keeps its members when values are excluded or a range is selected afterwards, so limits do not depend on the selection.
 * @param values in the order of measurement, NaN for a measurement without a value
 * @param stageStarts ascending indices at which a stage begins: a new group begins there
 * @throws RangeError unless a size is a whole number from 1 to {@link MAX_GROUP_SIZE}
 */
export function cutGroups(values: Float64Array, rule: GroupingRule, stageStarts: readonly number[] = []): Grouping {
  if (rule.by === 'size' && !(Number.isInteger(rule.size) && rule.size >= 1 && rule.size <= MAX_GROUP_SIZE)) {
    throw new RangeError(`The size of a subgroup must be a whole number from 1 to ${MAX_GROUP_SIZE}, not ${rule.size}.`);
  }
  const length = values.length;
  const starts = new Uint32Array(length + 1);
  const sizes = new Uint16Array(length);
  let count = 0;
  let members = 0;
  let stage = 0;
  for (let i = 0; i < length; i++) {
    const isMember = rule.by === 'key' || rule.of === 'measurements' || !Number.isNaN(values[i]!);
    while (stage < stageStarts.length && stageStarts[stage]! < i) stage++;
    const isFirst = i === 0 || stageStarts[stage] === i || beginsGroup(rule, i, members, isMember);
    if (isFirst) {
      if (i > 0) sizes[count - 1] = rule.by === 'key' ? members : rule.size;
      starts[count++] = i;
      members = 0;
    }
    if (isMember) members++;
  }
  if (count > 0) sizes[count - 1] = rule.by === 'key' ? members : rule.size;
  starts[count] = length;
  return { starts: starts.slice(0, count + 1), sizes: sizes.slice(0, count) };
}

function beginsGroup(rule: GroupingRule, index: number, members: number, isMember: boolean): boolean {
  if (rule.by === 'size') return isMember && members === rule.size;
  return rule.keys[index] !== rule.keys[index - 1] || members === MAX_GROUP_SIZE;
}

/**
 * The groups that have a member from `first` up to `end`: a range takes whole groups.
 * @returns index of the first group and of the one after the last
 */
export function groupsInRange({ starts }: Grouping, first: number, end: number): [number, number] {
  const groups = starts.length - 1;
  if (end <= first || groups === 0) return [0, 0];
  return [groupAt(starts, first), Math.min(groups, groupAt(starts, end - 1) + 1)];
}

/** The group that holds the measurement. */
function groupAt(starts: Uint32Array, index: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= index) low = middle;
    else high = middle;
  }
  return low;
}

/** Figures of groups by index; NaN where a group has too few values for one. Ranges and deviations may exceed a double. */
export interface GroupFigures {
  readonly counts: Uint16Array;
  readonly means: Float64Array;
  /** NaN for a group of fewer than two values. */
  readonly ranges: Float64Array;
  /** NaN for a group of fewer than two values. */
  readonly deviations: Float64Array;
  /** Number of groups with a value, and of those in which one is missing or left out. */
  readonly filled: number;
  readonly incomplete: number;
  /** The number of values of the largest group. */
  readonly largest: number;
}

/**
 * Computes the figures of groups, or of a range of them.
 * @param values in the order of measurement; NaN is a missing or excluded value
 */
export function groupFigures(
  values: Float64Array,
  { starts, sizes }: Grouping,
  [from, to]: readonly [number, number] = [0, sizes.length],
): GroupFigures {
  const length = Math.max(0, to - from);
  const counts = new Uint16Array(length);
  const [means, ranges, deviations] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  let [filled, incomplete, largest] = [0, 0, 0];
  for (let i = 0; i < length; i++) {
    const group = from + i;
    const count = addGroup(values, starts[group]!, starts[group + 1]!, i, means, ranges, deviations);
    counts[i] = count;
    if (count === 0) continue;
    filled++;
    if (count < sizes[group]!) incomplete++;
    if (count > largest) largest = count;
  }
  return { counts, means, ranges, deviations, filled, incomplete, largest };
}

function addGroup(
  values: Float64Array,
  start: number,
  end: number,
  at: number,
  means: Float64Array,
  ranges: Float64Array,
  deviations: Float64Array,
): number {
  let [count, minimum, maximum, origin, mean, squares] = [0, Infinity, -Infinity, 0, 0, 0];
  for (let i = start; i < end; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    count++;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    // Differences from the first value are exact where values are large and close to each other.
    if (count === 1) origin = value;
    const difference = value - origin;
    const step = (difference - mean) / count;
    mean += step;
    squares += step * step * count * (count - 1);
  }
  means[at] = count === 0 ? NaN : Number.isFinite(mean) ? origin + mean : meanOfLarge(values, start, end, count);
  ranges[at] = count < 2 ? NaN : maximum - minimum;
  deviations[at] = count < 2 ? NaN : Math.sqrt(squares / (count - 1));
  return count;
}

/** The mean of values whose differences exceed a double. */
function meanOfLarge(values: Float64Array, start: number, end: number, count: number): number {
  let mean = 0;
  for (let i = start; i < end; i++) if (!Number.isNaN(values[i]!)) mean += values[i]! / count;
  return mean;
}

/** Control limits judge incomplete groups by their own size; above this share of them, a note is due. */
const MAX_INCOMPLETE_SHARE = 1 / 5;

/** Whether so many groups are incomplete that their number must be told. */
export function areManyIncomplete({ filled, incomplete }: Pick<GroupFigures, 'filled' | 'incomplete'>): boolean {
  return incomplete > MAX_INCOMPLETE_SHARE * filled;
}
