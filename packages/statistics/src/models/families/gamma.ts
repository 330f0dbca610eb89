import { digamma, gammaTail, gammaTailQuantile, logGamma } from '../../distributions.ts';
import { findZero } from '../optimization.ts';
import { weightedMean } from '../sample/weighted-sample.ts';
import type { Family } from './family.ts';

const SHAPES = [1e-4, 1e8] as const;

/** A larger ratio of a value to the scale leaves the range of a double. */
const MAX_RATIO = 1e300;

export const gamma: Family = {
  parameters: 2,
  positive: true,
  fit(sample) {
    const mean = weightedMean(sample, (value) => value);
    const meanLogarithm = weightedMean(sample, Math.log);
    const difference = Math.log(mean) - meanLogarithm;
    if (!(difference > 1e-9) || !Number.isFinite(difference)) return undefined;
    // The approximation of Minka (2002) misses the shape by at most 1.5 %.
    const near = (3 - difference + Math.sqrt((difference - 3) ** 2 + 24 * difference)) / (12 * difference);
    const excess = (logShape: number) => logShape - digamma(Math.exp(logShape)) - difference;
    const start = Math.log(Math.min(Math.max(near, SHAPES[0]), SHAPES[1]));
    const shape = Math.exp(findZero(excess, [start - 0.05, start + 0.05]));
    const scale = mean / shape;
    if (!Number.isFinite(scale) || !(scale > 0)) return undefined;
    const meanLogDensity = (shape - 1) * meanLogarithm - shape - shape * Math.log(scale) - logGamma(shape);
    return { parameters: { shape, scale }, logLikelihood: sample.count * meanLogDensity };
  },
  distribution({ shape = 1, scale }) {
    const constant = -logGamma(shape) - Math.log(scale);
    return {
      logDensity(value) {
        if (!(value > 0)) return -Infinity;
        const x = value / scale;
        return constant + (shape - 1) * Math.log(x) - x;
      },
      logTail(value, tail) {
        const x = Math.min(value / scale, MAX_RATIO);
        if (!(x > 0)) return tail === 'lower' ? -Infinity : 0;
        const probability = gammaTail(x, shape, tail);
        if (probability > 0) return Math.log(probability);
        // The first terms of the series and of the asymptotic expansion, where the tail is below the range of a double.
        if (tail === 'lower') return shape * Math.log(x) - x - logGamma(shape + 1);
        return (shape - 1) * Math.log(x) - x - logGamma(shape) - Math.log1p((1 - shape) / x);
      },
      quantile: (probability, tail) => scale * gammaTailQuantile(probability, shape, tail),
    };
  },
};
