import { countOf, mapMeasured } from '../descriptive/measured-values.ts';
import type { FittedModel } from '../models/fitted-model.ts';
import { farthestOut } from './farthest.ts';

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
  if (estimatedThreshold === undefined || refitted === model) return mapMeasured(values, (value) => refitted.score(value));
  const side = estimatedThreshold === 'below' ? -1 : 1;
  return mapMeasured(values, (value) => {
    const score = refitted.score(value);
    if (!(score * side > 0)) return score;
    const other = model.score(value);
    return Math.abs(other) < Math.abs(score) ? other : score;
  });
}

/**
 * The measured values without those farthest out.
 * @param distance grows with the distance from the middle on each side, so only the extreme values need be compared
 */
export function withoutFarthest(values: Float64Array, distance: (value: number) => number): Float64Array {
  const count = countOf(values);
  const leftOut = [...farthestOut(values, Math.min(leftOutOf(count), count - 1), distance)].sort((first, second) => first - second);
  const kept = new Float64Array(count - leftOut.length);
  let [next, skipped] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (i === leftOut[skipped]) skipped++;
    else if (!Number.isNaN(values[i]!)) kept[next++] = values[i]!;
  }
  return kept;
}
