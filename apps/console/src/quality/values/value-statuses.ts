import type { Measurement } from '@sinebar/client';
import type { Status } from '../../design/status/glyph';

/** Counts of the values of a measurement by their status. */
export interface StatusCounts {
  values: number;
  out: number;
  warning: number;
}

export function countsOf({ status = [] }: Measurement): StatusCounts {
  const count = (id: 'Green' | 'Yellow' | 'Red') => status.find((each) => each.id === id)?.count ?? 0;
  return { values: count('Green') + count('Yellow') + count('Red'), out: count('Red'), warning: count('Yellow') };
}

/** The worst status of the values of a measurement. */
export function worstOf(counts: StatusCounts): Status {
  if (counts.out > 0) return 'outOfTolerance';
  if (counts.warning > 0) return 'inWarning';
  return counts.values > 0 ? 'inLimits' : 'noData';
}

/**
 * Lists the status of every value in plan order.
 * @param planned uuids of the characteristics of the part, in plan order
 */
export function statusesInPlanOrder({ status = [] }: Measurement, planned: readonly string[]): Status[] {
  const statuses = new Map<string, Status>();
  const names = { Green: 'inLimits', Yellow: 'inWarning', Red: 'outOfTolerance' } as const;
  for (const { id, uuid = [] } of status) for (const each of uuid) statuses.set(each, names[id]);
  return planned.map((uuid) => statuses.get(uuid) ?? 'noData');
}
