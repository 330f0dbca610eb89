/**
 * Finds the values farthest out, one after another: each is the smallest or the largest one that is left.
 * @param values NaN for a missing one
 * @param most no more than half of the values
 * @param distance grows on each side of the middle; it is asked anew for each value that is found
 * @returns indices
 */
export function* farthestOut(values: Float64Array, most: number, distance: (value: number) => number): Generator<number> {
  if (most < 1) return;
  const { lowest, highest } = extremeIndices(values, most);
  let [low, high] = [0, 0];
  while (low + high < Math.min(most, lowest.length)) {
    const isLow = distance(values[lowest[low]!]!) > distance(values[highest[high]!]!);
    yield isLow ? lowest[low++]! : highest[high++]!;
  }
}

/** Indices of the smallest and of the largest values, the outermost first. */
function extremeIndices(values: Float64Array, most: number): { readonly lowest: readonly number[]; readonly highest: readonly number[] } {
  const [lowest, highest]: [number[], number[]] = [[], []];
  // Once as many are found as are wanted, nearly all values are between these bounds.
  let [lowestBound, highestBound] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < lowestBound) lowestBound = insert(lowest, values, i, { most, sign: 1 });
    if (values[i]! > highestBound) highestBound = insert(highest, values, i, { most, sign: -1 });
  }
  return { lowest, highest };
}

/**
 * Inserts an index into a list that ascends with `sign`, and drops the one beyond `most`.
 * @returns the bound beyond which further values have no index in the list
 */
function insert(
  indices: number[],
  values: Float64Array,
  index: number,
  { most, sign }: { readonly most: number; readonly sign: 1 | -1 },
): number {
  const after = indices.findIndex((other) => values[other]! * sign > values[index]! * sign);
  indices.splice(after < 0 ? indices.length : after, 0, index);
  if (indices.length > most) indices.pop();
  return indices.length < most ? sign * Infinity : values[indices.at(-1)!]!;
}
