import type { CharacteristicSummary } from '@sinebar/contracts';
import {
  andersonDarling,
  assessNormality,
  boxPlot,
  countStatuses,
  expectedPartsPerMillion,
  histogram,
  indexLimits,
  momentsOf,
  observedPartsPerMillion,
  probabilityCorrelation,
  sortValues,
  toleranceInterval,
  type Capability,
  type Moments,
  type SpecificationLimits,
} from '@sinebar/statistics';
import { assessValues } from './assessment.ts';
import type { PlottedChart } from './chart.ts';
import type { SummaryFigures, SummaryTask } from './tasks.ts';

/** Computes every figure of a summary from its values, which it sorts. */
export function calculateSummary(task: SummaryTask): SummaryFigures {
  const { values, limits } = task;
  const own = momentsOf(values);
  const moments = own && own.count === task.keptMoments?.count ? { ...own, ...task.keptMoments } : own;
  const counts = countStatuses(values, task.statusLimits);
  if (!moments) {
    return {
      count: 0,
      counts,
      chart: undefined,
      stability: undefined,
      assessment: { stable: 'unknown', normal: 'unknown', capable: 'unknown' },
      notes: ['There are no values.'],
    };
  }
  const { plotted, evaluation, stable, capable, isKept } = assessValues(task, moments, counts);
  const isBaselineEmpty = values.subarray(...task.baseline).every((value) => Number.isNaN(value));
  const sorted = sortValues(values);
  const { outliers, lowerWhisker, upperWhisker, ...quartiles } = boxPlot(sorted);
  // A coarse gauge measures few different values, which no test takes for normal.
  const tested = evaluation.spread ?? sorted;
  const normality = moments.standardDeviation === 0 ? undefined : andersonDarling(tested, evaluation.spread ? undefined : moments);
  const normal = assessNormality(moments.count, normality, () => probabilityCorrelation(tested, evaluation.spread ? undefined : moments));
  const partsPerMillion = partsPerMillionOf(counts, moments, limits, plotted);
  const interval = toleranceInterval(moments, task.content, task.confidence);
  return {
    ...moments,
    ...quartiles,
    counts,
    chart: plotted?.chart,
    stability: plotted?.stability,
    ...(evaluation.capability && { capability: withTime(evaluation.capability, isKept ? task.fittedAt : undefined) }),
    ...(partsPerMillion && { partsPerMillion }),
    ...(interval && { toleranceInterval: interval }),
    ...(normality && { normality: { test: 'andersonDarling' as const, ...normality } }),
    assessment: {
      stable,
      normal,
      capable,
    },
    box: { lowerWhisker, upperWhisker, outliers: [...outliers] },
    histogram: mutable(histogram(sorted, 'freedmanDiaconis', limits)),
    notes: [...notesOf(limits, moments, counts, { plotted, isBaselineEmpty }), ...evaluation.notes],
  };
}

/** Says since when a kept model holds. */
function withTime(capability: Capability, asOf: string | undefined): NonNullable<CharacteristicSummary['capability']> {
  const { model, ...others } = mutable(capability);
  return { ...others, ...(model && { model: { ...model, ...(asOf !== undefined && { asOf }) } }) };
}

function partsPerMillionOf(
  counts: SummaryFigures['counts'],
  { count, mean, standardDeviation = 0 }: Moments,
  limits: SpecificationLimits,
  plotted: PlottedChart | undefined,
): CharacteristicSummary['partsPerMillion'] {
  const observed = observedPartsPerMillion(counts, count, limits);
  if (!observed) return undefined;
  const expectedOverall = expectedPartsPerMillion(mean, standardDeviation, limits);
  const expectedWithin = plotted && expectedPartsPerMillion(mean, plotted.chart.sigma, limits);
  return { observed, ...(expectedOverall && { expectedOverall }), ...(expectedWithin && { expectedWithin }) };
}

/** Says for each group of figures that is absent why it is. */
function notesOf(
  limits: SpecificationLimits,
  moments: Moments,
  counts: SummaryFigures['counts'],
  { plotted, isBaselineEmpty }: { plotted: PlottedChart | undefined; isBaselineEmpty: boolean },
): string[] {
  const notes: string[] = [];
  const { lowerTolerance: lower, upperTolerance: upper } = limits;
  const given = indexLimits(limits);
  if (lower === undefined && upper === undefined) notes.push('There is no tolerance, so capability is not defined.');
  else if (!given) notes.push('The lower limit is not below the upper one, so capability is not defined.');
  else if (lower === undefined && !given.width) notes.push('There is no lower tolerance, so only the index of the upper one is defined.');
  else if (upper === undefined && !given.width) notes.push('There is no upper tolerance, so only the index of the lower one is defined.');
  if (moments.count === 1) notes.push('There is one value, so the spread is not defined.');
  else if (moments.standardDeviation === undefined) notes.push('The values are too large for their spread to be computed.');
  else if (moments.standardDeviation === 0) {
    notes.push('All values are equal, so capability and normality are not defined.');
    const { belowTolerance: below, aboveTolerance: above } = counts;
    if (below + above > 0) notes.push(`All ${moments.count} equal values are ${below > 0 ? 'below' : 'above'} the tolerance: not capable.`);
  }
  if (moments.count < 8 && moments.count > 1) notes.push('Fewer than 8 values say nothing about normality.');
  if (!plotted) {
    notes.push(
      isBaselineEmpty
        ? 'There are no values in the baseline, so there are no control limits.'
        : 'There are too few values for control limits.',
    );
  }
  notes.push(...(plotted?.notes ?? []));
  return notes;
}

/** A deep copy whose arrays may be changed, as types of answers ask for. */
function mutable<T>(value: T): Mutable<T> {
  return structuredClone(value) as Mutable<T>;
}

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
