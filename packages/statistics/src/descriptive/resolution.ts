/** More decimals than this are noise of computed values, not the resolution of a gauge. */
const MAX_DECIMALS = 9;

/** A value is a multiple of the resolution when it misses one by at most this many units in the last place. */
const TOLERANCE_ULPS = 4;

/**
 * The number of decimals that the values were recorded with.
 * @returns 0 for whole numbers, at most 9, and undefined where values have no common resolution
 */
export function decimalsOf(values: Float64Array): number | undefined {
  let decimals = 0;
  let factor = 1;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    while (!isMultiple(value, factor)) {
      decimals++;
      factor *= 10;
      if (decimals > MAX_DECIMALS) return undefined;
    }
  }
  return decimals;
}

function isMultiple(value: number, factor: number): boolean {
  const scaled = value * factor;
  // Beyond 2^53 neighbouring doubles are further apart than whole numbers.
  if (Math.abs(scaled) > Number.MAX_SAFE_INTEGER) return false;
  return Math.abs(scaled - Math.round(scaled)) <= Math.min(Math.abs(scaled) * Number.EPSILON * TOLERANCE_ULPS, 0.01);
}
