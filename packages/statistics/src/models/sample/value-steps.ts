import { decimalsOf } from '../../descriptive/resolution.ts';
import { randomNumbers } from './random-numbers.ts';

const SPREAD_SEED = 20261125;

/** Fewer different values say nothing about the step of a gauge. */
const MIN_DIFFERENT_VALUES = 3;

/**
 * Finds the step of a gauge: the largest one of which all values are multiples apart from each other.
 * @param sorted ascending, without missing values
 * @returns undefined where values have no common step, as computed ones do
 */
export function stepOf(sorted: Float64Array): number | undefined {
  const decimals = decimalsOf(sorted);
  if (decimals === undefined) return undefined;
  const factor = 10 ** decimals;
  let divisor = 0;
  let different = 1;
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] === sorted[i - 1]) continue;
    different++;
    divisor = greatestCommonDivisor(divisor, Math.round((sorted[i]! - sorted[i - 1]!) * factor));
    if (divisor === 1) break;
  }
  return (different < MIN_DIFFERENT_VALUES || divisor === 0 ? 1 : divisor) / factor;
}

function greatestCommonDivisor(first: number, second: number): number {
  let [a, b] = [first, second];
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

/** The natural ends of values. */
export interface Boundaries {
  readonly lower?: number | undefined;
  readonly upper?: number | undefined;
}

/**
 * Spreads each value evenly within its step, at a boundary within the half step beside it; the same for the same values.
 * @param values in the order of measurement, NaN for a missing one, which stays missing
 */
export function spreadWithinSteps(values: Float64Array, step: number, boundaries: Boundaries): Float64Array {
  const random = randomNumbers(SPREAD_SEED);
  return values.map((value) => {
    const part = random();
    if (value === boundaries.lower) return value + (part * step) / 2;
    if (value === boundaries.upper) return value - (part * step) / 2;
    const spread = value + (part - 0.5) * step;
    return isWithin(spread, boundaries) ? spread : value;
  });
}

function isWithin(value: number, { lower = -Infinity, upper = Infinity }: Boundaries): boolean {
  return value > lower && value < upper;
}

/** Moves values at a boundary by half a step, because no model with a boundary allows them. */
export function moveFromBoundaries(values: Float64Array, step: number, { lower, upper }: Boundaries): Float64Array {
  if (lower === undefined && upper === undefined) return values;
  return values.map((value) => {
    if (value === lower) return value + step / 2;
    return value === upper ? value - step / 2 : value;
  });
}
