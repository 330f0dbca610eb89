import { normalCdf } from '../distributions.ts';
import type { SpecificationLimits } from './limits.ts';

/** Values beyond the tolerances, in parts per million; a side without a tolerance is absent. */
export interface PartsPerMillion {
  readonly below?: number;
  readonly above?: number;
  readonly total: number;
}

/** @returns undefined without a tolerance or without values */
export function observedPartsPerMillion(
  counts: { readonly belowTolerance: number; readonly aboveTolerance: number },
  count: number,
  limits: SpecificationLimits,
): PartsPerMillion | undefined {
  if (count === 0) return undefined;
  return bySide(limits, (counts.belowTolerance / count) * 1e6, (counts.aboveTolerance / count) * 1e6);
}

/**
 * Computes the share of a normal distribution beyond the tolerances: Φ((L − mean) / σ) and 1 − Φ((U − mean) / σ).
 * @returns undefined without a tolerance or where σ is 0
 */
export function expectedPartsPerMillion(mean: number, sigma: number, limits: SpecificationLimits): PartsPerMillion | undefined {
  if (!(sigma > 0)) return undefined;
  const below = limits.lowerTolerance === undefined ? 0 : normalCdf((limits.lowerTolerance - mean) / sigma) * 1e6;
  // The symmetric form, because 1 − Φ loses its digits where Φ is close to 1.
  const above = limits.upperTolerance === undefined ? 0 : normalCdf((mean - limits.upperTolerance) / sigma) * 1e6;
  return bySide(limits, below, above);
}

function bySide(limits: SpecificationLimits, below: number, above: number): PartsPerMillion | undefined {
  const hasLower = limits.lowerTolerance !== undefined;
  const hasUpper = limits.upperTolerance !== undefined;
  if (!hasLower && !hasUpper) return undefined;
  return { ...(hasLower ? { below } : {}), ...(hasUpper ? { above } : {}), total: (hasLower ? below : 0) + (hasUpper ? above : 0) };
}
