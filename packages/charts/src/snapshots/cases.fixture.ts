import type { MeasuredCharacteristic } from './measured-characteristic.fixture.ts';

const LIMITS = { nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05, lowerWarning: 19.96, upperWarning: 20.04 };
const USUAL: MeasuredCharacteristic = { name: 'Gap left', unit: 'mm', limits: LIMITS, values: driftingValues(40) };

/** Characteristics that each chart draws: the usual one, and those at which a drawing may break. */
export const CASES = {
  usual: USUAL,
  'long-names': {
    ...USUAL,
    name: 'Distance of the upper hinge axis from the outer skin at reference point RPS 04 left front, second station',
    unit: 'micrometres below the datum',
  },
  // Sums of binary fractions have up to 17 digits.
  'full-precision': { ...USUAL, values: driftingValues(40).map((value, i) => value + (((i * 7919) % 101) - 50) / 299_999) },
  'no-limits': { ...USUAL, limits: {} },
  'upper-limit': { ...USUAL, limits: { upperTolerance: 20.05, lowerBoundary: 19.9 } },
  'one-value': { ...USUAL, values: [20.012] },
  'equal-values': { ...USUAL, values: Array.from({ length: 25 }, () => 20.01) },
  'no-values': { ...USUAL, values: [] },
  'far-value': { ...USUAL, values: [...driftingValues(40), 987.654] },
  '2000-points': { ...USUAL, values: driftingValues(2000) },
  buckets: { ...USUAL, values: driftingValues(5000), bucketSize: 20 },
} as const satisfies Record<string, MeasuredCharacteristic>;

/** Values with three decimal places around 20, which drift upwards in their last quarter. */
function driftingValues(count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    // Three multiples of primes modulo a prime add up to something like a normal distribution.
    const noise = [7919, 104_729, 1_299_709].reduce((sum, prime) => sum + ((i * prime + i * i) % 1009) / 1009 - 0.5, 0);
    const drift = Math.max(0, i / count - 0.75) * 0.16;
    return Number((20 + noise * 0.016 + drift).toFixed(3));
  });
}
