/** Tests of groups and charts of counts of a second implementation. */
import { deviation, mean, quantile, squares, sum } from './descriptive.fixture.ts';
import { binomialShares, fSurvival, invert, normalQuantile, poissonShares } from './distributions.fixture.ts';

type Groups = readonly (readonly number[])[];

/** Welch (1951), of groups that vary. */
export function welch(groups: Groups) {
  const k = groups.length;
  const weights = groups.map((group) => group.length / deviation(group) ** 2);
  const total = sum(weights);
  const center = sum(groups.map((group, i) => weights[i]! * mean(group))) / total;
  const numerator = sum(groups.map((group, i) => weights[i]! * (mean(group) - center) ** 2)) / (k - 1);
  const doubt = sum(groups.map((group, i) => (1 - weights[i]! / total) ** 2 / (group.length - 1)));
  const statistic = numerator / (1 + ((2 * (k - 2)) / (k ** 2 - 1)) * doubt);
  const df2 = (k ** 2 - 1) / 3 / doubt;
  const explained = 1 - sum(groups.map(squares)) / squares(groups.flat());
  return { statistic, df1: k - 1, df2, pValue: fSurvival(statistic, k - 1, df2), explained };
}

/** The analysis of variance of distances from the median of each group. */
export function brownForsythe(groups: Groups) {
  const distances = groups.map((group) => group.map((value) => Math.abs(value - quantile(group, 0.5))));
  const within = sum(distances.map(squares));
  const between = squares(distances.flat()) - within;
  const [df1, df2] = [groups.length - 1, groups.flat().length - groups.length];
  const statistic = between / df1 / (within / df2);
  return { statistic, df1, df2, pValue: fSurvival(statistic, df1, df2) };
}

export interface Sample {
  readonly count: number;
  readonly size: number;
}

/** Rate, limits of a sample, and exact interval; `isOfParts` where parts are counted and not nonconformities. */
export function countsOf(samples: readonly Sample[], isOfParts: boolean, isLaney: boolean) {
  const [count, size] = [sum(samples.map((sample) => sample.count)), sum(samples.map((sample) => sample.size))];
  const rate = count / size;
  const variance = isOfParts ? rate * (1 - rate) : rate;
  const z = samples.map((sample) => (sample.count / sample.size - rate) / Math.sqrt(variance / sample.size));
  const sigmaZ = isLaney ? mean(z.slice(1).map((one, i) => Math.abs(one - z[i]!))) / 1.128 : 1;
  const limitsOfShare = (n: number) => {
    const reach = 3 * sigmaZ * Math.sqrt(variance / n);
    return [Math.max(0, rate - reach), isOfParts ? Math.min(1, rate + reach) : rate + reach] as const;
  };
  const shares = (chance: number) => (isOfParts ? binomialShares(size, chance) : poissonShares(chance * size));
  const atMost = (chance: number) => sum(shares(chance).slice(0, count + 1));
  const atLeast = (chance: number) => sum(shares(chance).slice(count));
  const most = isOfParts ? 1 : (3 * count + 60) / size;
  const interval = (confidence: number) => [
    count === 0 ? 0 : invert(atLeast, (1 - confidence) / 2, 1e-12, most),
    isOfParts && count === size ? 1 : invert((chance) => -atMost(chance), -(1 - confidence) / 2, 1e-12, most),
  ];
  return { rate, sigmaZ, limitsOfShare, interval };
}

/** Φ⁻¹ of the middle of the step of a count. */
export function scoreOfCount({ count, size }: Sample, rate: number, isOfParts: boolean): number {
  const shares = isOfParts ? binomialShares(size, rate) : poissonShares(rate * size);
  return normalQuantile(sum(shares.slice(0, count)) + shares[count]! / 2);
}
