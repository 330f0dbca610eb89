/** Statuses of characteristics; one without limits is not judged. */
export type Status = 'inLimits' | 'inWarning' | 'outOfTolerance' | 'noLimits' | 'noData';

/** A column of a strip of statuses: the worst of the characteristics that share its pixels. */
export interface StatusColumn {
  /** Middle of the column, px. */
  readonly x: number;
  readonly status: Status;
}

const RANK: Record<Status, number> = { noData: 0, noLimits: 1, inLimits: 2, inWarning: 3, outOfTolerance: 4 };

/** Narrowest column, px: below it neighbours share one, so that 100,000 characteristics take no more elements than pixels. */
const MIN_COLUMN_PX = 2;

/** Places statuses side by side from `start` over `width` pixels. */
export function statusColumns(statuses: readonly Status[], start: number, width: number): StatusColumn[] {
  const columns = Math.min(statuses.length, Math.max(1, Math.floor(width / MIN_COLUMN_PX)));
  return Array.from({ length: columns }, (_, i) => {
    const from = Math.floor((i * statuses.length) / columns);
    const to = Math.max(from + 1, Math.floor(((i + 1) * statuses.length) / columns));
    let status: Status = 'noData';
    for (let at = from; at < to; at += 1) if (RANK[statuses[at]!] > RANK[status]) status = statuses[at]!;
    return { x: start + ((i + 0.5) * width) / columns, status };
  });
}

export function countStatuses(statuses: readonly Status[]): Record<Status, number> {
  const counts: Record<Status, number> = { inLimits: 0, inWarning: 0, outOfTolerance: 0, noLimits: 0, noData: 0 };
  for (const status of statuses) counts[status] += 1;
  return counts;
}
