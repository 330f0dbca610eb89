/** Passes over many values, of which some may be missing (NaN) and many are equal. */

export function countOf(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) count++;
  return count;
}

/** Slots of results; a power of two. */
const SLOTS = 2 ** 16;

/** Fewer values are mapped faster than slots are made. */
const MIN_REMEMBERED_VALUES = 20_000;

/**
 * Maps values; a missing one stays missing.
 * Measured values have few digits, so of many the results are kept and most are found there; another value with the same slot takes it.
 */
export function mapMeasured(values: Float64Array, map: (value: number) => number): Float64Array {
  const mapped = new Float64Array(values.length);
  if (values.length < MIN_REMEMBERED_VALUES) {
    for (let i = 0; i < values.length; i++) mapped[i] = Number.isNaN(values[i]!) ? NaN : map(values[i]!);
    return mapped;
  }
  const keys = new Float64Array(SLOTS).fill(NaN);
  const results = new Float64Array(SLOTS);
  const halves = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const slot = slotOf(halves[2 * i]!, halves[2 * i + 1]!);
    if (keys[slot] !== value) {
      keys[slot] = value;
      results[slot] = Number.isNaN(value) ? NaN : map(value);
    }
    mapped[i] = results[slot]!;
  }
  return mapped;
}

/** Mixes the bits of a double, of which those in the middle differ between measured values. */
function slotOf(low: number, high: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) & (SLOTS - 1);
}
