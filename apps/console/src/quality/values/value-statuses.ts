import type { Measurement } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';

/** Counts of the values of a measurement by their status. */
export interface StatusCounts {
  values: number;
  out: number;
  warning: number;
  /** Values that nothing limits. */
  noLimits: number;
}

export function countsOf({ status = [], noLimits }: Measurement): StatusCounts {
  const count = (id: 'Green' | 'Yellow' | 'Red') => status.find((each) => each.id === id)?.count ?? 0;
  return {
    values: count('Green') + count('Yellow') + count('Red'),
    out: count('Red'),
    warning: count('Yellow'),
    noLimits: noLimits?.count ?? 0,
  };
}

/** The worst status of the values of a measurement; what is not judged counts only where nothing is. */
export function worstOf({ values, out, warning, noLimits }: StatusCounts): Status {
  if (out > 0) return 'outOfTolerance';
  if (warning > 0) return 'inWarning';
  if (values > noLimits) return 'inLimits';
  return values > 0 ? 'noLimits' : 'noData';
}

/**
 * Lists the status of every value in plan order.
 * @param planned uuids of the characteristics of the part, in plan order
 */
export function statusesInPlanOrder({ status = [], noLimits }: Measurement, planned: readonly string[]): Status[] {
  const statuses = new Map<string, Status>();
  const names = { Green: 'inLimits', Yellow: 'inWarning', Red: 'outOfTolerance' } as const;
  for (const { id, uuid = [] } of status) for (const each of uuid) statuses.set(each, names[id]);
  for (const each of noLimits?.uuid ?? []) statuses.set(each, 'noLimits');
  return planned.map((uuid) => statuses.get(uuid) ?? 'noData');
}
