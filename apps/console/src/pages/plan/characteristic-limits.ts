import type { Fields } from '../../quality/editing/draft';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { limitsFrom } from '../../quality/values/limits';

const { nominal, lowerTolerance, upperTolerance, lowerDeviation, upperDeviation, lowerWarning, upperWarning, unit, target } =
  CHARACTERISTIC_KEYS;

/** Attributes that a characteristic is judged by; they are offered also without a value. */
export const IMPORTANT: readonly number[] = [nominal, lowerTolerance, upperTolerance, lowerWarning, upperWarning, unit];

/** Attributes without which a characteristic cannot be described. */
export const ALWAYS_OFFERED: readonly number[] = [nominal, lowerTolerance, upperTolerance, unit];

/** Attributes whose number has the unit of the characteristic. */
export const HAS_UNIT: ReadonlySet<number> = new Set([
  target,
  nominal,
  lowerTolerance,
  upperTolerance,
  lowerDeviation,
  upperDeviation,
  lowerWarning,
  upperWarning,
]);

/** Whether a lower limit lies above its upper one. */
export function crossedLimits(fields: Fields): boolean {
  const limits = limitsFrom(fields);
  const isCrossed = (lower: number | undefined, upper: number | undefined) => lower !== undefined && upper !== undefined && lower > upper;
  return isCrossed(limits.lowerTolerance, limits.upperTolerance) || isCrossed(limits.lowerWarning, limits.upperWarning);
}
