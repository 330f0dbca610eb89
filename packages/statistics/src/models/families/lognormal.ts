import { normalLogCdf, normalQuantile } from '../../distributions.ts';
import { LOG_ROOT_TWO_PI, type Family } from './family.ts';

/** Values whose logarithms are normal: their mean, and their standard deviation with n. */
export const lognormal: Family = {
  parameters: 2,
  positive: true,
  fit({ values, weights, count }) {
    const logarithms = values.map(Math.log);
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += weights[i]! * logarithms[i]!;
    const location = sum / count;
    let squares = 0;
    for (let i = 0; i < values.length; i++) squares += weights[i]! * (logarithms[i]! - location) ** 2;
    const scale = Math.sqrt(squares / count);
    if (!(scale > 0)) return undefined;
    return { parameters: { location, scale }, logLikelihood: -sum - count * (Math.log(scale) + LOG_ROOT_TWO_PI + 0.5) };
  },
  distribution({ location = 0, scale }) {
    const constant = -Math.log(scale) - LOG_ROOT_TWO_PI;
    const score = (value: number) => (value > 0 ? (Math.log(value) - location) / scale : -Infinity);
    return {
      scores: { scoreOf: score, valueAt: (z) => Math.exp(location + scale * z) },
      logDensity(value) {
        if (!(value > 0)) return -Infinity;
        const logarithm = Math.log(value);
        return constant - logarithm - ((logarithm - location) / scale) ** 2 / 2;
      },
      logTail: (value, tail) => normalLogCdf(tail === 'lower' ? score(value) : -score(value)),
      quantile: (probability, tail) => Math.exp(location + (tail === 'lower' ? scale : -scale) * normalQuantile(probability)),
    };
  },
};
