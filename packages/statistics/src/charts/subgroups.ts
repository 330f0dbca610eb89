import { momentsOf } from '../descriptive/moments.ts';

/** Consecutive values of a process that belong together. */
export interface Subgroup {
  /** Index of the first value among all values, and how many follow. */
  readonly start: number;
  readonly count: number;
  readonly mean: number;
  readonly range: number;
  /** Absent in a subgroup with one value. */
  readonly standardDeviation?: number;
  /** Whether it has the full size and no value is missing; only complete subgroups count for limits. */
  readonly complete: boolean;
}

/**
 * Divides values into consecutive subgroups of `size`; the last one may be smaller.
 * @param values in the order of measurement; NaN is a missing value
 */
export function subgroupsOf(values: Float64Array, size: number): Subgroup[] {
  const subgroups: Subgroup[] = [];
  for (let start = 0; start < values.length; start += size) {
    const members = values.subarray(start, start + size);
    const moments = momentsOf(members);
    if (!moments) continue;
    subgroups.push({
      start,
      count: moments.count,
      mean: moments.mean,
      range: moments.maximum - moments.minimum,
      ...(moments.standardDeviation === undefined ? {} : { standardDeviation: moments.standardDeviation }),
      complete: moments.count === size,
    });
  }
  return subgroups;
}
