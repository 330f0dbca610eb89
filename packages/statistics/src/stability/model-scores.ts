import type { SpecificationLimits } from '../capability/limits.ts';
import { momentsOf } from '../descriptive/moments.ts';
import { sortValues } from '../descriptive/quantiles.ts';
import { fitModel, type FitOptions, type ModelFit } from '../models/fits.ts';
import type { ModelDescription } from '../models/fitted-model.ts';
import { COARSE_STEP, type ModelChoice } from '../models/model-choice.ts';
import { fittedModel, MODEL_KINDS } from '../models/model-functions.ts';
import { drawFromBlocks, MAX_FITTED_VALUES } from '../models/sample/drawn-values.ts';
import { moveFromBoundaries, spreadWithinSteps } from '../models/sample/value-steps.ts';
import { weightedSample } from '../models/sample/weighted-sample.ts';
import { verdictScores } from './scores.ts';

/** Values in the order of measurement as charts and verdicts judge them. */
export interface JudgedValues {
  /** The values themselves; of a coarse gauge spread within its step, and half a step off a natural boundary. */
  readonly values: Float64Array;
  /** The model and the scores by which a verdict judges the values; absent where the model is normal. */
  readonly scored?: { readonly model: ModelDescription; readonly verdict: Float64Array };
}

/**
 * Prepares values for charts and verdicts.
 * @param values NaN for a missing one
 * @param choice the model of these values
 */
export function judgedValues(
  values: Float64Array,
  limits: Pick<SpecificationLimits, 'lowerBoundary' | 'upperBoundary'>,
  { fit, fitOptions }: Pick<ModelChoice, 'fit' | 'fitOptions'>,
): JudgedValues {
  const step = fitOptions.resolution;
  const prepared =
    step === undefined
      ? values
      : preparedValues(values, step, step > COARSE_STEP * (momentsOf(values)?.standardDeviation ?? Infinity), limits);
  if (!fit || !isScored(fit)) return { values: prepared };
  const options = fit.thresholdOrigin === 'given' ? fitOptions : { resolution: step };
  return { values: prepared, scored: { model: fit, verdict: valuesForVerdict(prepared, fit, options) } };
}

function preparedValues(
  values: Float64Array,
  step: number,
  isCoarse: boolean,
  { lowerBoundary, upperBoundary }: Pick<SpecificationLimits, 'lowerBoundary' | 'upperBoundary'>,
): Float64Array {
  const boundaries = { lower: lowerBoundary, upper: upperBoundary };
  return isCoarse ? spreadWithinSteps(values, step, boundaries) : moveFromBoundaries(values, step, boundaries);
}

/** Whether values of a model are judged by scores; Student's model takes outliers in and so would hide them. */
function isScored({ name }: Pick<ModelFit, 'name'>): boolean {
  return MODEL_KINDS[name].family.positive;
}

/**
 * The values by which a verdict judges a process: normal scores of its model, or the values themselves where the model is normal or
 * Student's.
 * @param values NaN for a missing one
 * @param options those with which the model was fitted
 */
export function valuesForVerdict(values: Float64Array, model: ModelDescription, options: FitOptions): Float64Array {
  if (!isScored(model)) return values;
  const isEstimated = options.boundary === undefined;
  const fit = (kept: Float64Array) => {
    const sample = weightedSample(sortValues(drawFromBlocks(kept, MAX_FITTED_VALUES).slice()));
    const found = fitModel(model.name, sample, options);
    return found && fittedModel(found);
  };
  const side = MODEL_KINDS[model.name].mirrored ? 'above' : 'below';
  return verdictScores(values, fittedModel(model), { fit, ...(isEstimated && { estimatedThreshold: side }) });
}
