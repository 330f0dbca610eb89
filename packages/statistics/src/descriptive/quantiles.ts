/** Sorts the values themselves, ascending. @returns the part of them that is not missing (NaN) */
export function sortValues(values: Float64Array): Float64Array {
  // The order of numbers puts NaN last.
  values.sort();
  let count = values.length;
  while (count > 0 && Number.isNaN(values[count - 1])) count -= 1;
  return values.subarray(0, count);
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
