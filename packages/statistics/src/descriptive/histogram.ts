import { momentsOf } from './moments.ts';
import { quantile } from './quantiles.ts';
import { decimalsOf } from './resolution.ts';

/** How the width of a class follows from the values. */
export const HISTOGRAM_RULES = ['freedmanDiaconis', 'scott', 'squareRoot'] as const;
export type HistogramRule = (typeof HISTOGRAM_RULES)[number];

/**
 * Class i holds the values from `edges[i]` up to, not including, `edges[i + 1]`; the last class includes its upper edge.
 * A value that misses an edge by the rounding of doubles alone counts as if it were the edge.
 */
export interface Histogram {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

const MAX_CLASSES = 200;

/**
 * Counts values in classes of equal width whose edges are multiples of the resolution of the values.
 * Every value is counted once.
 * @param sorted ascending, finite, at least one value
 * @param limits tolerance limits; those among the values are edges, and a value on the upper one counts below it
 */
export function histogram(
  sorted: Float64Array,
  rule: HistogramRule = 'freedmanDiaconis',
  limits: { readonly lowerTolerance?: number | undefined; readonly upperTolerance?: number | undefined } = {},
): Histogram {
  const { lowerTolerance, upperTolerance } = limits;
  return onUpperLimitBelow(classesOf(sorted, rule, [lowerTolerance, upperTolerance]), sorted, upperTolerance);
}

function classesOf(sorted: Float64Array, rule: HistogramRule, limits: readonly (number | undefined)[]): Histogram {
  const minimum = sorted[0]!;
  const maximum = sorted[sorted.length - 1]!;
  const range = maximum - minimum;
  const decimals = decimalsOf(sorted);
  const between = limits.filter((limit) => limit !== undefined && limit >= minimum && limit <= maximum) as number[];
  const atLimits = between.length > 0 && range > 0 ? histogramAtLimits(sorted, between, classWidth(sorted, rule), decimals) : undefined;
  if (atLimits) return atLimits;
  if (decimals !== undefined) return histogramOfMultiples(sorted, 10 ** decimals, classWidth(sorted, rule));
  if (range === 0) return { edges: edgesAround(minimum), counts: [sorted.length] };
  return histogramOfAny(sorted, classWidth(sorted, rule));
}

/** The width that the rule gives, or the next coarser rule where the interquartile range or the spread is 0. */
function classWidth(sorted: Float64Array, rule: HistogramRule): number {
  const count = sorted.length;
  const range = sorted[count - 1]! - sorted[0]!;
  if (rule === 'freedmanDiaconis') {
    const width = (2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25))) / Math.cbrt(count);
    if (width > 0 && Number.isFinite(width)) return width;
  }
  if (rule !== 'squareRoot') {
    const width = (3.49 * (momentsOf(sorted)?.standardDeviation ?? 0)) / Math.cbrt(count);
    if (width > 0 && Number.isFinite(width)) return width;
  }
  return range / Math.ceil(Math.sqrt(count));
}

/**
 * Classes that begin and end at the limits.
 * @param anchors one limit or both, ascending
 * @param wanted width of a class
 * @returns undefined where both limits lie too close together for the range of the values
 */
function histogramAtLimits(
  sorted: Float64Array,
  anchors: readonly number[],
  wanted: number,
  decimals: number | undefined,
): Histogram | undefined {
  const [first, second] = [anchors[0]!, anchors.at(-1)!];
  const [minimum, maximum] = [sorted[0]!, sorted[sorted.length - 1]!];
  const least = Math.max(wanted, (maximum - minimum) / (MAX_CLASSES - 2));
  const width = second > first ? dividingWidth(second - first, least, decimals) : steppedWidth(least, decimals);
  if (width === undefined || !(width > 0) || !Number.isFinite((maximum - minimum) / width)) return undefined;
  const from = Math.floor((minimum - first) / width + EDGE_SLACK);
  const to = Math.max(from + 1, Math.ceil((maximum - first) / width - EDGE_SLACK));
  if (to - from > MAX_CLASSES) return undefined;
  const scale = decimals === undefined ? undefined : 10 ** decimals;
  const edges = Array.from({ length: to - from + 1 }, (_, i) => {
    const edge = first + (from + i) * width;
    const limit = anchors.find((anchor) => Math.abs(anchor - edge) < width * EDGE_SLACK);
    return limit ?? (scale === undefined ? edge : Math.round(edge * scale * FINER) / (scale * FINER));
  });
  if (edges.some((edge, i) => i > 0 && edge <= edges[i - 1]!)) return undefined;
  return { edges, counts: countsBetween(edges, sorted) };
}

