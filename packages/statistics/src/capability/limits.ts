/** Limits of a characteristic, as far as it has them. */
export interface SpecificationLimits {
  readonly lowerTolerance?: number | undefined;
  readonly upperTolerance?: number | undefined;
  /** A value that cannot be passed by nature, such as 0 for roundness; it stands in place of the tolerance of its side. */
  readonly lowerBoundary?: number | undefined;
  readonly upperBoundary?: number | undefined;
  readonly lowerWarning?: number | undefined;
  readonly upperWarning?: number | undefined;
  /** The value that is aimed at. */
  readonly target?: number | undefined;
}

/** Where a value stands: beyond a tolerance, else beyond a warning limit, else within all limits. */
export const VALUE_STATUSES = ['inLimits', 'inWarning', 'belowTolerance', 'aboveTolerance'] as const;
export type ValueStatus = (typeof VALUE_STATUSES)[number];

/** A value on a limit is within it. */
export function statusOf(value: number, limits: SpecificationLimits): ValueStatus {
  if (limits.lowerTolerance !== undefined && value < limits.lowerTolerance) return 'belowTolerance';
  if (limits.upperTolerance !== undefined && value > limits.upperTolerance) return 'aboveTolerance';
  if (limits.lowerWarning !== undefined && value < limits.lowerWarning) return 'inWarning';
  if (limits.upperWarning !== undefined && value > limits.upperWarning) return 'inWarning';
  return 'inLimits';
}

/** Counts values by status; missing values (NaN) are not counted. */
export function countStatuses(values: Float64Array, limits: SpecificationLimits): Record<ValueStatus, number> {
  const counts = { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0 };
  // Nearly all values are between these bounds.
  const lowest = Math.max(limits.lowerTolerance ?? -Infinity, limits.lowerWarning ?? -Infinity);
  const highest = Math.min(limits.upperTolerance ?? Infinity, limits.upperWarning ?? Infinity);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value >= lowest && value <= highest) counts.inLimits++;
    else if (!Number.isNaN(value)) counts[statusOf(value, limits)]++;
  }
  return counts;
}

/** The sides on which a tolerance and a value for C are given. */
export interface IndexLimits {
  /** Tolerances, which the k indices use. */
  readonly lower?: number;
  readonly upper?: number;
  /** Both ends of the width in C: a tolerance or a natural boundary; absent unless there are both, the lower one below the upper one. */
  readonly width?: readonly [number, number];
}

/** @returns undefined where limits are crossed or equal */
export function indexLimits(limits: SpecificationLimits): IndexLimits | undefined {
  const { lowerTolerance: lower, upperTolerance: upper } = limits;
  const lowerEnd = lower ?? limits.lowerBoundary;
  const upperEnd = upper ?? limits.upperBoundary;
  if (lowerEnd !== undefined && upperEnd !== undefined && lowerEnd >= upperEnd) return undefined;
  const bounded = lowerEnd !== undefined && upperEnd !== undefined && (lower !== undefined || upper !== undefined);
  // Assignments are several times as fast as spreads; this runs for each of 100,000 characteristics.
  const given: { -readonly [K in keyof IndexLimits]: IndexLimits[K] } = {};
  if (lower !== undefined) given.lower = lower;
  if (upper !== undefined) given.upper = upper;
  if (bounded) given.width = [lowerEnd, upperEnd];
  return given;
}
