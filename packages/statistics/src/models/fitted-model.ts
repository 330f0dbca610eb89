/** Models that may be asked for. */
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

/** Models of a characteristic's values; the mirrored ones describe the values with their signs changed. */
export const MODEL_NAMES = [...REQUESTED_MODELS, 'gammaMirrored', 'foldedNormalMirrored', 'rayleighMirrored'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];

/**
 * Parameters of a model, in the unit of the values unless said otherwise.
 * Of a lognormal model, `location` and `scale` are the mean and the standard deviation of the natural logarithms.
 */
export interface ModelParameters {
  readonly location?: number;
  readonly scale: number;
  /** The shape of Weibull and gamma, without unit. */
  readonly shape?: number;
  /** A parameter of Student's distribution. */
  readonly degreesOfFreedom?: number;
  /** The end of the model: the distribution begins here; of a mirrored model the end of the mirrored values. */
  readonly threshold?: number;
}

/** Plain form of a model, which may be stored and sent to a thread. */
export interface ModelDescription {
  readonly name: ModelName;
  readonly parameters: ModelParameters;
}

/** A model with its functions; every answer is finite for finite input. */
export interface FittedModel extends ModelDescription {
  /** F(x). */
  cdf(value: number): number;
  /** 1 − F(x), exact where F(x) is close to 1. */
  survival(value: number): number;
  /** Normal score Φ⁻¹(F(x)), exact in both tails; at most 1e6 in size, also beyond the end of the model. */
  score(value: number): number;
  /** The value with F(x) = `probability`, for 0 < probability < 1. */
  quantile(probability: number): number;
  /** The value with the normal score z: the inverse of `score`, exact in both tails. */
  valueAt(score: number): number;
}
