/** Statuses that lists are filtered by, the worst first. */
export const FILTER_STATUSES = ['outOfTolerance', 'inWarning', 'inLimits', 'noLimits', 'noData'] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];
