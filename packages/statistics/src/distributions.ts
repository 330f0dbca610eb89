/** Distribution functions of `@stdlib/stats-base-dists-*` under the names of this package. */
import { largeShapeTails, MIN_LARGE_SHAPE } from './large-gamma.ts';
import { libraries } from './libraries.ts';

function lazy<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => (loaded ??= load());
}

const standardCdf = lazy(() => libraries().normalCdf.factory(0, 1));
const standardLogCdf = lazy(() => libraries().normalLogcdf.factory(0, 1));

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
  return 0 - Math.SQRT2 * libraries().erfcinv(2 * probability);
}

/** The quantile of χ² with `degreesOfFreedom` > 0. */
export function chiSquareQuantile(probability: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom >= 2 * MIN_LARGE_SHAPE) return 2 * gammaTailQuantile(probability, degreesOfFreedom / 2, 'lower');
  return libraries().chisquareQuantile(probability, degreesOfFreedom);
}

/** The smallest k such that at most k of the trials succeed with the probability or more. */
export function binomialQuantile(probability: number, trials: number, chance: number): number {
  return libraries().binomialQuantile(probability, trials, chance);
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  return libraries().gammaln(x);
}

/** ψ(x), the derivative of ln Γ(x). */
export function digamma(x: number): number {
  return libraries().digamma(x);
}

/** The probability of a tail of the gamma distribution with scale 1, for x ≥ 0 and `shape` > 0. */
export function gammaTail(x: number, shape: number, tail: Tail): number {
  const large = largeShapeTails(x, shape);
  if (large) return tail === 'upper' ? normalCdf(-large.score) + large.correction : normalCdf(large.score) - large.correction;
  return libraries().gammainc(x, shape, true, tail === 'upper');
}

const QUANTILE_STEPS = 3;

/** The value whose tail has the probability, for the gamma distribution with scale 1. */
export function gammaTailQuantile(probability: number, shape: number, tail: Tail): number {
  let value = libraries().gammaincinv(probability, shape, tail === 'upper');
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
  return libraries().tCdf(t, degreesOfFreedom);
}

/** The quantile of Student's distribution, exact in its lower tail. */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  return libraries().tQuantile(probability, degreesOfFreedom);
}
