/** Models of the distribution of values that may be asked for. */
export const REQUESTED_MODELS = [
  'normal',
  'lognormal',
  'weibull',
  'gamma',
  'foldedNormal',
  'rayleigh',
  'student',
  'lognormalMirrored',
  'weibullMirrored',
] as const;
/** `auto` chooses a model by the values. */
export const EVALUATION_MODELS = ['auto', ...REQUESTED_MODELS] as const;
export type EvaluationModel = (typeof EVALUATION_MODELS)[number];
