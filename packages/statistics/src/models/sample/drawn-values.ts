import { randomNumbers } from './random-numbers.ts';

/** A model is fitted to at most this many values. */
export const MAX_FITTED_VALUES = 20_000;

const DRAW_SEED = 20261125;

/**
 * Draws one value at random from each of equal blocks of neighbours; the same for the same values.
 * @param values without missing ones
 * @returns the values themselves where there are no more than `size`
 */
export function drawFromBlocks(values: Float64Array, size: number): Float64Array {
  const count = values.length;
  if (count <= size) return values;
  const random = randomNumbers(DRAW_SEED);
  const drawn = new Float64Array(size);
  for (let block = 0; block < size; block++) {
    const from = Math.floor((block * count) / size);
    const to = Math.floor(((block + 1) * count) / size);
    drawn[block] = values[from + Math.floor(random() * (to - from))]!;
  }
  return drawn;
}
