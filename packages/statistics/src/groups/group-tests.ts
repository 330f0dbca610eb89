import { momentsOf } from '../descriptive/moments.ts';
import { quantile, sortValues } from '../descriptive/quantiles.ts';
import { fSurvival } from '../probabilities.ts';

/** A test of differences between groups. */
export interface GroupTest {
  readonly statistic: number;
  /** Degrees of freedom of the F distribution. */
  readonly df1: number;
  readonly df2: number;
  readonly pValue: number;
}

export interface WelchTest extends GroupTest {
  /** Share of the variance of all values that the means of the groups explain. */
  readonly explained: number;
}

/**
 * Welch's analysis of variance: whether means differ, where spreads may differ, too (Welch 1951).
 * Groups without spread or of one value are left out, because they have no weight in it.
 * @param groups values without missing ones
 * @returns undefined with fewer than two groups that count
 */
export function welchTest(groups: readonly Float64Array[]): WelchTest | undefined {
  const shifted = aroundOrigin(groups);
  const counted: Spread[] = [];
  for (const group of shifted) {
    const moments = momentsOf(group);
    if (!moments?.standardDeviation) continue;
    counted.push({ count: moments.count, mean: moments.mean, variance: moments.standardDeviation ** 2 });
  }
  const size = counted.length;
  if (size < 2) return undefined;
  const weights = counted.map(({ count, variance }) => count / variance);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const center = counted.reduce((sum, { mean }, i) => sum + (weights[i]! / total) * mean, 0);
  const between = counted.reduce((sum, { mean }, i) => sum + weights[i]! * (mean - center) ** 2, 0) / (size - 1);
  const doubt = counted.reduce((sum, { count }, i) => sum + (1 - weights[i]! / total) ** 2 / (count - 1), 0);
  const statistic = between / (1 + ((2 * (size - 2)) / (size * size - 1)) * doubt);
  const df2 = (size * size - 1) / (3 * doubt);
  if (!Number.isFinite(statistic)) return undefined;
  return { statistic, df1: size - 1, df2, pValue: fSurvival(statistic, size - 1, df2), explained: explainedShare(shifted) };
}

/** Differences from one value, which are exact where values are large and close to each other. */
function aroundOrigin(groups: readonly Float64Array[]): Float64Array[] {
  const origin = groups.find((group) => group.length > 0)?.[0] ?? 0;
  return groups.map((group) => group.map((value) => value - origin));
}

interface Spread {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/** Squares between the groups by all squares, of all groups with values. */
function explainedShare(groups: readonly Float64Array[]): number {
  const { between, within } = squaresOf(groups);
  return between + within === 0 ? 0 : between / (between + within);
}

/**
 * Brown and Forsythe's test whether spreads differ: an analysis of variance of the distances from the median of each group (1974).
 * @param groups values without missing ones
 * @returns undefined with fewer than two groups with values, and without distances that vary
 */
export function brownForsytheTest(groups: readonly Float64Array[]): GroupTest | undefined {
  const shifted = aroundOrigin(groups).filter((group) => group.length > 0);
  const distances = shifted.map(distancesFromMedian);
  const count = distances.reduce((sum, { length }) => sum + length, 0);
  const [df1, df2] = [distances.length - 1, count - distances.length];
  if (df1 < 1 || df2 < 1) return undefined;
  const { between, within } = squaresOf(distances);
  // Both values of a pair have the same distance, but for rounding.
  if (within <= count * roundingOf(shifted) ** 2) return undefined;
  const statistic = between / df1 / (within / df2);
  if (!Number.isFinite(statistic)) return undefined;
  return { statistic, df1, df2, pValue: fSurvival(statistic, df1, df2) };
}

/** The largest error of a distance from the median. */
function roundingOf(groups: readonly Float64Array[]): number {
  let largest = 0;
  for (const group of groups) for (const value of group) largest = Math.max(largest, Math.abs(value));
  return 4 * Number.EPSILON * largest;
}

function distancesFromMedian(group: Float64Array): Float64Array {
  const median = quantile(sortValues(group.slice()), 0.5);
  return group.map((value) => Math.abs(value - median));
}

/** Sums of squares of the means of groups around the common mean, and of values around the mean of their group. */
function squaresOf(groups: readonly Float64Array[]): { between: number; within: number } {
  const moments = groups.flatMap((group) => momentsOf(group) ?? []);
  const count = moments.reduce((sum, group) => sum + group.count, 0);
  const center = moments.reduce((sum, group) => sum + (group.count / count) * group.mean, 0);
  let [between, within] = [0, 0];
  for (const { count: n, mean, standardDeviation = 0 } of moments) {
    between += n * (mean - center) ** 2;
    within += (n - 1) * standardDeviation ** 2;
  }
  return { between, within };
}
