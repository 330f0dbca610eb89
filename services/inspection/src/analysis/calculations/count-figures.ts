import type { CharacteristicSummary } from '@sinebar/contracts';
import {
  assessCounts,
  boxPlot,
  countChart,
  countDeviation,
  countPoint,
  countRate,
  countStatuses,
  givenCountChart,
  histogram,
  isCount,
  isOfParts,
  isSampleSize,
  isUsable,
  momentsOf,
  rateTest,
  ruleHits,
  sortValues,
  type CountChart,
  type CountChartType,
  type CountPoints,
  type Stability,
} from '@sinebar/statistics';
import type { ListedHit } from './chart.ts';
import type { CountChartTask, CountRequest, CountSummaryTask, CountTask, GivenLimits, StageRange, SummaryFigures } from './tasks.ts';

/** The chart of one stage without the times of its baseline. */
export type CountChartFigures = Omit<NonNullable<CharacteristicSummary['countChart']>, 'baseline'>;

export interface CountPointFigures {
  /** Index of the value. */
  readonly index: number;
  readonly count: number;
  readonly size: number;
  readonly value: number;
  readonly centerLine: number;
  readonly lower: number;
  readonly upper: number;
  readonly isBeyond: boolean;
}

export interface CountChartResult {
  /** Charts of all stages, undefined without limits. */
  readonly stages: readonly (CountChartFigures | undefined)[];
  /** The newest points that are shown. */
  readonly points: readonly CountPointFigures[];
  readonly hits: readonly ListedHit[];
  readonly notes: readonly string[];
}

export type CountSummaryFigures = Pick<
  SummaryFigures,
  | 'count'
  | 'minimum'
  | 'maximum'
  | 'mean'
  | 'standardDeviation'
  | 'median'
  | 'lowerQuartile'
  | 'upperQuartile'
  | 'counts'
  | 'box'
  | 'histogram'
> & {
  readonly chart: CountChartFigures | undefined;
  readonly rate: CharacteristicSummary['rate'];
  readonly stability: Stability | undefined;
  readonly notes: readonly string[];
};

/** A sample without a size is one part; charts of numbers take each sample as one. */
const ONE = 1;
const LIMITS = { centerLine: 0, lower: -3, upper: 3 };

/** Computes the chart of counts of every stage, and the points with the limits of theirs. */
export function calculateCountChart(task: CountChartTask): CountChartResult {
  const { chart: request, stages, shown, mostHits, mostPoints } = task;
  const points = pointsOf(task);
  const charts = stages.map((stage) => chartOf(request.type, points, stage));
  const found: CountPointFigures[] = [];
  const hits: ListedHit[] = [];
  stages.forEach(({ start, end }, i) => {
    const chart = charts[i];
    if (!chart) return;
    for (let index = Math.max(start, shown[0]); index < Math.min(end, shown[1]); index += 1) {
      const [count, size] = [points.counts[index]!, points.sizes[index]!];
      if (isUsable(request.type, count, size)) found.push({ index, count, size, ...judgedPoint(chart, count, size) });
    }
    for (const { rule, index } of hitsOf(chart, points, [start, end], request)) {
      const first = start + index;
      if (first >= shown[0] && first < shown[1]) hits.push({ rule, index: first, first, on: 'location' });
    }
  });
  return {
    stages: charts.map((chart, i) => chart && figuresOf(chart, points, stages[i]!)),
    points: found.slice(-mostPoints),
    hits: hits.slice(-mostHits),
    notes: notesOf(task, charts.at(-1)),
  };
}

