import type { Moments } from '../descriptive/moments.ts';
import type { ModelFit } from './fits.ts';
import { MODEL_KINDS } from './model-functions.ts';

/** The choice of a model in plain form, with which values are judged until it is outdated. */
export interface KeptModel {
  /** Absent where the spread is not defined or 0. */
  readonly fit?: ModelFit | undefined;
  readonly candidates: readonly ModelFit[];
  readonly isCompared: boolean;
  readonly notes: readonly string[];
  /** Number of the values that it was chosen for. */
  readonly count: number;
}

/** Below this number of values a model is not chosen by them. */
export const MIN_VALUES_FOR_MODELS = 25;

/** A model is fitted again after this share of more or fewer values. */
const OUTDATED_SHARE = 0.1;

/** Whether a model is to be fitted again: after a tenth more values, for few values after each one, and for values that it excludes. */
export function isOutdated({ fit, count }: KeptModel, { count: now, minimum, maximum }: Moments): boolean {
  if (!fit) return true;
  const changed = Math.abs(now - count);
  if (Math.min(count, now) < MIN_VALUES_FOR_MODELS ? changed > 0 : changed >= OUTDATED_SHARE * count) return true;
  const { family, mirrored } = MODEL_KINDS[fit.name];
  if (!family.positive) return false;
  const nearest = (mirrored ? -maximum : minimum) - fit.parameters.threshold!;
  // Values at a natural boundary are moved half a step off it.
  return fit.thresholdOrigin === 'given' ? nearest < 0 : nearest <= 0;
}
