import { MEASUREMENT_UUID } from '../measurements/measurements-examples.ts';
import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.ts';

const FROM = '2026-01-05T08:00:00.000Z';
const TO = '2026-01-09T16:00:00.000Z';

const CHART = {
  type: 'individuals',
  subgroupSize: 1,
  sigmaMethod: 'movingRange',
  sigma: 0.0142,
  location: { centerLine: 20.01, lower: 19.9674, upper: 20.0526 },
  variation: { centerLine: 0.016, lower: 0, upper: 0.0523 },
  baseline: { from: FROM, to: TO, count: 5000 },
};

export const SUMMARY_EXAMPLE = {
  characteristicUuid: CHARACTERISTIC_UUID,
  partUuid: PART_UUID,
  path: 'PC:/Pump/Diameter/',
  count: 5000,
  missing: 3,
  firstTime: FROM,
  lastTime: TO,
  minimum: 19.95,
  maximum: 20.07,
  mean: 20.01,
  median: 20.01,
  lowerQuartile: 20,
  upperQuartile: 20.02,
  standardDeviation: 0.0151,
  limits: {
    nominal: 20,
    target: 20,
    lowerTolerance: 19.95,
    upperTolerance: 20.05,
    sources: { nominal: 2101, target: 2101, lowerTolerance: 2110, upperTolerance: 2111 },
  },
  counts: { inLimits: 4980, inWarning: 0, belowTolerance: 8, aboveTolerance: 12 },
  chart: CHART,
  capability: {
    convention: 'aiagVda',
    confidence: 0.95,
    pk: { name: 'Ppk', value: 0.88, lower: 0.86, upper: 0.9, from: 'normal' },
    normal: {
      overall: {
        sigma: 0.0151,
        p: { name: 'Pp', value: 1.1, lower: 1.08, upper: 1.12 },
        pk: { name: 'Ppk', value: 0.88, lower: 0.86, upper: 0.9 },
      },
      within: {
        sigma: 0.0142,
        p: { name: 'Cw', value: 1.17, lower: 1.15, upper: 1.2 },
        pk: { name: 'Cwk', value: 0.94, lower: 0.92, upper: 0.96 },
      },
    },
  },
  partsPerMillion: { observed: { below: 1600, above: 2400, total: 4000 } },
  toleranceInterval: {
    content: 0.99,
    confidence: 0.95,
    twoSided: { factor: 2.62, lower: 19.9704, upper: 20.0496 },
    oneSided: { factor: 2.37, lower: 19.9742, upper: 20.0458 },
  },
  normality: { test: 'andersonDarling', statistic: 0.41, adjusted: 0.41, pValue: 0.34 },
  assessment: { stable: 'yes', normal: 'yes', capable: 'no', required: { value: 1.33, source: 'default' } },
  box: { lowerWhisker: 19.97, upperWhisker: 20.05, outliers: [20.07] },
  histogram: { edges: [19.95, 20.01, 20.07], counts: [2400, 2600] },
};

export const SERIES_EXAMPLE = {
  count: 2,
  offset: 0,
  kind: 'values',
  values: [
    { time: FROM, value: 20.01, measurementUuid: MEASUREMENT_UUID, status: 'inLimits' },
    { time: TO, value: 20.06, measurementUuid: '0d6a3f0e-2f0a-4f8e-9b51-6b5f6c5f7a10', status: 'aboveTolerance' },
  ],
  chart: { ...CHART, baseline: { from: FROM, to: TO, count: 2 } },
  ruleHits: [{ rule: 'nelson1', on: 'location', index: 1, time: TO, measurementUuid: '0d6a3f0e-2f0a-4f8e-9b51-6b5f6c5f7a10' }],
};

export const PROBABILITY_EXAMPLE = {
  count: 5000,
  points: [
    { value: 19.95, quantile: -3.6 },
    { value: 20.07, quantile: 3.6 },
  ],
  line: { slope: 0.0151, intercept: 20.01 },
};

export const CORRELATION_EXAMPLE = {
  count: 5000,
  pearson: { value: 0.81, lower: 0.8, upper: 0.82 },
  spearman: 0.8,
  line: { slope: 1.2, intercept: -20.8 },
  points: [[20.01, 3.2]],
};
