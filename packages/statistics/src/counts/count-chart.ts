import { rangeConstants } from '../charts/constants.ts';
import type { ControlLimits } from '../charts/control-chart.ts';
import { normalQuantile } from '../distributions.ts';
import { binomialInterval, binomialTails, poissonInterval, poissonTails, type CountTails } from '../probabilities.ts';

/**
 * Charts of counts: nonconforming parts as share (`p`, `laneyP`) or number (`np`), nonconformities as number (`c`) or per unit (`u`).
 * Limits of `laneyP` are wider by the spread of the points that the binomial distribution does not explain.
 */
export const COUNT_CHARTS = ['p', 'np', 'c', 'u', 'laneyP'] as const;
export type CountChartType = (typeof COUNT_CHARTS)[number];

export interface CountPoints {
  /** Whole numbers from 0 by point; NaN for a missing one. */
  readonly counts: Float64Array;
  /** Parts of each sample, or units; 1 by default for `c`. */
  readonly sizes: Float64Array;
}

export interface CountChart {
  readonly type: CountChartType;
  /** The share of nonconforming parts, or the nonconformities per unit, of all points together. */
  readonly rate: number;
  /** Factor of the distances of the limits; 1 except for `laneyP`. */
  readonly sigmaZ: number;
  /** The sums of the points that are used. */
  readonly total: { readonly count: number; readonly size: number };
}

/** A point in the unit of its chart: a share or rate for `p`, `laneyP` and `u`, else a number. */
export interface CountPoint extends ControlLimits {
  readonly value: number;
}

/** Whether the chart is one of nonconforming parts, of which there are at most as many as parts. */
export function isOfParts(type: CountChartType): boolean {
  return type === 'p' || type === 'np' || type === 'laneyP';
}

/** Whether a number can be a count: whole, from 0. */
export function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}

/** Whether a number can be the size of a sample: above 0, and of parts whole. */
export function isSampleSize(type: CountChartType, size: number): boolean {
  return size > 0 && size <= Number.MAX_SAFE_INTEGER && (!isOfParts(type) || Number.isInteger(size));
}

/** Whether a point can be used: count and size are possible, and no more parts are nonconforming than there are. */
export function isUsable(type: CountChartType, count: number, size: number): boolean {
  return isCount(count) && isSampleSize(type, size) && (!isOfParts(type) || count <= size);
}

/**
 * Computes rate and spread from the points of a baseline; points that {@link isUsable} refuses are left out.
 * @returns undefined without a usable point, and for `laneyP` without two that are neighbours
 */
export function countChart(type: CountChartType, { counts, sizes }: CountPoints): CountChart | undefined {
  let [count, size] = [0, 0];
  for (let i = 0; i < counts.length; i++) {
    if (!isUsable(type, counts[i]!, sizes[i]!)) continue;
    count += counts[i]!;
    size += sizes[i]!;
  }
  if (size === 0) return undefined;
  const rate = count / size;
  const sigmaZ = type === 'laneyP' ? laneySigma(counts, sizes, rate) : 1;
  return sigmaZ === undefined ? undefined : { type, rate, sigmaZ, total: { count, size } };
}

/**
 * The chart of a rate that is given; `sigmaZ` of `laneyP` follows from the points.
 * @returns undefined for a rate that the chart cannot have
 */
export function givenCountChart(type: CountChartType, rate: number, points: CountPoints): CountChart | undefined {
  if (!(rate >= 0) || rate > (isOfParts(type) ? 1 : Number.MAX_VALUE)) return undefined;
  const computed = countChart(type, points);
  const sigmaZ = type === 'laneyP' ? (laneySigma(points.counts, points.sizes, rate) ?? 1) : 1;
  return { type, rate, sigmaZ, total: computed?.total ?? { count: 0, size: 0 } };
}

/** The mean moving range of the standardised shares by d2 (Laney 2002). */
function laneySigma(counts: Float64Array, sizes: Float64Array, rate: number): number | undefined {
  const spread = rate * (1 - rate);
  if (spread === 0) return 0;
  let [previous, mean, ranges] = [NaN, 0, 0];
  for (let i = 0; i < counts.length; i++) {
    if (!isUsable('laneyP', counts[i]!, sizes[i]!)) continue;
    const z = (counts[i]! / sizes[i]! - rate) / Math.sqrt(spread / sizes[i]!);
    if (!Number.isNaN(previous)) mean += (Math.abs(z - previous) - mean) / ++ranges;
    previous = z;
  }
  return ranges === 0 ? undefined : mean / rangeConstants(2).d2;
}

/** Value and limits at three standard deviations for a sample of `size`; limits end at 0, and for parts at all parts. */
export function countPoint(chart: CountChart, count: number, size: number): CountPoint {
  const { value, centerLine, deviation } = unlimitedPoint(chart, count, size);
  const most = isOfParts(chart.type) ? (isPerUnit(chart.type) ? 1 : size) : Infinity;
  return {
    value,
    centerLine,
    lower: Math.max(0, centerLine - 3 * deviation),
    upper: Math.min(most, centerLine + 3 * deviation),
  };
}

/** The distance of a point from its centre line in standard deviations, by which rules of runs judge it. */
export function countDeviation(chart: CountChart, count: number, size: number): number {
  const { value, centerLine, deviation } = unlimitedPoint(chart, count, size);
  return value === centerLine ? 0 : (value - centerLine) / deviation;
}

function unlimitedPoint({ type, rate, sigmaZ }: CountChart, count: number, size: number) {
  const variance = isOfParts(type) ? rate * (1 - rate) : rate;
  return {
    value: isPerUnit(type) ? count / size : count,
    centerLine: isPerUnit(type) ? rate : rate * size,
    deviation: sigmaZ * Math.sqrt(isPerUnit(type) ? variance / size : variance * size),
  };
}

/** Whether points are shares or rates, and not numbers. */
function isPerUnit(type: CountChartType): boolean {
  return type === 'p' || type === 'u' || type === 'laneyP';
}

/** The exact probabilities of a count at most and at least as large, where the rate holds. */
export function countTails({ type, rate }: Pick<CountChart, 'type' | 'rate'>, count: number, size: number): CountTails {
  return isOfParts(type) ? binomialTails(count, size, rate) : poissonTails(count, rate * size);
}

/**
 * The normal score of a count: Φ⁻¹(P(X < count) + P(X = count) / 2), which steps as counts do but is level on average.
 * It is at most 38 in size.
 */
export function countScore(chart: Pick<CountChart, 'type' | 'rate'>, count: number, size: number): number {
  const { lower, upper } = countTails(chart, count, size);
  // The smaller tail keeps its digits.
  if (lower < upper) return scoreOf((lower + (count === 0 ? 0 : countTails(chart, count - 1, size).lower)) / 2);
  const isLargest = isOfParts(chart.type) && count >= size;
  return -scoreOf((upper + (isLargest ? 0 : countTails(chart, count + 1, size).upper)) / 2);
}

function scoreOf(probability: number): number {
  return probability > 0 ? normalQuantile(Math.min(probability, 0.5)) : -38;
}

/** A share or a rate with its exact confidence interval. */
export interface CountRate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** The rate of a chart with the exact interval of the binomial or the Poisson distribution. */
export function countRate({ type, rate, total }: CountChart, confidence: number): CountRate {
  const [lower, upper] = isOfParts(type)
    ? binomialInterval(total.count, total.size, confidence)
    : poissonInterval(total.count, confidence).map((bound) => bound / total.size);
  return { value: rate, lower: lower!, upper: upper! };
}
