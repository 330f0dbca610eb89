import type { CharacteristicSeries, CharacteristicSummary, CorrelationAnswer, ProbabilityPlotAnswer } from '@sinebar/contracts';
import type { Limits } from '../drawing/tolerance-scale.ts';
import { decimalsOf, shownDecimals } from '../language/decimals.ts';
import { statusOf } from '../drawing/value-status.ts';

/** What a snapshot draws: values in the order of time, and their limits. */
export interface MeasuredCharacteristic {
  name: string;
  unit: string;
  values: readonly number[];
  limits: Limits;
  /** Values in a bucket, for a series that is sent in buckets. */
  bucketSize?: number;
}

/** Decimal places of the figures on a page. */
export function decimalsFor({ values, limits }: MeasuredCharacteristic): number {
  return shownDecimals({ limits, values });
}

/** Time of the nth value in the zone of this machine, so that a snapshot is the same in each zone: every 37 minutes from 2 March 2026. */
function timeOf(index: number): string {
  return new Date(2026, 2, 2, 8, index * 37).toISOString();
}

function uuidOf(index: number): string {
  return `91ab4d20-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** Answers with the figures of the values; plain formulas, since only their drawing is tested. */
export function summaryOf({ name, values, limits }: MeasuredCharacteristic): CharacteristicSummary {
  const sorted = [...values].sort((a, b) => a - b);
  const mean = meanOf(values);
  const deviation = deviationOf(values);
  const counts = { inLimits: 0, inWarning: 0, belowTolerance: 0, aboveTolerance: 0 };
  for (const value of values) counts[statusOf(value, limits)] += 1;
  const chart = chartOf(values);
  return {
    characteristicUuid: uuidOf(0),
    partUuid: uuidOf(1),
    path: `PC:/Car door/${name.replaceAll('/', String.raw`\/`)}/`,
    count: values.length,
    missing: 0,
    ...(values.length > 0 && {
      firstTime: timeOf(0),
      lastTime: timeOf(values.length - 1),
      minimum: sorted[0]!,
      maximum: sorted.at(-1)!,
      mean,
      lowerQuartile: quantileOf(sorted, 0.25),
      median: quantileOf(sorted, 0.5),
      upperQuartile: quantileOf(sorted, 0.75),
      histogram: histogramOf(sorted),
      box: boxOf(sorted),
    }),
    ...(values.length > 1 && { standardDeviation: deviation }),
    limits: { ...limits, sources: {} },
    counts,
    ...(chart && { chart }),
    ...capabilityOf(limits, mean, deviation, chart?.sigma ?? 0),
    assessment: { stable: 'unknown', normal: 'unknown', capable: 'unknown', required: { value: 1.33, source: 'default' } },
  };
}

/** Answers with the values, with their subgroups of five, or with buckets of them. */
export function seriesOf(
  { values, limits, bucketSize }: MeasuredCharacteristic,
  kind: 'values' | 'subgroups' = 'values',
): CharacteristicSeries {
  const points = values.map((value, i) => ({ time: timeOf(i), value, measurementUuid: uuidOf(i), status: statusOf(value, limits) }));
  const chart = chartOf(values);
  const answer = { count: values.length, offset: 0, newest: points.slice(-25), ...(chart && { chart }), ruleHits: [] };
  if (kind === 'subgroups') {
    const subgroups = chunksOf(points, 5).map((chunk) => {
      const numbers = chunk.map(({ value }) => value);
      return {
        time: chunk[0]!.time,
        mean: meanOf(numbers),
        ...(chunk.length > 1 && { variation: Math.max(...numbers) - Math.min(...numbers) }),
        count: chunk.length,
        measurementUuids: chunk.map(({ measurementUuid }) => measurementUuid),
      };
    });
    const subgroupChart = chart && subgroupChartOf(chart, subgroups);
    return {
      ...answer,
      kind: 'values',
      subgroups,
      ...(subgroupChart && { chart: subgroupChart }),
      ruleHits: hitsOf(
        subgroups.map(({ mean }) => mean),
        subgroupChart,
      ),
    };
  }
  const ruleHits = hitsOf(values, chart);
  if (bucketSize === undefined) return { ...answer, kind: 'values', values: points, ruleHits };
  const buckets = chunksOf(points, bucketSize).map((chunk) => {
    const numbers = chunk.map(({ value }) => value);
    const ranges = numbers.slice(1).map((value, i) => Math.abs(value - numbers[i]!));
    return {
      from: chunk[0]!.time,
      to: chunk.at(-1)!.time,
      count: chunk.length,
      ...spreadOf(numbers),
      first: numbers[0]!,
      last: numbers.at(-1)!,
      movingRange: spreadOf(ranges),
      outOfTolerance: chunk.filter(({ status }) => status.endsWith('Tolerance')),
    };
  });
  return { ...answer, kind: 'buckets', buckets, ruleHits };
}

/** Divides a series into two stages, of which the first has limits that are wider and lower. */
export function inStages(series: CharacteristicSeries): CharacteristicSeries {
  const { chart, subgroups } = series;
  const points = subgroups?.length ?? series.count;
  const offset = Math.floor(points / 3);
  const widened = ({ centerLine, lower, upper }: Chart['location']) => ({
    centerLine: centerLine - (upper - lower) / 6,
    lower: lower - (upper - lower) / 3,
    upper,
  });
  const first = chart && {
    ...chart,
    location: widened(chart.location),
    variation: { ...chart.variation, upper: chart.variation.upper * 1.2 },
  };
  return {
    ...series,
    stages: [
      { kind: 'computed', offset: 0, count: offset, ...(first && { chart: first }) },
      { kind: 'computed', from: timeOf(offset), reason: 'new fixture', offset, count: points - offset, ...(chart && { chart }) },
    ],
  };
}

/** A p chart of samples of these sizes, with every count from 0 to 6. */
export function countSeriesOf(sizes: readonly number[]): CharacteristicSeries {
  const counts = sizes.map((_, i) => (i * 5 + (i % 3)) % 7);
  const rate = counts.reduce((sum, count) => sum + count, 0) / sizes.reduce((sum, size) => sum + size, 0);
  const points = sizes.map((size, index) => {
    const reach = 3 * Math.sqrt((rate * (1 - rate)) / size);
    const [lower, upper] = [Math.max(0, rate - reach), Math.min(1, rate + reach)];
    const [count, value] = [counts[index]!, counts[index]! / size];
    const named = { index, time: timeOf(index), measurementUuid: uuidOf(index) };
    return { ...named, count, size, value, centerLine: rate, lower, upper, isBeyond: value < lower || value > upper };
  });
  const hits = points.filter(({ isBeyond }) => isBeyond);
  return {
    count: sizes.length,
    offset: 0,
    kind: 'values',
    countChart: { type: 'p', rate, baseline: { count: sizes.length }, points },
    ruleHits: hits.map(({ index, time, measurementUuid }) => ({ rule: 'nelson1', on: 'location', index, time, measurementUuid })),
  };
}

/** Points of a chart that remembers earlier ones, from the mean on. */
export function memoryOf({ values }: MeasuredCharacteristic, type: 'ewma' | 'cusum'): NonNullable<CharacteristicSeries['memory']> {
  const { location, sigma } = chartOf(values) ?? { location: { centerLine: meanOf(values) }, sigma: 0 };
  const target = location.centerLine;
  let [average, above, below] = [target, 0, 0];
  const points = values.map((value, i) => {
    const score = sigma > 0 ? (value - target) / sigma : 0;
    [above, below] = [Math.max(0, above + score - 0.5), Math.max(0, below - score - 0.5)];
    average += 0.2 * (value - average);
    const reach = 3 * sigma * Math.sqrt((0.2 / 1.8) * (1 - 0.8 ** (2 * (i + 1))));
    const named = { time: timeOf(i), measurementUuid: uuidOf(i) };
    if (type === 'cusum') return { ...named, above, below, isBeyond: Math.max(above, below) > 4 };
    return { ...named, value: average, lower: target - reach, upper: target + reach, isBeyond: Math.abs(average - target) > reach };
  });
  return { type, target, sigma, ...(type === 'ewma' ? { lambda: 0.2, width: 3 } : { k: 0.5, h: 4 }), points };
}

/** Capability of values that a Weibull distribution fits better than the normal one. */
export function weibullOf(measured: MeasuredCharacteristic): NonNullable<CharacteristicSummary['capability']> {
  const { capability } = summaryOf(measured);
  const pk = { name: 'Ppk', value: 0.91, lower: 0.72, upper: 1.13 };
  return {
    ...capability!,
    pk: { ...pk, from: 'model' },
    model: {
      name: 'weibull',
      chosenBy: 'auto',
      parameters: { scale: 0.03, shape: 1.7, threshold: 19.96 },
      logLikelihood: 98,
      aicc: -190,
      percentiles: { low: 19.961, median: 19.99, high: 20.06 },
      p: { name: 'Pp', value: 1.02, lower: 0.83, upper: 1.25 },
      pk,
      candidates: [{ name: 'weibull', aicc: -190, pk: 0.91 }],
    },
  };
}

/** Points of the probability plot, of which a page asks for at most 400. */
export function probabilityOf({ values }: MeasuredCharacteristic): ProbabilityPlotAnswer {
  const sorted = [...values].sort((a, b) => a - b);
  const step = Math.ceil(sorted.length / 400);
  const points = sorted
    .map((value, i) => ({ value, quantile: normalQuantile((i + 0.7) / (sorted.length + 0.4)) }))
    .filter((_, i) => i % step === 0);
  return { count: values.length, points, ...(values.length > 1 && { line: { slope: deviationOf(values), intercept: meanOf(values) } }) };
}

export function correlationOf(first: readonly number[], second: readonly number[]): CorrelationAnswer {
  const points = first.map((value, i) => [value, second[i]!] as [number, number]);
  const [a, b] = [deviationOf(first), deviationOf(second)];
  const [meanA, meanB] = [meanOf(first), meanOf(second)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanA) * (y - meanB), 0) / Math.max(points.length - 1, 1);
  if (!(a > 0) || !(b > 0)) return { count: points.length, points };
  const slope = covariance / a ** 2;
  return {
    count: points.length,
    pearson: { value: covariance / (a * b) },
    line: { slope, intercept: meanB - slope * meanA },
    points,
  };
}

type Chart = NonNullable<CharacteristicSeries['chart']>;

/** Factors of the moving range of two values: d₂ and D₄. */
const [D2, D4] = [1.128, 3.267];
/** Factors of the range of five values: A₂ and D₄. */
const [A2_OF_FIVE, D4_OF_FIVE] = [0.577, 2.114];

function chartOf(values: readonly number[]): Chart | undefined {
  if (values.length < 2) return undefined;
  const mean = meanOf(values);
  const range = meanOf(values.slice(1).map((value, i) => Math.abs(value - values[i]!)));
  const sigma = range / D2;
  return {
    type: 'individuals',
    subgroupSize: 1,
    sigmaMethod: 'movingRange',
    sigma,
    location: { centerLine: mean, lower: mean - 3 * sigma, upper: mean + 3 * sigma },
    variation: { centerLine: range, lower: 0, upper: D4 * range },
    baseline: { count: values.length },
  };
}

function subgroupChartOf(chart: Chart, subgroups: readonly { mean: number; variation?: number }[]): Chart {
  const { centerLine } = chart.location;
  const range = meanOf(subgroups.flatMap(({ variation }) => variation ?? []));
  return {
    ...chart,
    type: 'xbarR',
    subgroupSize: 5,
    sigmaMethod: 'rbar',
    location: { centerLine, lower: centerLine - A2_OF_FIVE * range, upper: centerLine + A2_OF_FIVE * range },
    variation: { centerLine: range, lower: 0, upper: D4_OF_FIVE * range },
  };
}

/** Points beyond the control limits, and the ninth and later ones on one side of the mean. */
function hitsOf(values: readonly number[], chart: Chart | undefined): CharacteristicSeries['ruleHits'] {
  if (!chart || chart.sigma === 0) return [];
  const { centerLine, lower, upper } = chart.location;
  const hit = (rule: string, index: number) => ({
    rule,
    on: 'location' as const,
    index,
    time: timeOf(index),
    measurementUuid: uuidOf(index),
  });
  let run = 0;
  return values.flatMap((value, i) => {
    run = i > 0 && value > centerLine === values[i - 1]! > centerLine ? run + 1 : 1;
    return [...(value < lower || value > upper ? [hit('nelson1', i)] : []), ...(run >= 9 ? [hit('nelson2', i)] : [])];
  });
}

function capabilityOf(
  { lowerTolerance: lower, upperTolerance: upper }: MeasuredCharacteristic['limits'],
  mean: number,
  overall: number,
  within: number,
): Pick<CharacteristicSummary, 'capability'> {
  if ((lower === undefined && upper === undefined) || !(overall > 0) || !(within > 0)) return {};
  const indices = (sigma: number, [p, pk]: readonly [string, string]) => {
    const index = (name: string, value: number) => ({
      name,
      value,
      lower: value - Math.abs(value) * 0.07,
      upper: value + Math.abs(value) * 0.07,
    });
    const nearest = Math.min(upper === undefined ? Infinity : upper - mean, lower === undefined ? Infinity : mean - lower);
    return {
      sigma,
      ...(lower !== undefined && upper !== undefined && { p: index(p, (upper - lower) / (6 * sigma)) }),
      pk: index(pk, nearest / (3 * sigma)),
    };
  };
  const normal = { overall: indices(overall, ['Pp', 'Ppk']), within: indices(within, ['Cw', 'Cwk']) };
  return { capability: { convention: 'aiagVda', confidence: 0.95, pk: { ...normal.overall.pk, from: 'normal' }, normal } };
}

/** Classes as the server makes them: as wide as Freedman and Diaconis say, at most 200, and one for equal values. */
function histogramOf(sorted: readonly number[]): CharacteristicSummary['histogram'] {
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const wanted = (2 * (quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25))) / Math.cbrt(sorted.length);
  const classes = low === high ? 1 : Math.min(200, Math.ceil((high - low) / wanted));
  const width = low === high ? 10 ** -decimalsOf(sorted) : (high - low) / classes;
  const counts = Array.from({ length: classes }, () => 0);
  for (const value of sorted) counts[Math.min(classes - 1, Math.floor((value - low) / width))]! += 1;
  return { edges: Array.from({ length: classes + 1 }, (_, i) => low + i * width), counts };
}

function boxOf(sorted: readonly number[]): CharacteristicSummary['box'] {
  const [lower, upper] = [quantileOf(sorted, 0.25), quantileOf(sorted, 0.75)];
  const reach = 1.5 * (upper - lower);
  const inside = sorted.filter((value) => value >= lower - reach && value <= upper + reach);
  return {
    lowerWhisker: inside[0]!,
    upperWhisker: inside.at(-1)!,
    outliers: sorted.filter((value) => value < inside[0]! || value > inside.at(-1)!),
  };
}

function quantileOf(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length - 1, 1));
}

function spreadOf(values: readonly number[]): { minimum: number; maximum: number; mean: number } {
  return { minimum: Math.min(...values), maximum: Math.max(...values), mean: meanOf(values) };
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Quantile of the standard normal distribution, to three digits: the approximation of Tukey's lambda distribution. */
function normalQuantile(share: number): number {
  return 4.91 * (share ** 0.14 - (1 - share) ** 0.14);
}
