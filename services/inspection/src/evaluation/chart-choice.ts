import type { EvaluationChart, EvaluationSubgroups } from '@sinebar/contracts';

/** Values of one subgroup, at most. */
export const MAX_SUBGROUP_VALUES = 500;
/** Larger subgroups have a chart of standard deviations: their range leaves out too much of what is known. */
const MAX_RANGE_VALUES = 25;
/** Up to here ranges are the usual chart. */
const USUAL_RANGE_VALUES = 10;
const USUAL_SIZE = 5;

const COUNT_CHARTS: ReadonlySet<EvaluationChart> = new Set(['p', 'np', 'c', 'u', 'laneyP']);

/** Whether the chart is one of values of this kind; of parts every chart is. @param counts whether the values are counts */
export function fitsKind(chart: EvaluationChart, counts: boolean | undefined): boolean {
  return counts === undefined || COUNT_CHARTS.has(chart) === counts;
}

/** Whether the chart can show subgroups of this kind. */
export function fitsSubgroups(chart: EvaluationChart, { size }: EvaluationSubgroups): boolean {
  switch (chart) {
    case 'individuals':
      return size === 1;
    case 'xbarR':
      return size === undefined || (size > 1 && size <= MAX_RANGE_VALUES);
    case 'xbarS':
      return size === undefined || size > 1;
    case 'ewma':
    case 'cusum':
      return true;
    case 'p':
    case 'np':
    case 'c':
    case 'u':
    case 'laneyP':
      return size === 1;
  }
}

/** Says which subgroups a chart needs. */
export function subgroupProblem(chart: EvaluationChart): string {
  if (chart === 'xbarR') return `must have a size from 2 to ${MAX_RANGE_VALUES}, or by, for the chart xbarR`;
  if (chart === 'xbarS') return `must have a size from 2 to ${MAX_SUBGROUP_VALUES}, or by, for the chart xbarS`;
  return `must have the size 1 for the chart ${chart}`;
}

/** The chart of subgroups where none is chosen. */
export function usualChart({ size }: EvaluationSubgroups): EvaluationChart {
  if (size === 1) return 'individuals';
  return size !== undefined && size <= USUAL_RANGE_VALUES ? 'xbarR' : 'xbarS';
}

/** The subgroups of a chart where none are chosen. */
export function usualSubgroups(chart: EvaluationChart): EvaluationSubgroups {
  return { size: chart === 'xbarR' || chart === 'xbarS' ? USUAL_SIZE : 1 };
}
