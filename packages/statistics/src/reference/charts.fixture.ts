/** Charts of a second implementation, on lists of numbers; a missing value is undefined. */
import { mean, squares, sum } from './descriptive.fixture.ts';
import { logGamma } from './distributions.fixture.ts';

export type Values = readonly (number | undefined)[];

/** d2 and d3 as printed. */
const D2 = [0, 0, 1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.97, 3.078];
const D3 = [0, 0, 0.853, 0.888, 0.88, 0.864, 0.848, 0.833, 0.82, 0.808, 0.797];
/** The limits of ranges as printed, in units of their mean. */
const RANGE_LIMITS = [
  [0, 3.267],
  [0, 2.574],
  [0, 2.282],
  [0, 2.114],
  [0, 2.004],
  [0.076, 1.924],
  [0.136, 1.864],
  [0.184, 1.816],
  [0.223, 1.777],
] as const;

const c4 = (size: number) => Math.sqrt(2 / (size - 1)) * Math.exp(logGamma(size / 2) - logGamma((size - 1) / 2));

export function movingRanges(values: Values): number[] {
  return values.flatMap((value, i) => {
    const before = values[i - 1];
    return i === 0 || value === undefined || before === undefined ? [] : [Math.abs(value - before)];
  });
}

export const measured = (values: Values) => values.filter((value) => value !== undefined);

/** Groups of the positions i·size up to (i + 1)·size, with the values that are there. */
export const groupsOf = (values: Values, size: number) =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => measured(values.slice(i * size, (i + 1) * size)));

export const rangeOf = (group: readonly number[]) => Math.max(...group) - Math.min(...group);
export const deviationOf = (group: readonly number[]) => Math.sqrt(squares(group) / (group.length - 1));

export function sigmaWithin(groups: readonly (readonly number[])[], method: 'rbar' | 'sbar' | 'pooled'): number {
  const counted = groups.filter((group) => group.length > 1);
  if (method === 'pooled') return Math.sqrt(sum(counted.map(squares)) / sum(counted.map((group) => group.length - 1)));
  const terms = counted.map((group) => {
    const n = group.length;
    if (method === 'rbar') return { weight: (D2[n]! / D3[n]!) ** 2, sigma: rangeOf(group) / D2[n]! };
    return { weight: c4(n) ** 2 / (1 - c4(n) ** 2), sigma: deviationOf(group) / c4(n) };
  });
  return sum(terms.map(({ weight, sigma }) => weight * sigma)) / sum(terms.map(({ weight }) => weight));
}

/** The limits of the range, or of the standard deviation, of a group. */
export function spreadLimits(type: 'xbarR' | 'xbarS', size: number, sigma: number): readonly [number, number] {
  if (type === 'xbarR') return RANGE_LIMITS[size - 2]!.map((limit) => limit * D2[size]! * sigma) as [number, number];
  const reach = 3 * Math.sqrt(1 - c4(size) ** 2);
  return [Math.max(0, c4(size) - reach) * sigma, (c4(size) + reach) * sigma];
}

/** The mean of all values of groups. */
export const meanOfAll = (groups: readonly (readonly number[])[]) => mean(groups.flat());

/** λ Σ (1 − λ)ʲ xᵢ₋ⱼ + (1 − λ)ⁱ target, each sum anew; its standard deviation by the same weights. */
export function ewma(points: readonly number[], counts: readonly number[], target: number, lambda: number) {
  return points.map((_, i) => {
    const weights = points.slice(0, i + 1).map((__, j) => lambda * (1 - lambda) ** (i - j));
    return {
      value: target + sum(weights.map((weight, j) => weight * (points[j]! - target))),
      deviation: Math.sqrt(sum(weights.map((weight, j) => weight ** 2 / counts[j]!))),
    };
  });
}

/** The largest sum of z − k that ends at a point, at least 0. */
export const cusum = (z: readonly number[], k: number) =>
  z.map((_, i) => Math.max(0, ...z.slice(0, i + 1).map((__, j) => sum(z.slice(j, i + 1).map((one) => one - k)))));

/** Signals between two returns to the target: index of the first one, and their number. */
export function excursions(isSignal: readonly boolean[], isBack: readonly boolean[]): { first: number; signals: number }[] {
  const starts = [0, ...isBack.flatMap((back, i) => (back && i > 0 ? [i] : [])), isBack.length];
  return starts.slice(1).flatMap((end, part) => {
    const indices = isSignal.flatMap((signal, i) => (signal && i >= starts[part]! && i < end ? [i] : []));
    return indices.length === 0 ? [] : [{ first: indices[0]!, signals: indices.length }];
  });
}
