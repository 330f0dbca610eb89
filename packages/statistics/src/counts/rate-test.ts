import { chiSquareSurvival } from '../probabilities.ts';
import { isOfParts, type CountChart } from './count-chart.ts';

/** A test whether the rates of groups differ. */
export interface RateTest {
  readonly statistic: number;
  /** Degrees of freedom of χ². */
  readonly df: number;
  readonly pValue: number;
  /** Smallest count that a group is expected to have; below 5 the p value is rough. */
  readonly smallestExpected: number;
}

/**
 * Pearson's test of homogeneity: Σ (count − expected)² / variance, by the binomial distribution of parts or the Poisson one of errors.
 * @param groups charts of one type with the sums of their samples
 * @returns undefined with fewer than two groups, and where no part or every part is nonconforming
 */
export function rateTest(groups: readonly Pick<CountChart, 'type' | 'total'>[]): RateTest | undefined {
  const [first] = groups;
  if (!first || groups.length < 2) return undefined;
  const [count, size] = [sum(groups.map(({ total }) => total.count)), sum(groups.map(({ total }) => total.size))];
  const rate = count / size;
  const areParts = isOfParts(first.type);
  const variance = areParts ? rate * (1 - rate) : rate;
  if (!(variance > 0)) return undefined;
  const statistic = sum(groups.map(({ total }) => (total.count - total.size * rate) ** 2 / (total.size * variance)));
  const smallest = Math.min(...groups.map(({ total }) => total.size)) * (areParts ? Math.min(rate, 1 - rate) : rate);
  return { statistic, df: groups.length - 1, pValue: chiSquareSurvival(statistic, groups.length - 1), smallestExpected: smallest };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
