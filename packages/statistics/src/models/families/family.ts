import type { Tail } from '../../distributions.ts';
import type { ModelParameters } from '../fitted-model.ts';
import type { WeightedSample } from '../sample/weighted-sample.ts';

/** A distribution with known parameters; the logarithms of tails are −Infinity where a tail is empty. */
export interface Distribution {
  logDensity(value: number): number;
  /** ln F(x) of the lower tail, ln(1 − F(x)) of the upper one. */
  logTail(value: number, tail: Tail): number;
  /** The value whose tail has the probability. */
  quantile(probability: number, tail: Tail): number;
  /** The normal score and its inverse, where they follow without the tails. */
  readonly scores?: { scoreOf(value: number): number; valueAt(score: number): number };
}

/** Parameters at the maximum of the likelihood, and Σ ln f(x) there. */
export interface FamilyFit {
  readonly parameters: ModelParameters;
  readonly logLikelihood: number;
}

/** A kind of distribution without threshold and mirror. */
export interface Family {
  /** Parameters that are estimated. */
  readonly parameters: number;
  /** Whether it describes distances from a threshold, which are positive. */
  readonly positive: boolean;
  /**
   * Estimates the parameters by maximum likelihood.
   * @returns undefined where the likelihood has no maximum, such as for equal values
   */
  fit(sample: WeightedSample): FamilyFit | undefined;
  distribution(parameters: ModelParameters): Distribution;
}

/** Σ ln f(x); −Infinity where the distribution does not allow a value. */
export function logLikelihood({ values, weights }: WeightedSample, distribution: Distribution): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += weights[i]! * distribution.logDensity(values[i]!);
  return Number.isNaN(sum) ? -Infinity : sum;
}

export const LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

/** ln(1 − eˣ) for x < 0. */
export function logOneMinusExp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}
