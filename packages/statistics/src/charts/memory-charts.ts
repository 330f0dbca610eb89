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

/** Points beyond the limits. */
export interface MemorySignals {
  readonly hits: readonly number[];
  /** The hits between two returns to the target: index of the first one, and their number. */
  readonly excursions: readonly { readonly first: number; readonly signals: number }[];
}

/** Values and limits by point, NaN for a missing one. */
export interface EwmaChart extends MemorySignals {
  readonly values: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
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
  const signals = new SignalCounter();
  // The average of differences from the target, which are exact for large values.
  let average = 0;
  let variance = 0;
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!;
    if (Number.isNaN(point)) continue;
    const next = lambda * (point - target) + (1 - lambda) * average;
    const isBack = next === 0 || Math.sign(next) !== Math.sign(average);
    average = next;
    variance = (lambda * lambda) / (counts?.[i] ?? 1) + (1 - lambda) ** 2 * variance;
    const reach = width * sigma * Math.sqrt(variance);
    values[i] = target + average;
    lower[i] = target - reach;
    upper[i] = target + reach;
    const isSignal = Math.abs(average) > reach;
    if (isSignal) hits.push(i);
    signals.add(i, isSignal, isBack);
  }
  return { values, lower, upper, hits, excursions: signals.excursions };
}

/** Counts signals; those after a return to the target are another excursion. */
class SignalCounter {
  readonly excursions: { first: number; signals: number }[] = [];
  private current: { first: number; signals: number } | undefined;

  add(index: number, isSignal: boolean, isBack: boolean): void {
    if (isBack) this.current = undefined;
    if (!isSignal) return;
    if (this.current) {
      this.current.signals += 1;
      return;
    }
    this.current = { first: index, signals: 1 };
    this.excursions.push(this.current);
  }
}

/** Sums above and below the target in standard deviations of a point, NaN for a missing one; beyond `h` they signal. */
export interface CusumChart extends MemorySignals {
  readonly upper: Float64Array;
  readonly lower: Float64Array;
}

/** The two cumulative sums C⁺ = max(0, C⁺ + z − k) and C⁻ = max(0, C⁻ − z − k), which a signal does not reset. */
export function cusumChart({ points, counts, target, sigma }: MemoryPoints, { k, h }: CusumSettings): CusumChart {
  const upper = new Float64Array(points.length).fill(NaN);
  const lower = new Float64Array(points.length).fill(NaN);
  const hits: number[] = [];
  const [aboveSignals, belowSignals] = [new SignalCounter(), new SignalCounter()];
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
    aboveSignals.add(i, above > h, above === 0);
    belowSignals.add(i, below > h, below === 0);
  }
  const excursions = [...aboveSignals.excursions, ...belowSignals.excursions].sort((a, b) => a.first - b.first);
  return { upper, lower, hits, excursions };
}
