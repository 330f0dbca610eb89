/** Values ascending, each once, with how often it occurs; measured values have few digits, so that this is short. */
export interface WeightedSample {
  readonly values: Float64Array;
  readonly weights: Float64Array;
  /** The sum of the weights. */
  readonly count: number;
}

/** @param sorted ascending, finite */
export function weightedSample(sorted: Float64Array): WeightedSample {
  const values = new Float64Array(sorted.length);
  const weights = new Float64Array(sorted.length);
  let last = -1;
  for (let i = 0; i < sorted.length; i++) {
    const value = sorted[i]!;
    if (last < 0 || value !== values[last]) values[++last] = value;
    weights[last]!++;
  }
  return { values: values.slice(0, last + 1), weights: weights.slice(0, last + 1), count: sorted.length };
}

/** The sample of the values with their signs changed. */
export function mirroredSample({ values, weights, count }: WeightedSample): WeightedSample {
  return { values: values.map((value) => -value).reverse(), weights: weights.slice().reverse(), count };
}

/** The sample of the distances of the values from a threshold. */
export function shiftedSample({ values, weights, count }: WeightedSample, threshold: number): WeightedSample {
  if (threshold === 0) return { values, weights, count };
  return { values: values.map((value) => value - threshold), weights, count };
}

export function smallestOf({ values }: WeightedSample): number {
  return values[0]!;
}

export function rangeOf({ values }: WeightedSample): number {
  return values[values.length - 1]! - values[0]!;
}

/** Σ w·f(x) / Σ w. */
export function weightedMean({ values, weights, count }: WeightedSample, term: (value: number) => number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += weights[i]! * term(values[i]!);
  return sum / count;
}
