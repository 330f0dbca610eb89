import { normalLogCdf, normalQuantile } from '../../distributions.ts';
import { weightedMean } from '../sample/weighted-sample.ts';
import { LOG_ROOT_TWO_PI, type Family } from './family.ts';

/** Normal values: mean, and the standard deviation with n − 1, as the indices of normal values use it. */
export const normal: Family = {
  parameters: 2,
  positive: false,
  fit(sample) {
    const location = weightedMean(sample, (value) => value);
    const scale = Math.sqrt((weightedMean(sample, (value) => (value - location) ** 2) * sample.count) / (sample.count - 1));
    if (!(scale > 0)) return undefined;
    // The likelihood is that of its maximum, whose deviation has n.
    const variance = (scale * scale * (sample.count - 1)) / sample.count;
    const logLikelihood = -sample.count * (Math.log(variance) / 2 + LOG_ROOT_TWO_PI + 0.5);
    return { parameters: { location, scale }, logLikelihood };
  },
  distribution({ location = 0, scale }) {
    const constant = -Math.log(scale) - LOG_ROOT_TWO_PI;
    const score = (value: number) => (value - location) / scale;
    return {
      scores: { scoreOf: score, valueAt: (z) => location + scale * z },
      logDensity: (value) => constant - score(value) ** 2 / 2,
      logTail: (value, tail) => normalLogCdf(tail === 'lower' ? score(value) : -score(value)),
      quantile: (probability, tail) => location + (tail === 'lower' ? scale : -scale) * normalQuantile(probability),
    };
  },
};
