import { normalLogCdf, normalQuantile, type Tail } from '../../distributions.ts';
import { findZero, maximize } from '../optimization.ts';
import { weightedMean, type WeightedSample } from '../sample/weighted-sample.ts';
import { LOG_ROOT_TWO_PI, logLikelihood, logOneMinusExp, type Distribution, type Family } from './family.ts';

/** Beyond this many deviations the logarithm of a tail leaves the range of a double. */
const MAX_SCORE = 1e100;

/** Distances |y| of normal values: the half normal distribution where the location is 0. */
export const foldedNormal: Family = {
  parameters: 2,
  positive: true,
  fit(sample) {
    const squares = weightedMean(sample, (value) => value * value);
    const largest = Math.sqrt(squares);
    if (!(largest > 0) || sample.values.length < 2) return undefined;
    // At the maximum, location² + scale² is the mean of the squares, so that one parameter is left.
    const at = (location: number) => ({ location, scale: Math.sqrt(squares - location * location) });
    const likelihood = (location: number) => logLikelihood(sample, foldedDistribution(location, at(location).scale));
    const ends = [0, 0.999999 * largest] as const;
    const peak = maximize(likelihood, ends, 1e-5 * largest);
    // So near to 0 the likelihood is flat.
    const isAtZero = peak.value <= likelihood(0) || peak.at < 1e-3 * largest;
    const parameters = at(isAtZero ? 0 : polished(sample, squares, peak.at));
    return { parameters, logLikelihood: likelihood(parameters.location) };
  },
  distribution: ({ location = 0, scale }) => foldedDistribution(location, scale),
};

/** Finds the location at which the likelihood is level; near the maximum this is more exact than the likelihood itself. */
function polished(sample: WeightedSample, squares: number, near: number): number {
  const slope = (location: number) => {
    const variance = squares - location * location;
    return weightedMean(sample, (value) => value * Math.tanh((value * location) / variance)) - location;
  };
  const width = 1e-3 * Math.sqrt(squares);
  const ends = [Math.max(near - width, near / 2), Math.min(near + width, 0.9999999 * Math.sqrt(squares))] as const;
  if (slope(ends[0]) > 0 === slope(ends[1]) > 0) return near;
  return findZero(slope, ends);
}

function foldedDistribution(location: number, scale: number): Distribution {
  const constant = -Math.log(scale) - LOG_ROOT_TWO_PI;
  const logTail = (distance: number, tail: Tail): number => {
    if (!(distance > 0)) return tail === 'lower' ? -Infinity : 0;
    const value = Math.min(distance, location + MAX_SCORE * scale);
    const near = normalLogCdf((location - value) / scale);
    const far = normalLogCdf((-location - value) / scale);
    if (tail === 'upper') return near + Math.log1p(Math.exp(far - near));
    // Φ(b) − Φ(a) with a < b; both in the tail where they are small.
    if (value < 1e-5 * scale) return Math.log((2 * value) / scale) - LOG_ROOT_TWO_PI - (location / scale) ** 2 / 2;
    const lower = normalLogCdf((value - location) / scale);
    const cut = normalLogCdf((-value - location) / scale);
    return lower + logOneMinusExp(cut - lower);
  };
  return {
    logDensity(value) {
      if (!(value >= 0)) return -Infinity;
      const near = (value - location) / scale;
      return constant - (near * near) / 2 + Math.log1p(Math.exp((-2 * value * location) / (scale * scale)));
    },
    logTail,
    quantile(probability, tail) {
      const target = Math.log(probability);
      const above = tail === 'upper' ? probability : Math.max(1 - probability, 1e-16);
      // The true bound is half of this: it may be the solution itself, to its last digit.
      const highest = 2 * (location - scale * normalQuantile(above / 2));
      // In logarithms of values the lower tail is nearly straight.
      if (tail === 'lower') {
        const lowest = Math.log(Math.max(highest, scale)) - 750;
        return Math.exp(findZero((logarithm) => logTail(Math.exp(logarithm), tail) - target, [lowest, Math.log(highest)], 1e-15));
      }
      return findZero((value) => logTail(value, tail) - target, [0, highest]);
    },
  };
}
