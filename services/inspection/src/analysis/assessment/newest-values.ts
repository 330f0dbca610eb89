import type { SpecificationLimits } from '@sinebar/statistics';

/** Newest values of a characteristic that the order of tables looks at, and from which changes of its status are first listed. */
export const NEWEST_VALUES = 25;

/** Counts the values out of tolerance among the newest ones. @param values oldest first, NaN for a missing one */
export function newestOutOfTolerance(
  values: Float64Array,
  { lowerTolerance = -Infinity, upperTolerance = Infinity }: SpecificationLimits,
): number {
  let [left, out] = [NEWEST_VALUES, 0];
  for (let i = values.length - 1; i >= 0 && left > 0; i -= 1) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    left -= 1;
    if (value < lowerTolerance || value > upperTolerance) out += 1;
  }
  return out;
}
