import type { CharacteristicSeries, CharacteristicSummary, Evaluation, ProbabilityPlotAnswer } from '@sinebar/client';

export const PART_UUID = '7c1e0000-0000-4000-8000-000000000001';
export const CHARACTERISTIC_UUID = 'd04f7c1e-0000-4000-8000-000000000002';
const measurement = (index: number) => `91ab4d20-0000-4000-8000-${String(index).padStart(12, '0')}`;
const time = (index: number) => new Date(Date.UTC(2026, 2, 2, 8, index)).toISOString();

const VALUES = Array.from({ length: 40 }, (_, i) => Number((20 + 0.01 * Math.sin(i)).toFixed(3)));
VALUES[39] = 20.053;

const chart = {
  type: 'individuals' as const,
  subgroupSize: 1,
  sigmaMethod: 'movingRange' as const,
  sigma: 0.012,
  location: { centerLine: 20.001, lower: 19.974, upper: 20.045 },
  variation: { centerLine: 0.0134, lower: 0, upper: 0.0439 },
  baseline: { count: 40 },
};

export function summaryAnswer(): CharacteristicSummary {
  return {
    characteristicUuid: CHARACTERISTIC_UUID,
    partUuid: PART_UUID,
    path: 'PPC:/Car door/Frame/Gap left/',
    count: 40,
    missing: 0,
    firstTime: time(0),
    lastTime: time(39),
    minimum: 19.99,
    maximum: 20.053,
    mean: 20.0013,
    median: 20.001,
    standardDeviation: 0.0144,
    limits: {
      nominal: 20,
      lowerTolerance: 19.95,
      upperTolerance: 20.05,
      lowerWarning: 19.96,
      upperWarning: 20.04,
      sources: { nominal: 2101 },
    },
    counts: { inLimits: 39, inWarning: 0, belowTolerance: 0, aboveTolerance: 1 },
    chart,
    capability: {
      convention: 'aiagVda',
      confidence: 0.95,
      pk: { name: 'Ppk', value: 0.94, lower: 0.92, upper: 0.96, from: 'normal' },
      normal: {
        overall: {
          sigma: 0.0144,
          p: { name: 'Pp', value: 1.16, lower: 1.13, upper: 1.18 },
          pk: { name: 'Ppk', value: 0.94, lower: 0.92, upper: 0.96 },
        },
        within: {
          sigma: 0.0119,
          p: { name: 'Cw', value: 1.4, lower: 1.37, upper: 1.43 },
          pk: { name: 'Cwk', value: 1.14, lower: 1.12, upper: 1.16 },
        },
      },
    },
    partsPerMillion: { observed: { below: 400, above: 2400, total: 2800 } },
    normality: { test: 'andersonDarling', statistic: 1.15, adjusted: 1.15, pValue: 0.005 },
    assessment: {
      stable: 'no',
      reasons: { farthest: 'location' },
      since: { kind: 'points', on: 'location', time: '2026-09-10T08:00:00.000Z', measurementUuid: '' },
      normal: 'nearly',
      capable: 'no',
      required: { value: 1.33, source: 'default' },
    },
    histogram: { edges: [19.98, 20, 20.02, 20.06], counts: [10, 29, 1] },
  };
}

export function seriesAnswer(): CharacteristicSeries {
  const values = VALUES.map((value, i) => ({
    time: time(i),
    value,
    measurementUuid: measurement(i),
    status: value > 20.05 ? ('aboveTolerance' as const) : ('inLimits' as const),
  }));
  return {
    count: 40,
    offset: 0,
    kind: 'values',
    values,
    newest: values.slice(-25),
    chart,
    ruleHits: [
      { rule: 'nelson1', on: 'location', index: 39, time: time(39), measurementUuid: measurement(39) },
      { rule: 'nelson2', on: 'location', index: 20, time: time(20), measurementUuid: measurement(20) },
      { rule: 'nelson2', on: 'location', index: 21, time: time(21), measurementUuid: measurement(21) },
    ],
  };
}

/** The summary of a characteristic that counts nonconforming parts. */
export function countSummaryAnswer(): CharacteristicSummary {
  const { chart: _chart, capability: _capability, partsPerMillion: _ppm, normality: _normality, ...summary } = summaryAnswer();
  return {
    ...summary,
    limits: { upperTolerance: 5, sources: {} },
    minimum: 1,
    maximum: 9,
    countChart: { type: 'p', rate: 0.0225, baseline: { count: 40 } },
    rate: { unit: 'partsPerMillion', value: 22_500, lower: 18_100, upper: 27_600, confidence: 0.95, count: 90, size: 4000 },
    assessment: { ...summary.assessment, normal: 'unknown', capable: 'unknown' },
    histogram: { edges: [1, 5, 9], counts: [39, 1] },
  };
}

/** 40 samples of 100 parts, of which the last one counts 9. */
export function countSeriesAnswer(): CharacteristicSeries {
  const { chart: _chart, ...series } = seriesAnswer();
  const points = VALUES.map((_, index) => {
    const count = index === 39 ? 9 : 1 + (index % 3);
    const limits = { centerLine: 0.0225, lower: 0, upper: 0.067 };
    return {
      index,
      time: time(index),
      measurementUuid: measurement(index),
      count,
      size: 100,
      value: count / 100,
      ...limits,
      isBeyond: count > 6,
    };
  });
  return { ...series, countChart: { type: 'p', rate: 0.0225, baseline: { count: 40 }, points } };
}

export function evaluationAnswer(members: Partial<Evaluation> = {}): Evaluation {
  return {
    chart: 'individuals',
    subgroups: { size: 1 },
    rules: ['nelson1', 'nelson2:7'],
    model: 'auto',
    required: 1.33,
    stages: [],
    exclusions: [],
    sources: {},
    own: {},
    revision: 0,
    ...members,
  };
}

export function probabilityAnswer(): ProbabilityPlotAnswer {
  return {
    count: 40,
    points: VALUES.slice(0, 5).map((value, i) => ({ value, quantile: i - 2 })),
    line: { slope: 0.0144, intercept: 20.0013 },
  };
}
