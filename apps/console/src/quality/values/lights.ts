import type { NowStatus, PartChildren } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';

/** Counts of characteristics by their light. */
export type LightCounts = Record<Status, number>;

/** The light of a characteristic: one side of the tolerance is as bad as the other. */
export function lightOf(now: NowStatus): Status {
  switch (now) {
    case 'belowTolerance':
    case 'aboveTolerance':
      return 'outOfTolerance';
    case 'inLimits':
    case 'inWarning':
    case 'noLimits':
    case 'noData':
      return now;
  }
}

/** Counts the lights of characteristics by their newest statuses. */
export function lightCounts({ now }: PartChildren['children'][number]['statuses']): LightCounts {
  const counts: LightCounts = { inLimits: 0, inWarning: 0, outOfTolerance: 0, noLimits: 0, noData: 0 };
  for (const [status, count] of Object.entries(now)) counts[lightOf(status as NowStatus)] += count;
  return counts;
}

/** Finds the worst light; what is not judged counts only where nothing is. */
export function worstLight({ outOfTolerance, inWarning, inLimits, noLimits }: LightCounts): Status {
  if (outOfTolerance > 0) return 'outOfTolerance';
  if (inWarning > 0) return 'inWarning';
  if (inLimits > 0) return 'inLimits';
  return noLimits > 0 ? 'noLimits' : 'noData';
}