/** Computes every figure of a summary of counts. */
export function calculateCountSummary(task: CountSummaryTask): CountSummaryFigures {
  const { values, chart: request, stages, statusLimits, confidence } = task;
  const counts = countStatuses(values, statusLimits);
  const moments = momentsOf(values);
  if (!moments) {
    return { count: 0, counts, chart: undefined, rate: undefined, stability: undefined, notes: ['There are no values.'] };
  }
  const points = pointsOf(task);
  const stage = stages.at(-1)!;
  const chart = chartOf(request.type, points, stage);
  const sorted = sortValues(values.slice());
  const { outliers, lowerWhisker, upperWhisker, ...quartiles } = boxPlot(sorted);
  const { edges, counts: classes } = histogram(sorted);
  return {
    ...moments,
    ...quartiles,
    counts,
    chart: chart && figuresOf(chart, points, stage),
    rate: rateOf(request.type, points, confidence),
    stability: chart && stabilityOf(chart, points, stage, request),
    box: { lowerWhisker, upperWhisker, outliers: [...outliers] },
    histogram: { edges: [...edges], counts: [...classes] },
    notes: ['The characteristic counts, so it has a rate and no index of capability.', ...notesOf(task, chart)],
  };
}

function pointsOf({
  values,
  sizes,
  chart: { type },
}: Pick<CountTask, 'values' | 'sizes'> & { chart: Pick<CountRequest, 'type'> }): CountPoints {
  return { counts: values, sizes: sizes.map((size) => (type === 'c' || Number.isNaN(size) ? ONE : size)) };
}

function partOf({ counts, sizes }: CountPoints, [start, end]: readonly [number, number]): CountPoints {
  return { counts: counts.subarray(start, end), sizes: sizes.subarray(start, end) };
}

function chartOf(type: CountChartType, points: CountPoints, { baseline, given }: StageRange): CountChart | undefined {
  const ofBaseline = partOf(points, baseline);
  const known = given && givenCountChart(type, givenRate(type, given, points), ofBaseline);
  return known ?? countChart(type, ofBaseline);
}

/** The rate of a centre line that is given in the unit of the chart: of `np` the number in a sample of the most frequent size. */
function givenRate(type: CountChartType, { centerLine }: GivenLimits, points: CountPoints): number {
  return type === 'np' ? centerLine / mostFrequent(points.sizes) : centerLine;
}

function mostFrequent(sizes: Float64Array): number {
  const frequencies = new Map<number, number>();
  for (const size of sizes) if (size > 0) frequencies.set(size, (frequencies.get(size) ?? 0) + 1);
  let best = ONE;
  for (const [size, frequency] of frequencies) if (frequency > (frequencies.get(best) ?? 0)) best = size;
  return best;
}

function judgedPoint(chart: CountChart, count: number, size: number) {
  const point = countPoint(chart, count, size);
  return { ...point, isBeyond: point.value < point.lower || point.value > point.upper };
}

function hitsOf(chart: CountChart, points: CountPoints, range: readonly [number, number], { type, rules }: CountRequest) {
  const { counts, sizes } = partOf(points, range);
  const deviations = counts.map((count, i) => (isUsable(type, count, sizes[i]!) ? countDeviation(chart, count, sizes[i]!) : NaN));
  return ruleHits(deviations, LIMITS, rules);
}

function figuresOf(chart: CountChart, points: CountPoints, { start, end }: StageRange): CountChartFigures {
  const { type, rate, sigmaZ } = chart;
  const { counts, sizes } = partOf(points, [start, end]);
  const used = sizes.filter((size, i) => isUsable(type, counts[i]!, size));
  const { centerLine, lower, upper } = countPoint(chart, 0, used[0] ?? ONE);
  const areEqual = used.length > 0 && used.every((size) => size === used[0]);
  return { type, rate, ...(type === 'laneyP' && { sigmaZ }), ...(areEqual && { location: { centerLine, lower, upper } }) };
}

function rateOf(type: CountChartType, points: CountPoints, confidence: number): CharacteristicSummary['rate'] {
  const chart = totalOf(type, points);
  return chart && rateOfTotal(chart, confidence);
}

/** The sums of samples, which a rate of `laneyP` follows from as one of `p` does. */
function totalOf(type: CountChartType, points: CountPoints): CountChart | undefined {
  return countChart(type === 'laneyP' ? 'p' : type, points);
}

function rateOfTotal(chart: CountChart, confidence: number): NonNullable<CharacteristicSummary['rate']> {
  const scale = isOfParts(chart.type) ? 1e6 : 1;
  const { value, lower, upper } = countRate(chart, confidence);
  return {
    unit: isOfParts(chart.type) ? 'partsPerMillion' : 'perUnit',
    value: value * scale,
    lower: lower * scale,
    upper: upper * scale,
    confidence,
    ...chart.total,
  };
}

