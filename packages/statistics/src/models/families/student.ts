import { logGamma, studentCdf, studentQuantile } from '../../distributions.ts';
import { maximize } from '../optimization.ts';
import { weightedMean, type WeightedSample } from '../sample/weighted-sample.ts';
import { logLikelihood, type Distribution, type Family } from './family.ts';

const DEGREES_OF_FREEDOM = [2, 1000] as const;
const MAX_STEPS = 500;

/** Student's distribution with location and scale, for values with heavy tails. */
export const student: Family = {
  parameters: 3,
  positive: false,
  fit(sample) {
    const mean = weightedMean(sample, (value) => value);
    const spread = Math.sqrt(weightedMean(sample, (value) => (value - mean) ** 2));
    if (!(spread > 0)) return undefined;
    let start = { location: mean, scale: spread };
    const fitFor = (logDegrees: number) => (start = locationAndScale(sample, Math.exp(logDegrees), start));
    const likelihood = (logDegrees: number) => {
      const degreesOfFreedom = Math.exp(logDegrees);
      return logLikelihood(sample, studentDistribution({ ...fitFor(logDegrees), degreesOfFreedom }));
    };
    const ends = [Math.log(DEGREES_OF_FREEDOM[0]), Math.log(DEGREES_OF_FREEDOM[1])] as const;
    const inner = maximize(likelihood, ends, 1e-6);
    const candidates = [inner, ...ends.map((at) => ({ at, value: likelihood(at) }))];
    const best = candidates.reduce((first, second) => (second.value > first.value ? second : first));
    const { location, scale } = fitFor(best.at);
    if (!(scale > 0)) return undefined;
    return { parameters: { location, scale, degreesOfFreedom: Math.exp(best.at) }, logLikelihood: best.value };
  },
  distribution: ({ location = 0, scale, degreesOfFreedom = 1 }) => studentDistribution({ location, scale, degreesOfFreedom }),
};

interface LocationAndScale {
  readonly location: number;
  readonly scale: number;
}

/** Expectation and maximisation with the faster scale of Kent, Tyler and Vardi (1994). */
function locationAndScale({ values, weights }: WeightedSample, degrees: number, start: LocationAndScale): LocationAndScale {
  let { location, scale } = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    let [total, first, squares] = [0, 0, 0];
    for (let i = 0; i < values.length; i++) {
      const difference = values[i]! - location;
      const weight = weights[i]! / (degrees + (difference / scale) ** 2);
      total += weight;
      first += weight * difference;
      squares += weight * difference * difference;
    }
    const move = first / total;
    const next = Math.sqrt(Math.max(0, squares / total));
    const isDone = Math.abs(move) <= 1e-10 * scale && Math.abs(next - scale) <= 1e-10 * scale;
    location += move;
    if (!(next > 0)) return { location, scale: 0 };
    scale = next;
    if (isDone) break;
  }
  return { location, scale };
}

function studentDistribution({
  location,
  scale,
  degreesOfFreedom: degrees,
}: LocationAndScale & { degreesOfFreedom: number }): Distribution {
  const constant = logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - Math.log(Math.PI * degrees) / 2 - Math.log(scale);
  return {
    logDensity: (value) => constant - ((degrees + 1) / 2) * Math.log1p(((value - location) / scale) ** 2 / degrees),
    logTail(value, tail) {
      const t = (value - location) / scale;
      return Math.log(studentCdf(tail === 'lower' ? t : -t, degrees));
    },
    quantile: (probability, tail) => location + (tail === 'lower' ? scale : -scale) * studentQuantile(probability, degrees),
  };
}
