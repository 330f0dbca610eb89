/** Distribution functions of `@stdlib/stats-base-dists-*` under the names of this package. */
import { createRequire } from 'node:module';
import type digammaFunction from '@stdlib/math-base-special-digamma';
import type erfcInverse from '@stdlib/math-base-special-erfcinv';
import type gammaIncomplete from '@stdlib/math-base-special-gammainc';
import type gammaIncompleteInverse from '@stdlib/math-base-special-gammaincinv';
import type gammaLogarithm from '@stdlib/math-base-special-gammaln';
import type binomial from '@stdlib/stats-base-dists-binomial-quantile';
import type chisquare from '@stdlib/stats-base-dists-chisquare-quantile';
import type cdf from '@stdlib/stats-base-dists-normal-cdf';
import type logcdf from '@stdlib/stats-base-dists-normal-logcdf';
import type tCdf from '@stdlib/stats-base-dists-t-cdf';
import type tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { largeShapeTails, MIN_LARGE_SHAPE } from './large-gamma.ts';

/** Loads a library at its first use: they have more than 300 files, and most processes that import this package calculate nothing. */
const require = createRequire(import.meta.url);

function lazy<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= load());
}

const standardCdf = lazy(() => (require('@stdlib/stats-base-dists-normal-cdf') as typeof cdf).factory(0, 1));
const standardLogCdf = lazy(() => (require('@stdlib/stats-base-dists-normal-logcdf') as typeof logcdf).factory(0, 1));
const erfcinv = lazy(() => require('@stdlib/math-base-special-erfcinv') as typeof erfcInverse);
const chiSquare = lazy(() => require('@stdlib/stats-base-dists-chisquare-quantile') as typeof chisquare);
const binomialDistribution = lazy(() => require('@stdlib/stats-base-dists-binomial-quantile') as typeof binomial);
const digammaOf = lazy(() => require('@stdlib/math-base-special-digamma') as typeof digammaFunction);
const gammainc = lazy(() => require('@stdlib/math-base-special-gammainc') as typeof gammaIncomplete);
const gammaincinv = lazy(() => require('@stdlib/math-base-special-gammaincinv') as typeof gammaIncompleteInverse);
const gammaln = lazy(() => require('@stdlib/math-base-special-gammaln') as typeof gammaLogarithm);
const studentT = lazy(() => require('@stdlib/stats-base-dists-t-cdf') as typeof tCdf);
const studentTQuantile = lazy(() => require('@stdlib/stats-base-dists-t-quantile') as typeof tQuantile);

/** The part of a distribution below a value, or above it. */
export type Tail = 'lower' | 'upper';

/** Φ(z), the standard normal distribution. */
export function normalCdf(z: number): number {
  return standardCdf()(z);
}

/** ln Φ(z), also where Φ(z) is too small for a double. */
export function normalLogCdf(z: number): number {
  return standardLogCdf()(z);
}

/** Φ⁻¹(p) for 0 < p < 1, exact in the lower tail, where stdlib's quantile loses its digits below 1e-9. */
export function normalQuantile(probability: number): number {
  return 0 - Math.SQRT2 * erfcinv()(2 * probability);
}

/** The quantile of χ² with `degreesOfFreedom` > 0. */
export function chiSquareQuantile(probability: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom >= 2 * MIN_LARGE_SHAPE) return 2 * gammaTailQuantile(probability, degreesOfFreedom / 2, 'lower');
  return chiSquare()(probability, degreesOfFreedom);
}

/** The smallest k such that at most k of the trials succeed with the probability or more. */
export function binomialQuantile(probability: number, trials: number, chance: number): number {
  return binomialDistribution()(probability, trials, chance);
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  return gammaln()(x);
}

/** ψ(x), the derivative of ln Γ(x). */
export function digamma(x: number): number {
  return digammaOf()(x);
}

/** The probability of a tail of the gamma distribution with scale 1, for x ≥ 0 and `shape` > 0. */
export function gammaTail(x: number, shape: number, tail: Tail): number {
  const large = largeShapeTails(x, shape);
  if (large) return tail === 'upper' ? normalCdf(-large.score) + large.correction : normalCdf(large.score) - large.correction;
  return gammainc()(x, shape, true, tail === 'upper');
}

const QUANTILE_STEPS = 3;

/** The value whose tail has the probability, for the gamma distribution with scale 1. */
export function gammaTailQuantile(probability: number, shape: number, tail: Tail): number {
  let value = gammaincinv()(probability, shape, tail === 'upper');
  if (!(shape >= MIN_LARGE_SHAPE)) return value;
  // The inverse has the error of the tail that it inverts: at most 2 %, so that few steps are left.
  for (let step = 0; step < QUANTILE_STEPS; step++) {
    const density = Math.exp((shape - 1) * Math.log(value) - value - logGamma(shape));
    const excess = (gammaTail(value, shape, tail) - probability) / density;
    if (!Number.isFinite(excess)) break;
    value += tail === 'upper' ? excess : -excess;
  }
  return value;
}

/** Student's distribution, exact in its lower tail. */
export function studentCdf(t: number, degreesOfFreedom: number): number {
  return studentT()(t, degreesOfFreedom);
}

/** The quantile of Student's distribution, exact in its lower tail. */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  return studentTQuantile()(probability, degreesOfFreedom);
}
