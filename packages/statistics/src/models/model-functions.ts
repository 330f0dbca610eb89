import { normalCdf, normalLogCdf, normalQuantile } from '../distributions.ts';
import type { Distribution, Family } from './families/family.ts';
import { foldedNormal } from './families/folded-normal.ts';
import { gamma } from './families/gamma.ts';
import { lognormal } from './families/lognormal.ts';
import { normal } from './families/normal.ts';
import { student } from './families/student.ts';
import { rayleigh, weibull } from './families/weibull.ts';
import type { FittedModel, ModelDescription, ModelName } from './fitted-model.ts';
import { mirroredSample, shiftedSample, type WeightedSample } from './sample/weighted-sample.ts';

export interface ModelKind {
  readonly family: Family;
  readonly mirrored: boolean;
}

export const MODEL_KINDS: Readonly<Record<ModelName, ModelKind>> = {
  normal: { family: normal, mirrored: false },
  lognormal: { family: lognormal, mirrored: false },
  weibull: { family: weibull, mirrored: false },
  gamma: { family: gamma, mirrored: false },
  foldedNormal: { family: foldedNormal, mirrored: false },
  rayleigh: { family: rayleigh, mirrored: false },
  student: { family: student, mirrored: false },
  lognormalMirrored: { family: lognormal, mirrored: true },
  weibullMirrored: { family: weibull, mirrored: true },
  gammaMirrored: { family: gamma, mirrored: true },
  foldedNormalMirrored: { family: foldedNormal, mirrored: true },
  rayleighMirrored: { family: rayleigh, mirrored: true },
};

/** The largest score, also of a value beyond the end of a model. */
const MAX_SCORE = 1e6;

/** The tail beyond a larger score is 0 as a double. */
const MAX_QUANTILE_SCORE = 37;

/** Logarithms of smaller probabilities leave the range of a double. */
const MIN_LOG_PROBABILITY = -700;

/** Gives a model its functions. */
export function fittedModel(description: ModelDescription): FittedModel {
  const { family, mirrored } = MODEL_KINDS[description.name];
  const { threshold = 0 } = description.parameters;
  const distribution = family.distribution(description.parameters);
  const toDistance = (value: number) => (mirrored ? -value : value) - threshold;
  const toValue = (distance: number) => (mirrored ? -(distance + threshold) : distance + threshold);
  return {
    ...description,
    cdf: (value) => Math.exp(distribution.logTail(toDistance(value), mirrored ? 'upper' : 'lower')),
    survival: (value) => Math.exp(distribution.logTail(toDistance(value), mirrored ? 'lower' : 'upper')),
    score(value) {
      const score = scoreOf(distribution, toDistance(value));
      return mirrored ? -score : score;
    },
    quantile(probability) {
      const isUpper = probability > 0.5;
      return toValue(distribution.quantile(isUpper ? 1 - probability : probability, isUpper === mirrored ? 'lower' : 'upper'));
    },
    valueAt(score) {
      const directed = mirrored ? -score : score;
      if (distribution.scores) return toValue(distribution.scores.valueAt(directed));
      const probability = normalCdf(-Math.min(Math.abs(score), MAX_QUANTILE_SCORE));
      return toValue(distribution.quantile(probability, directed > 0 ? 'upper' : 'lower'));
    },
  };
}

function scoreOf(distribution: Distribution, distance: number): number {
  const score = distribution.scores?.scoreOf(distance) ?? scoreOfTails(distribution, distance);
  return Math.min(MAX_SCORE, Math.max(-MAX_SCORE, score));
}

/** Takes the smaller tail, whose logarithm is exact. */
function scoreOfTails(distribution: Distribution, distance: number): number {
  const lower = distribution.logTail(distance, 'lower');
  return lower < -Math.LN2 ? -scoreOfTail(lower) : scoreOfTail(distribution.logTail(distance, 'upper'));
}

/** The score z ≥ 0 with ln(1 − Φ(z)) = `logProbability`. */
function scoreOfTail(logProbability: number): number {
  if (logProbability > MIN_LOG_PROBABILITY) return -normalQuantile(Math.exp(logProbability));
  if (logProbability < -(MAX_SCORE ** 2)) return MAX_SCORE;
  let score = Math.sqrt(-2 * logProbability);
  for (let step = 0; step < 4; step++) {
    // The slope of ln(1 − Φ) is −z − 1/z to four digits this far out.
    score += (normalLogCdf(-score) - logProbability) / (score + 1 / score);
  }
  return score;
}

/** The sample of distances that the family of a model describes. */
export function distancesOf(sample: WeightedSample, mirrored: boolean, threshold = 0): WeightedSample {
  return shiftedSample(mirrored ? mirroredSample(sample) : sample, threshold);
}
