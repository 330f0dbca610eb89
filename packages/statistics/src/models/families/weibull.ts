import type { Tail } from '../../distributions.ts';
import { weightedMean } from '../sample/weighted-sample.ts';
import { logLikelihood, logOneMinusExp, type Distribution, type Family } from './family.ts';

const MAX_NEWTON_STEPS = 100;

export const weibull: Family = {
  parameters: 2,
  positive: true,
  fit({ values, weights, count }) {
    const size = values.length;
    const largest = Math.log(values[size - 1]!);
    // Logarithms relative to the largest value: no power exceeds 1.
    const logarithms = values.map((value) => Math.log(value) - largest);
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < size; i++) {
      const weighted = weights[i]! * logarithms[i]!;
      sum += weighted;
      squares += weighted * logarithms[i]!;
    }
    const mean = sum / count;
    const variance = squares / count - mean * mean;
    if (!(variance > 0) || !Number.isFinite(variance)) return undefined;
    // The standard deviation of the logarithms of Weibull values is π / (√6 · shape).
    let shape = Math.PI / Math.sqrt(6 * variance);
    for (let step = 0; step < MAX_NEWTON_STEPS; step++) {
      let powers = 0;
      let first = 0;
      let second = 0;
      for (let i = 0; i < size; i++) {
        const logarithm = logarithms[i]!;
        const power = weights[i]! * Math.exp(shape * logarithm);
        powers += power;
        first += power * logarithm;
        second += power * logarithm * logarithm;
      }
      const ratio = first / powers;
      const slope = second / powers - ratio * ratio + 1 / (shape * shape);
      const change = (ratio - 1 / shape - mean) / slope;
      const next = change < shape ? shape - change : shape / 2;
      // The error of the next step is the square of this change.
      const isDone = Math.abs(next - shape) <= 1e-7 * shape;
      shape = next;
      if (isDone) break;
    }
    let total = 0;
    for (let i = 0; i < size; i++) total += weights[i]! * Math.exp(shape * logarithms[i]!);
    const relativeLogScale = Math.log(total / count) / shape;
    const likelihood = count * (Math.log(shape) - largest - shape * relativeLogScale - 1) + (shape - 1) * sum;
    const scale = Math.exp(largest + relativeLogScale);
    return Number.isFinite(scale) && scale > 0 ? { parameters: { shape, scale }, logLikelihood: likelihood } : undefined;
  },
  distribution: ({ shape = 1, scale }) => weibullDistribution(shape, scale),
};

/** A Weibull distribution of shape 2, whose scale is √2 times that of Rayleigh. */
export const rayleigh: Family = {
  parameters: 1,
  positive: true,
  fit(sample) {
    const scale = Math.sqrt(weightedMean(sample, (value) => value * value) / 2);
    if (!(scale > 0)) return undefined;
    return { parameters: { scale }, logLikelihood: logLikelihood(sample, weibullDistribution(2, scale * Math.SQRT2)) };
  },
  distribution: ({ scale }) => weibullDistribution(2, scale * Math.SQRT2),
};

function weibullDistribution(shape: number, scale: number): Distribution {
  const [logShape, logScale] = [Math.log(shape), Math.log(scale)];
  return {
    logDensity(value) {
      if (!(value > 0)) return -Infinity;
      const logarithm = Math.log(value) - logScale;
      return logShape - logScale + (shape - 1) * logarithm - Math.exp(shape * logarithm);
    },
    logTail(value, tail) {
      if (!(value > 0)) return tail === 'lower' ? -Infinity : 0;
      const logHazard = shape * (Math.log(value) - logScale);
      const hazard = Math.exp(logHazard);
      if (tail === 'upper') return -hazard;
      return hazard < 1e-8 ? logHazard : logOneMinusExp(-hazard);
    },
    quantile: (probability: number, tail: Tail) =>
      scale * (tail === 'lower' ? -Math.log1p(-probability) : -Math.log(probability)) ** (1 / shape),
  };
}
