import type { MarkName } from './marks.ts';
import type { Limits } from './tolerance-scale.ts';

/** Status of a single value, in the words of the server. */
export type ValueStatus = 'inLimits' | 'inWarning' | 'belowTolerance' | 'aboveTolerance';

const MARKS: Record<ValueStatus, MarkName> = { inLimits: 'point', inWarning: 'warning', belowTolerance: 'below', aboveTolerance: 'above' };

export function markOf(status: ValueStatus): MarkName {
  return MARKS[status];
}

export function isOut(status: ValueStatus): boolean {
  return status === 'belowTolerance' || status === 'aboveTolerance';
}

export function barRoleOf(status: ValueStatus): string {
  if (isOut(status)) return 'outBar';
  return status === 'inWarning' ? 'warningBar' : 'bar';
}

/** Judges a value against its limits as the server does. */
export function statusOf(value: number, limits: Limits): ValueStatus {
  if (limits.lowerTolerance !== undefined && value < limits.lowerTolerance) return 'belowTolerance';
  if (limits.upperTolerance !== undefined && value > limits.upperTolerance) return 'aboveTolerance';
  const isBelow = limits.lowerWarning !== undefined && value < limits.lowerWarning;
  const isAbove = limits.upperWarning !== undefined && value > limits.upperWarning;
  return isBelow || isAbove ? 'inWarning' : 'inLimits';
}
