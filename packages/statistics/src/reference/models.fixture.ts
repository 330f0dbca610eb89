/** Models of a second implementation: densities as textbooks write them, maximised by a simplex that knows nothing about them. */
import { ascending, mean, squares, sum } from './descriptive.fixture.ts';
import { gammaCdf, invert, logGamma, normalCdf, normalSurvival } from './distributions.fixture.ts';

/** A distribution of distances above 0 with two parameters, which are given as logarithms where they are positive. */
interface Distances {
  readonly logDensity: (x: number, first: number, second: number) => number;
  readonly cdf: (x: number, first: number, second: number) => number;
  /** Where the search begins, from mean and standard deviation of the distances. */
  readonly start: (center: number, spread: number) => readonly number[];
}

const log = Math.log;
const exp = Math.exp;
const ROOT = Math.sqrt(2 * Math.PI);

const DISTANCES = {
  lognormal: {
    logDensity: (x, location, scale) => -log(x * exp(scale) * ROOT) - (log(x) - location) ** 2 / (2 * exp(scale) ** 2),
    cdf: (x, location, scale) => normalCdf((log(x) - location) / exp(scale)),
    start: (center, spread) => [log(center) - spread ** 2 / center ** 2 / 2, log(Math.sqrt(log(1 + (spread / center) ** 2)))],
  },
  weibull: {
    logDensity: (x, shape, scale) => shape - scale + (exp(shape) - 1) * (log(x) - scale) - exp(exp(shape) * (log(x) - scale)),
    cdf: (x, shape, scale) => -Math.expm1(-exp(exp(shape) * (log(x) - scale))),
    start: (center, spread) => [-1.086 * log(spread / center), log(center)],
  },
  gamma: {
    logDensity: (x, shape, scale) => (exp(shape) - 1) * log(x) - x / exp(scale) - exp(shape) * scale - logGamma(exp(shape)),
    cdf: (x, shape, scale) => gammaCdf(x / exp(scale), exp(shape)),
    start: (center, spread) => [2 * log(center / spread), log(spread ** 2 / center)],
  },
  foldedNormal: {
    logDensity: (x, location, scale) =>
      log(exp(-((x - location) ** 2) / (2 * exp(scale) ** 2)) + exp(-((x + location) ** 2) / (2 * exp(scale) ** 2))) - scale - log(ROOT),
    cdf: (x, location, scale) => normalSurvival((-x - location) / exp(scale)) - normalSurvival((x - location) / exp(scale)),
    start: (center, spread) => [center, log(spread)],
  },
  rayleigh: {
    logDensity: (x, _none, scale) => log(x) - 2 * scale - x ** 2 / (2 * exp(scale) ** 2),
    cdf: (x, _none, scale) => -Math.expm1(-(x ** 2) / (2 * exp(scale) ** 2)),
    start: (center) => [0, log(center)],
  },
} satisfies Readonly<Record<string, Distances>>;

export type DistanceName = keyof typeof DISTANCES;
export type ModelOfReference = DistanceName | `${DistanceName}Mirrored` | 'normal';

/** Maximises by the simplex of Nelder and Mead, begun anew where it stopped. */
function maximum(
  objective: (point: readonly number[]) => number,
  start: readonly number[],
  step = 0.3,
): { at: readonly number[]; value: number } {
  const value = (at: readonly number[]) => {
    const found = objective(at);
    return { at, value: Number.isNaN(found) ? -Infinity : found };
  };
  let best = value(start);
  for (let size = step; size > 1e-4; size /= 8) {
    let simplex = [best, ...start.map((_, axis) => value(best.at.map((x, i) => x + (i === axis ? size : 0))))];
    for (let round = 0; round < 120; round++) {
      simplex = simplex.sort((a, b) => b.value - a.value);
      const worst = simplex.at(-1)!;
      if (simplex[0]!.value - worst.value < 1e-9) break;
      const center = start.map((_, axis) => mean(simplex.slice(0, -1).map(({ at }) => at[axis]!)));
      const towards = (factor: number) => value(center.map((x, axis) => x + factor * (x - worst.at[axis]!)));
      const reflected = towards(1);
      const next =
        reflected.value > simplex[0]!.value
          ? [reflected, towards(2)]
          : reflected.value > simplex.at(-2)!.value
            ? [reflected]
            : [towards(-0.5), towards(0.5)];
      const moved = next.reduce((a, b) => (b.value > a.value ? b : a));
      if (moved.value > worst.value) simplex[simplex.length - 1] = moved;
      else simplex = simplex.map(({ at }) => value(at.map((x, axis) => (x + simplex[0]!.at[axis]!) / 2)));
    }
    best = simplex.reduce((a, b) => (b.value > a.value ? b : a), best);
  }
  return best;
}

export interface ReferenceFit {
  readonly name: ModelOfReference;
  readonly logLikelihood: number;
  readonly aicc: number;
  readonly cdf: (value: number) => number;
  /** A² of the values. */
  readonly andersonDarling: number;
  readonly percentile: (probability: number) => number;
}

function described(
  name: ModelOfReference,
  values: readonly number[],
  logLikelihood: number,
  parameters: number,
  cdf: (value: number) => number,
): ReferenceFit {
  const n = values.length;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const reach = 50 * (highest - lowest);
  return {
    name,
    logLikelihood,
    aicc: -2 * logLikelihood + 2 * parameters + (2 * parameters * (parameters + 1)) / (n - parameters - 1),
    cdf,
    andersonDarling: -n - sum(ascending(values).map((x, i, all) => ((2 * i + 1) / n) * (log(cdf(x)) + log(1 - cdf(all[n - 1 - i]!))))),
    percentile: (probability) => invert(cdf, probability, lowest - reach, highest + reach),
  };
}

