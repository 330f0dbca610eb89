/** Settings of an EWMA chart: the weight of the newest point, and the distance of its limits in standard deviations. */
export interface EwmaSettings {
  readonly lambda: number;
  readonly width: number;
}

/** Settings of a CUSUM chart in standard deviations of a point: the slack and the decision interval. */
export interface CusumSettings {
  readonly k: number;
  readonly h: number;
}

export const DEFAULT_EWMA: EwmaSettings = { lambda: 0.2, width: 3 };
export const DEFAULT_CUSUM: CusumSettings = { k: 0.5, h: 4 };

/** Points of a chart that remembers those before; counts are the number of values of each point, all 1 by default. */
export interface MemoryPoints {
  /** In the order of measurement; NaN for a missing point, which changes nothing. */
  readonly points: Float64Array;
  readonly counts?: ArrayLike<number>;
  readonly target: number;
  /** Standard deviation of single values. */
  readonly sigma: number;
}

/** Values and limits by point, NaN for a missing one, and the indices of points beyond the limits. */
export interface EwmaChart {
  readonly values: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly hits: readonly number[];
}

/**
 * The exponentially weighted moving average, which starts at the target and is not reset by a signal.
 * Limits are exact: they follow from the variance of each value, which grows to λ / (2 − λ) of that of a point.
 */
export function ewmaChart({ points, counts, target, sigma }: MemoryPoints, { lambda, width }: EwmaSettings): EwmaChart {
  const [values, lower, upper] = [0, 0, 0].map(() => new Float64Array(points.length).fill(NaN)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const hits: number[] = [];
  // The average of differences from the target, which are exact for large values.
  let average = 0;
  let variance = 0;
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!;
    if (Number.isNaN(point)) continue;
    average = lambda * (point - target) + (1 - lambda) * average;
    variance = (lambda * lambda) / (counts?.[i] ?? 1) + (1 - lambda) ** 2 * variance;
    const reach = width * sigma * Math.sqrt(variance);
    values[i] = target + average;
    lower[i] = target - reach;
    upper[i] = target + reach;
    if (Math.abs(average) > reach) hits.push(i);
  }
  return { values, lower, upper, hits };
}

/** Sums above and below the target in standard deviations of a point, NaN for a missing one, and the points beyond `h`. */
export interface CusumChart {
  readonly upper: Float64Array;
  readonly lower: Float64Array;
  readonly hits: readonly number[];
}

/** The two cumulative sums C⁺ = max(0, C⁺ + z − k) and C⁻ = max(0, C⁻ − z − k), which a signal does not reset. */
export function cusumChart({ points, counts, target, sigma }: MemoryPoints, { k, h }: CusumSettings): CusumChart {
  const upper = new Float64Array(points.length).fill(NaN);
  const lower = new Float64Array(points.length).fill(NaN);
  const hits: number[] = [];
  let [above, below] = [0, 0];
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!;
    if (Number.isNaN(point)) continue;
    const difference = point - target;
    const z = difference === 0 ? 0 : (difference / sigma) * Math.sqrt(counts?.[i] ?? 1);
    above = Math.max(0, above + z - k);
    below = Math.max(0, below - z - k);
    upper[i] = above;
    lower[i] = below;
    if (above > h || below > h) hits.push(i);
  }
  return { upper, lower, hits };
}
