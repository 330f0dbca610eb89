/** Distribution functions of `@stdlib/stats-base-dists-*` under the names of this package. */
import binomial from '@stdlib/stats-base-dists-binomial-quantile';
import chisquare from '@stdlib/stats-base-dists-chisquare-quantile';
import cdf from '@stdlib/stats-base-dists-normal-cdf';
import logcdf from '@stdlib/stats-base-dists-normal-logcdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

/** Φ(z), the standard normal distribution. */
export const normalCdf = cdf.factory(0, 1);

/** ln Φ(z), also where Φ(z) is too small for a double. */
export const normalLogCdf = logcdf.factory(0, 1);

/** Φ⁻¹(p) for 0 < p < 1. */
export const normalQuantile = quantile.factory(0, 1);

/** The quantile of χ² with `degreesOfFreedom` > 0. */
export function chiSquareQuantile(probability: number, degreesOfFreedom: number): number {
  return chisquare(probability, degreesOfFreedom);
}

/** The smallest k such that at most k of the trials succeed with the probability or more. */
export function binomialQuantile(probability: number, trials: number, chance: number): number {
  return binomial(probability, trials, chance);
}