/** Rates of groups of samples, each undefined without a sample that can be, and the test whether they differ. */
export function ratesOfGroups(type: CountChartType, groups: readonly Omit<CountTask, 'chart' | 'stages'>[], confidence: number) {
  const totals = groups.map((group) => totalOf(type, pointsOf({ ...group, chart: { type } })));
  return {
    rates: totals.map((total) => total && rateOfTotal(total, confidence)),
    test: rateTest(totals.filter((total) => total !== undefined)),
  };
}

/** Judges the points of a stage; levels of a step are rates, as a reader of the chart knows them. */
function stabilityOf(chart: CountChart, points: CountPoints, { start, end, given }: StageRange, { rules }: CountRequest): Stability {
  const ofStage = partOf(points, [start, end]);
  let beyondShown = 0;
  ofStage.counts.forEach((count, i) => {
    const size = ofStage.sizes[i]!;
    if (isUsable(chart.type, count, size) && judgedPoint(chart, count, size).isBeyond) beyondShown += 1;
  });
  const { since, ...stability } = assessCounts(chart, ofStage, {
    rules,
    beyondShown,
    ...(given && { given: { centerLine: 0, sigma: 1 } }),
  });
  if (!since) return stability;
  // Levels in scores mean nothing to a reader of the chart.
  const { from: _from, to: _to, ...found } = since;
  const levels = [partOf(ofStage, [0, since.index]), partOf(ofStage, [since.index, end - start])].map(
    (part) => countChart('u', part)?.rate,
  );
  const [from, to] = since.kind === 'step' ? levels : [];
  return {
    ...stability,
    since: { ...found, index: start + since.index, ...(from !== undefined && to !== undefined && { from, to }) },
  };
}

/** Says which samples are left out, and what limits that are given mean. */
function notesOf({ values, sizes, chart: { type }, stages }: CountTask, chart: CountChart | undefined): string[] {
  let [missing, noCount, noSize, above, different] = [0, 0, 0, 0, 0];
  values.forEach((count, i) => {
    const written = sizes[i]!;
    const size = Number.isNaN(written) ? ONE : written;
    if (!isCount(count)) noCount += 1;
    else if (type === 'c') different += Number(size !== (Number.isNaN(sizes[0]!) ? ONE : sizes[0]));
    else if (!isSampleSize(type, size)) noSize += 1;
    else if (!isUsable(type, count, size)) above += 1;
    else if (Number.isNaN(written)) missing += 1;
  });
  const samples = (number: number) => (number === 1 ? '1 sample is' : `${number} samples are`);
  const whole = isOfParts(type) ? 'whole number' : 'number';
  const { given } = stages.at(-1)!;
  const isRefused =
    given !== undefined && chart !== undefined && chart.rate !== givenRate(type, given, pointsOf({ values, sizes, chart: { type } }));
  return [
    ...(noCount > 0 ? [`${samples(noCount)} left out: a count is a whole number from 0.`] : []),
    ...(noSize > 0 ? [`${samples(noSize)} left out: the size (value attribute 20) is a ${whole} above 0.`] : []),
    ...(above > 0 ? [`${samples(above)} left out: more parts are counted than the sample has (value attribute 20).`] : []),
    ...(missing > 0
      ? [`${samples(missing)} without a size (value attribute 20) and taken as one ${isOfParts(type) ? 'part' : 'unit'}.`]
      : []),
    ...(different > 0 ? ['The sizes of the samples differ; the chart u takes them into account.'] : []),
    ...(isRefused ? [`The centre line that is given, ${given.centerLine}, is no rate of a chart ${type}; its limits are computed.`] : []),
    ...(given && (given.lower !== undefined || given.upper !== undefined || given.sigma !== undefined)
      ? ['Limits of counts follow from the centre line that is given and from the sizes.']
      : []),
    ...(chart ? [] : ['There are too few samples in the baseline for control limits.']),
  ];
}