/** Fits a model to values; a threshold that is not given is sought between 0.1/n and 20 ranges below the smallest value. */
function fitOfReference(name: ModelOfReference, values: readonly number[], boundary?: number): ReferenceFit {
  const n = values.length;
  if (name === 'normal') {
    const [location, scale] = [mean(values), Math.sqrt(squares(values) / n)];
    const unbiased = Math.sqrt(squares(values) / (n - 1));
    const logLikelihood = -n * (log(scale * ROOT) + 0.5);
    return described(name, values, logLikelihood, 2, (x) => normalCdf((x - location) / unbiased));
  }
  const sign = name.endsWith('Mirrored') ? -1 : 1;
  const { logDensity, cdf, start } = DISTANCES[name.replace('Mirrored', '') as DistanceName] as Distances;
  const directed = values.map((value) => sign * value);
  const smallest = Math.min(...directed);
  const range = Math.max(...directed) - smallest;
  const at = (threshold: number) => {
    const distances = directed.map((value) => value - threshold);
    const likelihood = ([first, second]: readonly number[]) => sum(distances.map((x) => logDensity(x, first!, second!)));
    return maximum(likelihood, start(mean(distances), Math.sqrt(squares(distances) / n)));
  };
  const [nearest, farthest] = [log((0.1 / n) * range), log(20 * range)];
  let [threshold, best] = boundary === undefined ? [NaN, undefined] : [sign * boundary, at(sign * boundary)];
  if (!best) {
    const thresholdAt = (position: number) => smallest - exp(position);
    let [near, reach] = [nearest, (farthest - nearest) / 12];
    const positions = Array.from({ length: 13 }, (_, i) => nearest + i * reach);
    for (; reach > 1e-4; reach /= 3) {
      for (const position of reach === (farthest - nearest) / 12 ? positions : [-2, -1, 1, 2].map((i) => near + i * reach)) {
        if (position < nearest || position > farthest) continue;
        const found = at(thresholdAt(position));
        if (!best || found.value > best.value) [best, near, threshold] = [found, position, thresholdAt(position)];
      }
    }
  }
  const [first, second] = best!.at as [number, number];
  const below = (x: number) => (x > threshold ? cdf(x - threshold, first, second) : 0);
  const parameters = (name.startsWith('rayleigh') ? 1 : 2) + (boundary === undefined ? 1 : 0);
  return described(name, values, best!.value, parameters, (x) => (sign > 0 ? below(x) : 1 - below(-x)));
}

const MIRRORED = ['lognormal', 'weibull', 'gamma', 'foldedNormal', 'rayleigh'] as const;

/** A² of normality with estimated parameters, adjusted for their number, and its p value (Stephens 1986). */
export function normalityOfReference(values: readonly number[]): { statistic: number; pValue: number } {
  const n = values.length;
  const { andersonDarling: statistic } = fitOfReference('normal', values);
  const a = statistic * (1 + 0.75 / n + 2.25 / n ** 2);
  if (a < 0.2) return { statistic, pValue: 1 - exp(-13.436 + 101.14 * a - 223.73 * a ** 2) };
  if (a < 0.34) return { statistic, pValue: 1 - exp(-8.318 + 42.796 * a - 59.938 * a ** 2) };
  if (a < 0.6) return { statistic, pValue: exp(0.9177 - 4.279 * a - 1.38 * a ** 2) };
  return { statistic, pValue: exp(1.2937 - 5.709 * a + 0.0186 * a ** 2) };
}

/** The model of at least 25 values: the best criterion, with half a point for normal; few values that are nearly normal leave doubt. */
export function chosenByReference(
  values: readonly number[],
  boundary: { lower?: number; upper?: number },
): { fit: ReferenceFit; candidates: readonly ReferenceFit[] } {
  const bound = boundary.lower ?? boundary.upper;
  const normal = fitOfReference('normal', values);
  const { pValue } = normalityOfReference(values);
  const isNormal = bound === undefined && pValue >= 0.05;
  if (isNormal && !(values.length < 100 && pValue < 0.4)) return { fit: normal, candidates: [] };
  const names: ModelOfReference[] =
    bound === undefined
      ? ['lognormal', 'weibull', 'lognormalMirrored', 'weibullMirrored']
      : MIRRORED.map((name) => (boundary.lower === undefined ? (`${name}Mirrored` as const) : name));
  const candidates = [normal, ...names.map((name) => fitOfReference(name, values, bound))];
  const best = candidates.reduce((a, b) => (b.aicc < a.aicc ? b : a));
  return { fit: isNormal || normal.aicc <= best.aicc + 0.5 ? normal : best, candidates };
}

/** The smaller index by percentiles; negative where the median is beyond a limit. */
export function indexOfReference(
  { percentile }: Pick<ReferenceFit, 'percentile'>,
  { lower = NaN, upper = NaN }: { lower?: number; upper?: number },
): number {
  const [low, median, high] = [percentile(0.00135), percentile(0.5), percentile(0.99865)];
  return Math.min(...[(upper - median) / (high - median), (median - lower) / (median - low)].filter((index) => !Number.isNaN(index)));
}