/** Share of a class by which an edge may miss a limit or a value through rounding. */
const EDGE_SLACK = 1e-9;
/** Limits may have one digit more than the values. */
const FINER = 10;

/** The width nearest to `least`, or above, that divides the distance of both limits, in steps of the resolution where there are such. */
function dividingWidth(distance: number, least: number, decimals: number | undefined): number | undefined {
  const most = Math.floor(distance / least + EDGE_SLACK);
  if (most < 1) return undefined;
  if (decimals !== undefined) {
    const steps = Math.round(distance * 10 ** decimals);
    const isWhole = Math.abs(distance * 10 ** decimals - steps) < 1e-6;
    for (let classes = most; isWhole && classes >= Math.max(1, most / 2); classes--) if (steps % classes === 0) return distance / classes;
  }
  return distance / most;
}

function steppedWidth(least: number, decimals: number | undefined): number {
  return decimals === undefined ? least : Math.max(1, Math.round(least * 10 ** decimals)) / 10 ** decimals;
}

/** Edges and values as whole numbers of the resolution 1/factor, so that a value on an edge is counted where it belongs. */
function histogramOfMultiples(sorted: Float64Array, factor: number, width: number): Histogram {
  const first = Math.round(sorted[0]! * factor);
  const last = Math.round(sorted[sorted.length - 1]! * factor);
  const smallestStep = Math.ceil((last - first + 1) / MAX_CLASSES);
  const step = Math.max(1, smallestStep, Math.round(width * factor));
  const classes = Math.floor((last - first) / step) + 1;
  const counts = new Array<number>(classes).fill(0);
  for (let i = 0; i < sorted.length; i++) counts[Math.floor((Math.round(sorted[i]! * factor) - first) / step)]!++;
  return { edges: Array.from({ length: classes + 1 }, (_, i) => (first + i * step) / factor), counts };
}

/** Values without a common resolution: classes divide the range from the smallest to the largest value. */
function histogramOfAny(sorted: Float64Array, width: number): Histogram {
  const minimum = sorted[0]!;
  const maximum = sorted[sorted.length - 1]!;
  // Halves, because the range of values near ±1.8e308 is not a double.
  const halfRange = maximum / 2 - minimum / 2;
  const wanted = Number.isFinite(width) && width > 0 ? Math.ceil(halfRange / (width / 2)) : Math.ceil(Math.sqrt(sorted.length));
  const classes = Math.min(MAX_CLASSES, Math.max(1, wanted));
  const edges = [minimum];
  for (let i = 1; i < classes; i++) {
    const edge = 2 * (minimum / 2 + (halfRange * i) / classes);
    // Classes narrower than the distance of neighbouring doubles collapse into one.
    if (edge > edges[edges.length - 1]! && edge < maximum) edges.push(edge);
  }
  edges.push(maximum);
  return { edges, counts: countsBetween(edges, sorted) };
}

function countsBetween(edges: readonly number[], sorted: Float64Array): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0);
  let index = 0;
  for (const value of sorted) {
    while (index < counts.length - 1 && value >= edges[index + 1]!) index++;
    counts[index]!++;
  }
  return counts;
}

/** A value on the upper tolerance limit is within the tolerance: where the limit is an edge, the value counts below it. */
function onUpperLimitBelow({ edges, counts }: Histogram, sorted: Float64Array, limit: number | undefined): Histogram {
  const index = limit === undefined ? -1 : edges.indexOf(limit);
  if (index < 0 || index === counts.length) return { edges, counts };
  const onLimit = sorted.reduce((count, value) => (value === limit ? count + 1 : count), 0);
  if (onLimit === 0) return { edges, counts };
  if (index === 0) return onUpperLimitBelow({ edges: [2 * edges[0]! - edges[1]!, ...edges], counts: [0, ...counts] }, sorted, limit);
  return { edges, counts: counts.map((count, i) => count + (i === index - 1 ? onLimit : i === index ? -onLimit : 0)) };
}

function edgesAround(value: number): [number, number] {
  const half = Math.max(Math.abs(value) * 1e-9, Number.MIN_VALUE);
  return [Math.max(value - half, -Number.MAX_VALUE), Math.min(value + half, Number.MAX_VALUE)];
}
