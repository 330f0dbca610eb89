/** Distribution functions of `@stdlib/stats-base-dists-*` under the names of this package. */
import { createRequire } from 'node:module';
import type binomial from '@stdlib/stats-base-dists-binomial-quantile';
import type chisquare from '@stdlib/stats-base-dists-chisquare-quantile';
import type cdf from '@stdlib/stats-base-dists-normal-cdf';
import type logcdf from '@stdlib/stats-base-dists-normal-logcdf';
import type quantile from '@stdlib/stats-base-dists-normal-quantile';

/** Loads a library at its first use: they have more than 300 files, and most processes that import this package calculate nothing. */
const require = createRequire(import.meta.url);

function lazy<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= load());
}

const standardCdf = lazy(() => (require('@stdlib/stats-base-dists-normal-cdf') as typeof cdf).factory(0, 1));
const standardLogCdf = lazy(() => (require('@stdlib/stats-base-dists-normal-logcdf') as typeof logcdf).factory(0, 1));
const standardQuantile = lazy(() => (require('@stdlib/stats-base-dists-normal-quantile') as typeof quantile).factory(0, 1));
const chiSquare = lazy(() => require('@stdlib/stats-base-dists-chisquare-quantile') as typeof chisquare);
const binomialDistribution = lazy(() => require('@stdlib/stats-base-dists-binomial-quantile') as typeof binomial);

/** Φ(z), the standard normal distribution. */
export function normalCdf(z: number): number {
  return standardCdf()(z);
}

/** ln Φ(z), also where Φ(z) is too small for a double. */
export function normalLogCdf(z: number): number {
  return standardLogCdf()(z);
}

/** Below this probability stdlib, which computes from 2p − 1, loses digits. */
const SMALL_PROBABILITY = 1e-3;

/** Φ⁻¹(p) for 0 < p < 1, exact also for the smallest probabilities. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0) || probability >= SMALL_PROBABILITY) return standardQuantile()(probability);
  const logarithm = Math.log(probability);
  let z = -Math.sqrt(-2 * logarithm);
  // Newton's method for ln Φ, which is concave, so every step comes closer; its slope is φ / Φ.
  for (let i = 0; i < 20; i++) {
    const logCdf = normalLogCdf(z);
    const step = (logCdf - logarithm) * Math.exp(logCdf + (z * z) / 2) * Math.sqrt(2 * Math.PI);
    z -= step;
    if (Math.abs(step) < 1e-14 * -z) break;
  }
  return z;
}

/** The quantile of χ² with `degreesOfFreedom` > 0. */
export function chiSquareQuantile(probability: number, degreesOfFreedom: number): number {
  return chiSquare()(probability, degreesOfFreedom);
}

/** The smallest k such that at most k of the trials succeed with the probability or more. */
export function binomialQuantile(probability: number, trials: number, chance: number): number {
  return binomialDistribution()(probability, trials, chance);
}
