import { indexLimits, type SpecificationLimits } from '../capability/limits.ts';
import { PERCENTILES } from '../capability/indices.ts';
import type { FittedModel } from './fitted-model.ts';

export interface Percentiles {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Values of the indices of a model; those that the limits do not define are absent. */
export interface ModelIndices {
  readonly p?: number;
  readonly pk?: number;
  readonly pl?: number;
  readonly pu?: number;
}

export const MODEL_INDEX_KEYS = ['p', 'pk', 'pl', 'pu'] as const satisfies readonly (keyof ModelIndices)[];

/** The percentiles 0.135, 50 and 99.865 of a model. */
export function percentilesOf(model: FittedModel): Percentiles {
  return { low: model.quantile(PERCENTILES.low), median: model.quantile(PERCENTILES.median), high: model.quantile(PERCENTILES.high) };
}

/**
 * Indices by the percentile method of ISO 22514-2; negative where the median is beyond the limit.
 * C = width / (X99.865 − X0.135), C_u = (U − X50) / (X99.865 − X50), C_l = (X50 − L) / (X50 − X0.135).
 * @returns no index where limits are crossed or the figure is not finite
 */
export function indicesOfPercentiles({ low, median, high }: Percentiles, limits: SpecificationLimits): ModelIndices {
  const given = indexLimits(limits);
  if (!given) return {};
  const p = given.width && (given.width[1] - given.width[0]) / (high - low);
  const pl = given.lower === undefined ? undefined : (median - given.lower) / (median - low);
  const pu = given.upper === undefined ? undefined : (given.upper - median) / (high - median);
  const pk = pl === undefined && pu === undefined ? undefined : Math.min(pl ?? Infinity, pu ?? Infinity);
  const indices: { -readonly [K in keyof ModelIndices]: ModelIndices[K] } = {};
  if (p !== undefined && Number.isFinite(p)) indices.p = p;
  if (pk !== undefined && Number.isFinite(pk)) indices.pk = pk;
  if (pl !== undefined && Number.isFinite(pl)) indices.pl = pl;
  if (pu !== undefined && Number.isFinite(pu)) indices.pu = pu;
  return indices;
}
