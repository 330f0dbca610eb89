import { chiSquareQuantile, normalQuantile } from '../distributions.ts';
import { indexLimits, type SpecificationLimits } from './limits.ts';

/** An index, and its two-sided confidence interval where one can be computed. */
export interface Index {
  readonly value: number;
  readonly lower?: number;
  readonly upper?: number;
}

/** Indices for one estimate of the spread; those that the limits do not define are absent. */
export interface Indices {
  /** Width of the tolerance by the width of the process (C). */
  readonly p?: Index;
  /** The smaller one of `pl` and `pu`. */
  readonly pk?: Index;
  readonly pl?: Index;
  readonly pu?: Index;
  /** C with the distance from the target (Cpm). */
  readonly pm?: Index;
}

export interface IndexInput {
  readonly mean: number;
  readonly sigma: number;
  readonly limits: SpecificationLimits;
  /** Number of values. */
  readonly count: number;
  /** Degrees of freedom of `sigma`. */
  readonly degreesOfFreedom: number;
  /** Between 0 and 1, such as 0.95. */
  readonly confidence: number;
}

/** How programs name the indices: of AIAG-VDA 2026 and ISO 22514, or of Minitab and AIAG 2005. */
export const CONVENTIONS = ['aiagVda', 'minitab'] as const;
export type Convention = (typeof CONVENTIONS)[number];

export const INDEX_NAMES: Readonly<Record<Convention, Readonly<Record<'overall' | 'within', Readonly<Record<keyof Indices, string>>>>>> = {
  aiagVda: {
    overall: { p: 'Pp', pk: 'Ppk', pl: 'Ppl', pu: 'Ppu', pm: 'Cpm' },
    within: { p: 'Cw', pk: 'Cwk', pl: 'Cwl', pu: 'Cwu', pm: 'Cpm' },
  },
  minitab: {
    overall: { p: 'Pp', pk: 'Ppk', pl: 'PPL', pu: 'PPU', pm: 'Cpm' },
    within: { p: 'Cp', pk: 'Cpk', pl: 'CPL', pu: 'CPU', pm: 'Cpm' },
  },
};

/**
 * Indices of normal values: C = width / 6σ, C_u = (U − mean) / 3σ, C_l = (mean − L) / 3σ, C_k = min, C_pm = C / √(1 + ((mean − T) / σ)²).
 * A one-sided tolerance has the k index of its side only; a natural boundary counts for C and not for C_k.
 * @returns no index where σ is 0, limits are crossed, or the figure exceeds a double
 */
export function capabilityIndices(input: IndexInput): Indices {
  const { mean, sigma, limits, confidence } = input;
  const given = indexLimits(limits);
  if (!given || !(sigma > 0)) return {};
  const p = given.width && spread(given.width[0], given.width[1], sigma);
  const pl = given.lower === undefined ? undefined : distance(mean - given.lower, sigma);
  const pu = given.upper === undefined ? undefined : distance(given.upper - mean, sigma);
  const offset = limits.target === undefined ? undefined : (mean - limits.target) / sigma;
  const pm = p === undefined || offset === undefined ? undefined : p / Math.hypot(1, offset);
  return present({
    p: p === undefined ? undefined : intervalOfIndex(p, input.degreesOfFreedom, confidence),
    pk: smallest(pl, pu, (index) => intervalOfMinimum(index, input)),
    pl: pl === undefined ? undefined : intervalOfMinimum(pl, input),
    pu: pu === undefined ? undefined : intervalOfMinimum(pu, input),
    pm: pm === undefined || offset === undefined ? undefined : intervalOfIndex(pm, freedomOfTarget(input.count, offset), confidence),
  });
}

/**
 * The values of `p` and `pk` of {@link capabilityIndices}, without the intervals, which cost most of the time.
 * @returns no index where σ is 0, limits are crossed, or the figure exceeds a double
 */
export function indexValues(mean: number, sigma: number, limits: SpecificationLimits): { p?: number; pk?: number } {
  const given = indexLimits(limits);
  if (!given || !(sigma > 0)) return {};
  const p = given.width && spread(given.width[0], given.width[1], sigma);
  const pl = given.lower === undefined ? Infinity : distance(mean - given.lower, sigma);
  const pu = given.upper === undefined ? Infinity : distance(given.upper - mean, sigma);
  const pk = Math.min(pl, pu);
  const values: { p?: number; pk?: number } = {};
  if (p !== undefined && Number.isFinite(p)) values.p = p;
  if (Number.isFinite(pk)) values.pk = pk;
  return values;
}

/** The probabilities of the percentile method: those of ±3σ of a normal distribution. */
export const PERCENTILES = { low: 0.00135, median: 0.5, high: 0.99865 } as const;

/** Ĉ·√(χ²_{α/2,ν} / ν) to Ĉ·√(χ²_{1−α/2,ν} / ν). */
export function intervalOfIndex(value: number, degreesOfFreedom: number, confidence: number): Index {
  if (!(degreesOfFreedom > 0)) return { value };
  const alpha = 1 - confidence;
  return {
    value,
    lower: value * Math.sqrt(chiSquareQuantile(alpha / 2, degreesOfFreedom) / degreesOfFreedom),
    upper: value * Math.sqrt(chiSquareQuantile(1 - alpha / 2, degreesOfFreedom) / degreesOfFreedom),
  };
}

/** Ĉk ± z_{1−α/2}·√(1/(9n) + Ĉk²/(2ν)) (Bissell 1990). */
export function intervalOfMinimum(value: number, input: Pick<IndexInput, 'count' | 'degreesOfFreedom' | 'confidence'>): Index {
  const { count, degreesOfFreedom, confidence } = input;
  if (!(degreesOfFreedom > 0)) return { value };
  const reach = normalQuantile((1 + confidence) / 2) * Math.hypot(1 / (3 * Math.sqrt(count)), value / Math.sqrt(2 * degreesOfFreedom));
  return { value, lower: value - reach, upper: value + reach };
}

/** Degrees of freedom of C_pm: n(1 + a²)² / (1 + 2a²) with a = (mean − target) / σ (Boyles 1991). */
function freedomOfTarget(count: number, offset: number): number {
  const square = offset * offset;
  return (count * (1 + square) ** 2) / (1 + 2 * square);
}

function spread(lower: number, upper: number, sigma: number): number {
  const width = upper - lower;
  // Quotients of large limits lose the digits of a small width; a width may exceed a double.
  return Number.isFinite(width) ? width / sigma / 6 : upper / sigma / 6 - lower / sigma / 6;
}

function distance(difference: number, sigma: number): number {
  return difference / sigma / 3;
}

function smallest(pl: number | undefined, pu: number | undefined, interval: (value: number) => Index): Index | undefined {
  if (pl === undefined && pu === undefined) return undefined;
  return interval(Math.min(pl ?? Infinity, pu ?? Infinity));
}

/** Leaves out indices that are not defined, and bounds that are not finite. */
function present(indices: { readonly [name in keyof Indices]-?: Index | undefined }): Indices {
  const entries = Object.entries(indices).flatMap(([name, index]) => {
    if (!index || !Number.isFinite(index.value)) return [];
    const bounded = Number.isFinite(index.lower) && Number.isFinite(index.upper);
    return [[name, bounded ? index : { value: index.value }]];
  });
  return Object.fromEntries(entries) as Indices;
}
