import { assessMemoryChart, cusumChart, ewmaChart, type MemorySettings, type Stability } from '@sinebar/statistics';

export interface MemoryPoint {
  /** Index of the first value of the point. */
  readonly first: number;
  /** Present for an EWMA chart. */
  readonly value?: number;
  readonly lower?: number;
  readonly upper?: number;
  /** Sums of a CUSUM chart, in standard deviations of a point. */
  readonly above?: number;
  readonly below?: number;
  readonly isBeyond: boolean;
}

/** A chart that remembers earlier points. */
export interface MemoryFigures {
  readonly target: number;
  readonly sigma: number;
  readonly settings: MemorySettings;
  /** In the order of measurement, without missing ones. */
  readonly points: readonly MemoryPoint[];
}

export interface MemoryInput {
  /** Values, or means of subgroups; NaN for a missing one. */
  readonly points: Float64Array;
  /** Sizes of subgroups. */
  readonly counts?: ArrayLike<number>;
  readonly target: number;
  readonly sigma: number;
  readonly settings: MemorySettings;
  /** Index of the first value of a point. */
  readonly firstOf: (index: number) => number;
}

/** Computes the chart and its verdict. */
export function memoryChart({ firstOf, settings, ...input }: MemoryInput): { memory: MemoryFigures; stability: Stability } {
  const ewma = 'ewma' in settings ? ewmaChart(input, settings.ewma) : undefined;
  const cusum = 'cusum' in settings ? cusumChart(input, settings.cusum) : undefined;
  const beyond = new Set((ewma ?? cusum)!.hits);
  const points: MemoryPoint[] = [];
  for (let index = 0; index < input.points.length; index += 1) {
    if (Number.isNaN(input.points[index]!)) continue;
    points.push({
      first: firstOf(index),
      ...(ewma && { value: ewma.values[index]!, lower: ewma.lower[index]!, upper: ewma.upper[index]! }),
      ...(cusum && { above: cusum.upper[index]!, below: cusum.lower[index]! }),
      isBeyond: beyond.has(index),
    });
  }
  const verdict = assessMemoryChart((ewma ?? cusum)!, points.length, settings, input.counts ? 'groups' : 'values');
  return {
    memory: { target: input.target, sigma: input.sigma, settings, points },
    stability: { ...verdict, reasons: {}, points: points.length },
  };
}
