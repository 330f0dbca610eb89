import { sortValues } from '../descriptive/quantiles.ts';
import { fitModel, type FitOptions } from '../models/fits.ts';
import type { ModelDescription } from '../models/fitted-model.ts';
import { fittedModel, MODEL_KINDS } from '../models/model-functions.ts';
import { drawFromBlocks, MAX_FITTED_VALUES } from '../models/sample/drawn-values.ts';
import { weightedSample } from '../models/sample/weighted-sample.ts';
import { verdictScores } from './scores.ts';

/**
 * The values by which a verdict judges a process: normal scores of its model, or the values themselves where the model is normal.
 * Student's model takes outliers in and so would hide them: its values are judged as normal ones.
 * @param values NaN for a missing one
 * @param options those with which the model was fitted
 */
export function valuesForVerdict(values: Float64Array, model: ModelDescription, options: FitOptions): Float64Array {
  const { family, mirrored } = MODEL_KINDS[model.name];
  if (!family.positive) return values;
  const isEstimated = options.boundary === undefined;
  const fit = (kept: Float64Array) => {
    const sample = weightedSample(sortValues(drawFromBlocks(kept, MAX_FITTED_VALUES).slice()));
    const found = fitModel(model.name, sample, options);
    return found && fittedModel(found);
  };
  return verdictScores(values, fittedModel(model), { fit, ...(isEstimated && { estimatedThreshold: mirrored ? 'above' : 'below' }) });
}
