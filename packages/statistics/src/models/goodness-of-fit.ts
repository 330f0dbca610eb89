import { andersonDarlingPValue } from '../normality/anderson-darling.ts';
import type { ModelFit } from './fits.ts';
import { distancesOf, MODEL_KINDS } from './model-functions.ts';
import type { WeightedSample } from './sample/weighted-sample.ts';

/** A² of a fitted model, with a p value where its distribution does not depend on unknown parameters. */
export interface GoodnessOfFit {
  readonly statistic: number;
  readonly pValue?: number;
}

/**
 * Compares values with a fitted model (Anderson and Darling 1954): A² = −n − Σ (2i − 1)/n · [ln F(xᵢ) + ln(1 − F(xₙ₊₁₋ᵢ))].
 * @returns undefined where the model does not allow a value
 */
export function goodnessOfFit(fit: ModelFit, sample: WeightedSample): GoodnessOfFit | undefined {
  const { family, mirrored } = MODEL_KINDS[fit.name];
  const { values, weights, count } = distancesOf(sample, mirrored, fit.parameters.threshold);
  const distribution = family.distribution(fit.parameters);
  let sum = 0;
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const through = before + weights[i]!;
    // The sums of 2i − 1 over equal values, from either end.
    const fromBelow = (through * through - before * before) / count;
    const fromAbove = ((count - before) ** 2 - (count - through) ** 2) / count;
    sum += fromBelow * distribution.logTail(values[i]!, 'lower') + fromAbove * distribution.logTail(values[i]!, 'upper');
    before = through;
  }
  const statistic = -count - sum;
  if (!Number.isFinite(statistic)) return undefined;
  const pValue = pValueOf(fit, statistic, count);
  return pValue === undefined ? { statistic } : { statistic, pValue };
}

function pValueOf({ name, parameters, thresholdOrigin }: ModelFit, statistic: number, count: number): number | undefined {
  const adjusted = statistic * (1 + 0.75 / count + 2.25 / (count * count));
  switch (name) {
    case 'normal':
      return andersonDarlingPValue(adjusted);
    case 'lognormal':
    case 'lognormalMirrored':
    case 'weibull':
    case 'weibullMirrored':
      // With two estimated parameters A² of these models is distributed nearly as that of normal values.
      return thresholdOrigin === 'given' ? andersonDarlingPValue(adjusted) : undefined;
    case 'gamma':
    case 'gammaMirrored':
      return thresholdOrigin === 'given' && parameters.shape! >= 1 ? andersonDarlingPValue(adjusted) : undefined;
    case 'rayleigh':
    case 'rayleighMirrored':
      return exponentialPValue(statistic * (1 + 0.6 / count));
    case 'foldedNormal':
    case 'foldedNormalMirrored':
    case 'student':
      return undefined;
  }
}

/** The squares of Rayleigh values are exponential (D'Agostino and Stephens 1986, table 4.14, scale unknown). */
function exponentialPValue(adjusted: number): number {
  if (adjusted < 0.26) return Math.max(0, 1 - Math.exp(-12.2204 + 67.459 * adjusted - 110.3 * adjusted ** 2));
  if (adjusted < 0.51) return 1 - Math.exp(-6.1327 + 20.218 * adjusted - 18.663 * adjusted ** 2);
  if (adjusted < 0.95) return Math.exp(0.9209 - 3.353 * adjusted + 0.3 * adjusted ** 2);
  return Math.exp(0.731 - 3.009 * Math.min(adjusted, 10) + 0.15 * Math.min(adjusted, 10) ** 2);
}
