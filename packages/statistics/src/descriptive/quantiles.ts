import { radixSort } from './radix-sort.ts';

/** Fewer values are sorted as fast by comparison. */
const MIN_RADIX_VALUES = 20_000;

/** Sorts the values themselves, ascending. @returns the part of them that is not missing (NaN), which comes first */
export function sortValues(values: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) values[count++] = values[i]!;
  const present = values.fill(NaN, count).subarray(0, count);
  if (count < MIN_RADIX_VALUES) present.sort();
  else radixSort(present);
  return present;
}

/**
 * The quantile of type 7 (Hyndman and Fan 1996): linear between the two closest ranks.
 * @param sorted ascending, at least one value
 * @param probability 0 to 1
 */
export function quantile(sorted: Float64Array, probability: number): number {
  const position = (sorted.length - 1) * probability;
  const index = Math.floor(position);
  const fraction = position - index;
  const lower = sorted[index]!;
  const upper = sorted[Math.min(index + 1, sorted.length - 1)]!;
  if (fraction === 0 || lower === upper) return lower;
  const width = upper - lower;
  const between = Number.isFinite(width) ? lower + width * fraction : lower * (1 - fraction) + upper * fraction;
  return Math.min(upper, Math.max(lower, between));
}
