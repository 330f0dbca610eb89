import { momentsOf, type Moments } from '../descriptive/moments.ts';
import { normalLogCdf } from '../distributions.ts';

export interface AndersonDarling {
  /** A². */
  readonly statistic: number;
  /** A²·(1 + 0.75/n + 2.25/n²), for mean and spread that are estimated. */
  readonly adjusted: number;
  readonly pValue: number;
}

export const MIN_VALUES_FOR_NORMALITY = 8;

/** The approximation of the p value would rise again beyond this adjusted statistic. */
const MAX_ADJUSTED = 13;

/**
 * Tests whether values may come from a normal distribution (Anderson and Darling 1954; p value after Stephens 1986).
 * @param sorted ascending
 * @param moments of the same values, where they are known
 * @returns undefined below 8 values and where all values are equal
 */
export function andersonDarling(sorted: Float64Array, moments: Moments | undefined = momentsOf(sorted)): AndersonDarling | undefined {
  const count = sorted.length;
  if (count < MIN_VALUES_FOR_NORMALITY || !moments?.standardDeviation) return undefined;
  const { mean, standardDeviation } = moments;
  let sum = 0;
  for (let start = 0, end = 0; start < count; start = end) {
    // Measured values have few digits, so that many are equal: their weights 2i − 1 are added up.
    while (end < count && sorted[end] === sorted[start]) end++;
    const score = (sorted[start]! - mean) / standardDeviation;
    const fromBelow = (end - start) * ((start + end) / count);
    const fromAbove = (end - start) * ((2 * count - start - end) / count);
    sum += fromBelow * normalLogCdf(score) + fromAbove * normalLogCdf(-score);
  }
  const statistic = -count - sum;
  const adjusted = statistic * (1 + 0.75 / count + 2.25 / (count * count));
  if (!Number.isFinite(adjusted)) return undefined;
  return { statistic, adjusted, pValue: andersonDarlingPValue(adjusted) };
}

/** The p value of an adjusted statistic (Stephens 1986, table 4.9). */
export function andersonDarlingPValue(statistic: number): number {
  const adjusted = Math.min(statistic, MAX_ADJUSTED);
  if (adjusted < 0.2) return Math.max(0, 1 - Math.exp(-13.436 + 101.14 * adjusted - 223.73 * adjusted ** 2));
  if (adjusted < 0.34) return 1 - Math.exp(-8.318 + 42.796 * adjusted - 59.938 * adjusted ** 2);
  if (adjusted < 0.6) return Math.exp(0.9177 - 4.279 * adjusted - 1.38 * adjusted ** 2);
  return Math.exp(1.2937 - 5.709 * adjusted + 0.0186 * adjusted ** 2);
}
