import type { CharacteristicSummary } from '@sinebar/contracts';
import {
  andersonDarling,
  assessCapability,
  assessNormality,
  boxPlot,
  capabilityIndices,
  countStatuses,
  expectedPartsPerMillion,
  histogram,
  INDEX_NAMES,
  indexLimits,
  momentsOf,
  observedPartsPerMillion,
  percentileIndices,
  PERCENTILES,
  probabilityCorrelation,
  quantile,
  sortValues,
  type Index,
  type Indices,
  type Moments,
  type SpecificationLimits,
} from '@sinebar/statistics';
import { plot, type PlottedChart } from './chart.ts';
import type { SummaryFigures, SummaryTask } from './tasks.ts';

type Capability = NonNullable<CharacteristicSummary['capability']>;

/** Computes every figure of a summary from its values, which it sorts. */
export function calculateSummary(task: SummaryTask): SummaryFigures {
  const { values, chart: request, limits } = task;
  const moments = momentsOf(values);
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
  const plotted = plot(task, request);
  const isBaselineEmpty = values.subarray(...task.baseline).every((value) => Number.isNaN(value));
  const stable = plotted?.stability.stable ?? 'unknown';
  const sorted = sortValues(values);
  const { outliers, lowerWhisker, upperWhisker, ...quartiles } = boxPlot(sorted);
  const normality = andersonDarling(sorted, moments);
  const normal = assessNormality(moments.count, normality, () => probabilityCorrelation(sorted, moments));
  const method = normal === 'no' ? 'percentile' : 'normal';
  const capability = capabilityOf(task, moments, plotted, method === 'percentile' ? sorted : undefined);
  const partsPerMillion = partsPerMillionOf(counts, moments, limits, method === 'normal' ? plotted : undefined, method);
  return {
    ...moments,
    ...quartiles,
    counts,
    chart: plotted?.chart,
    stability: plotted?.stability,
    ...(capability && { capability }),
    ...(partsPerMillion && { partsPerMillion }),
    ...(normality && { normality: { test: 'andersonDarling' as const, ...normality } }),
    assessment: {
      stable,
      normal,
      capable: assessCapability(capability?.overall.pk as Index | undefined, task.requiredCapability, stable),
    },
    box: { lowerWhisker, upperWhisker, outliers: [...outliers] },
    histogram: mutable(histogram(sorted)),
    notes: notesOf(task.limits, moments, { plotted, isBaselineEmpty }, method),
  };
}

function capabilityOf(
  { chart: request, limits, convention, confidence }: SummaryTask,
  { count, mean, standardDeviation }: Moments,
  plotted: PlottedChart | undefined,
  percentileValues: Float64Array | undefined,
): Capability | undefined {
  const given = indexLimits(limits);
  if (!given || (given.lower === undefined && given.upper === undefined) || !standardDeviation) return undefined;
  const names = INDEX_NAMES[convention];
  const common = { mean, count, confidence };
  if (percentileValues) {
    const at = (probability: number) => quantile(percentileValues, probability);
    const percentiles = { low: at(PERCENTILES.low), median: at(PERCENTILES.median), high: at(PERCENTILES.high) };
    return { convention, confidence, method: 'percentile', overall: named(percentileIndices(percentiles, limits), names.overall) };
  }
  const overall = capabilityIndices({ ...common, limits, sigma: standardDeviation, degreesOfFreedom: count - 1 });
  const capability: Capability = {
    convention,
    confidence,
    method: 'normal',
    overall: { sigma: standardDeviation, ...named(overall, names.overall) },
  };
  // A spread that is given says nothing about these values.
  if (!plotted || plotted.chart.sigma === 0 || request.given) return capability;
  const { sigma } = plotted.chart;
  const { degreesOfFreedom } = plotted;
  const { target: _target, ...withoutTarget } = limits;
  const within = capabilityIndices({ ...common, limits: withoutTarget, sigma, degreesOfFreedom });
  return { ...capability, within: { sigma, ...named(within, names.within) } };
}

function named(indices: Indices, names: Readonly<Record<keyof Indices, string>>): Omit<Capability['overall'], 'sigma'> {
  return Object.fromEntries(
    Object.entries(indices).map(([key, index]) => [key, { name: names[key as keyof Indices], ...(index as Index) }]),
  );
}

function partsPerMillionOf(
  counts: SummaryFigures['counts'],
  { count, mean, standardDeviation = 0 }: Moments,
  limits: SpecificationLimits,
  plotted: PlottedChart | undefined,
  method: Capability['method'],
): CharacteristicSummary['partsPerMillion'] {
  const observed = observedPartsPerMillion(counts, count, limits);
  if (!observed) return undefined;
  const expectedOverall = method === 'normal' ? expectedPartsPerMillion(mean, standardDeviation, limits) : undefined;
  const expectedWithin = plotted && expectedPartsPerMillion(mean, plotted.chart.sigma, limits);
  return { observed, ...(expectedOverall && { expectedOverall }), ...(expectedWithin && { expectedWithin }) };
}

/** Says for each group of figures that is absent why it is. */
function notesOf(
  limits: SpecificationLimits,
  moments: Moments,
  { plotted, isBaselineEmpty }: { plotted: PlottedChart | undefined; isBaselineEmpty: boolean },
  method: Capability['method'],
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
  else if (moments.standardDeviation === 0) notes.push('All values are equal, so capability and normality are not defined.');
  if (moments.count < 8 && moments.count > 1) notes.push('Fewer than 8 values say nothing about normality.');
  if (!plotted) {
    notes.push(
      isBaselineEmpty
        ? 'There are no values in the baseline, so there are no control limits.'
        : 'There are too few values for control limits.',
    );
  }
  notes.push(...(plotted?.notes ?? []));
  if (method === 'percentile') {
    notes.push(
      'The values are not normal: indices follow from their percentiles, without confidence intervals and without a spread within.',
    );
  }
  return notes;
}

function mutable({ edges, counts }: { readonly edges: readonly number[]; readonly counts: readonly number[] }) {
  return { edges: [...edges], counts: [...counts] };
}
