import type { NowStatus } from '@sinebar/contracts';
import { statusOf, type SpecificationLimits } from '@sinebar/statistics';

/** Judges the newest value of a characteristic. @param value undefined without one */
export function nowStatusOf(value: number | undefined, limits: SpecificationLimits): NowStatus {
  if (value === undefined) return 'noData';
  const { lowerTolerance, upperTolerance, lowerWarning, upperWarning } = limits;
  const hasLimits = (lowerTolerance ?? upperTolerance ?? lowerWarning ?? upperWarning) !== undefined;
  return hasLimits ? statusOf(value, limits) : 'noLimits';
}
