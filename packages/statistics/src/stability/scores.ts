import type { FittedModel } from '../models/fitted-model.ts';

/** From this number of values on, three are left out of the fit for a verdict, else one. */
const MANY_VALUES = 200;

/** How many values farthest out a verdict leaves out of what it compares all values with. */
export function leftOutOf(count: number): number {
  return count >= MANY_VALUES ? 3 : 1;
}

export interface ScoreOptions {
  /** Fits the family of the model again. */
  readonly fit: (values: Float64Array) => FittedModel | undefined;
  /** The side on which a threshold of the model is estimated from the values; absent where it is known or there is none. */
  readonly estimatedThreshold?: 'below' | 'above';
}

/**
 * Normal scores Φ⁻¹(F(x)) by which a verdict judges values of a model that is not normal.
 * F is fitted without the values farthest out, which would otherwise hide themselves.
 * A threshold that is estimated without the value next to it comes too close to the others, so on its side the smaller score of both fits
 * holds.
 * @param values NaN for a missing one, which has no score
 * @param model fitted to all values
 */
export function verdictScores(values: Float64Array, model: FittedModel, { fit, estimatedThreshold }: ScoreOptions): Float64Array {
  const kept = withoutFarthest(values, (value) => Math.abs(model.score(value)));
  const refitted = fit(kept) ?? model;
  const scores = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    scores[i] = Number.isNaN(value) ? NaN : refitted.score(value);
  }
  if (estimatedThreshold === undefined || refitted === model) return scores;
  const side = estimatedThreshold === 'below' ? -1 : 1;
  for (let i = 0; i < values.length; i++) {
    if (!(scores[i]! * side > 0)) continue;
    const other = model.score(values[i]!);
    if (Math.abs(other) < Math.abs(scores[i]!)) scores[i] = other;
  }
  return scores;
}

/**
 * The measured values without those farthest out.
 * @param distance grows with the distance from the middle on each side, so only the extreme values need be compared
 */
export function withoutFarthest(values: Float64Array, distance: (value: number) => number): Float64Array {
  const kept = values.filter((value) => !Number.isNaN(value));
  for (let left = leftOutOf(kept.length); left > 0; left--) {
    const count = kept.length - (leftOutOf(kept.length) - left);
    if (count < 2) break;
    let [lowest, highest] = [0, 0];
    for (let i = 1; i < count; i++) {
      if (kept[i]! < kept[lowest]!) lowest = i;
      if (kept[i]! > kept[highest]!) highest = i;
    }
    const farthest = distance(kept[lowest]!) > distance(kept[highest]!) ? lowest : highest;
    kept.copyWithin(farthest, farthest + 1, count);
  }
  return kept.subarray(0, Math.max(1, kept.length - leftOutOf(kept.length)));
}
