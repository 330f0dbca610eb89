import type { CharacteristicSummary } from '@sinebar/contracts';
import { rulerOf, type LimitLine, type Ruler } from './ruler.ts';
import type { ShownSeries } from './shown-series.ts';

type CharacteristicLimits = CharacteristicSummary['limits'];
type AnalysisChart = NonNullable<CharacteristicSummary['chart']>;

interface Names {
  tolerance: string;
  warning: string;
  control: string;
  mean: string;
  median: string;
  nominal: string;
}

/** The lines of a chart of single values: what is demanded, and what was computed. */
export function limitLines(limits: CharacteristicLimits, chart: AnalysisChart | undefined, decimals: number, names: Names): LimitLine[] {
  const line = (value: number | undefined, kind: LimitLine['kind'], side?: 'above' | 'below'): LimitLine[] =>
    value === undefined ? [] : [{ value, kind, name: names[kind], decimals, ...(side && { side }) }];
  // The limits of subgroups hold for means, not for single values.
  const control = chart?.type === 'individuals' ? chart.location : undefined;
  return [
    ...line(limits.upperTolerance, 'tolerance', 'above'),
    ...line(limits.lowerTolerance, 'tolerance', 'below'),
    ...line(limits.upperWarning, 'warning'),
    ...line(limits.lowerWarning, 'warning'),
    ...line(control?.upper, 'control'),
    ...line(control?.lower, 'control'),
    // The centre of a chart whose limits follow from scores is where half of the model's values lie below.
    ...line(chart?.location.centerLine, 'mean').map((centre) => (chart?.scores ? { ...centre, name: names.median } : centre)),
    ...line(limits.nominal, 'nominal'),
  ];
}

/** The lines of a chart of means: the tolerance holds for single values and is not drawn. */
export function meanLines(limits: CharacteristicLimits, chart: AnalysisChart | undefined, decimals: number, names: Names): LimitLine[] {
  if (chart === undefined) return [];
  const { upper, lower, centerLine } = chart.location;
  return [
    { value: upper, kind: 'control', name: names.control, decimals: decimals + 1 },
    { value: centerLine, kind: 'mean', name: names.mean, decimals: decimals + 1 },
    ...(limits.nominal === undefined ? [] : [{ value: limits.nominal, kind: 'nominal' as const, name: names.nominal, decimals }]),
    { value: lower, kind: 'control', name: names.control, decimals: decimals + 1 },
  ];
}

/** Spans of the limits that points may lie beyond them: what is far out is drawn to its end. */
export const POINTS_BEYOND = 6;

/** The axis of a chart of counts; at its edge stand the limits of the newest sample in view. */
export function countRuler(
  { entries, decimals = 0 }: ShownSeries,
  names: Pick<Names, 'control' | 'mean'>,
  [top, bottom]: readonly [number, number],
): Ruler {
  const newest = entries.at(-1)?.limits;
  const line = (value: number, kind: 'control' | 'mean') => ({ value, kind, name: names[kind], decimals });
  const values = entries.flatMap(({ mean, limits }) => [mean, ...(limits ? [limits.lower, limits.upper] : [])]);
  return rulerOf({
    lines: newest ? [line(newest.upper, 'control'), line(newest.centerLine, 'mean'), line(newest.lower, 'control')] : [],
    extremes: values.length === 0 ? undefined : [Math.min(...values), Math.max(...values)],
    decimals,
    top,
    bottom,
    tickDistance: 34,
    mostBeyond: POINTS_BEYOND,
  });
}

/** Limits of the stages in view, which the axis holds besides the values. */
export function stageLimits({ stages }: Pick<ShownSeries, 'stages'>): number[] {
  return stages.flatMap(({ chart }) => (chart ? [chart.location.lower, chart.location.upper] : []));
}
