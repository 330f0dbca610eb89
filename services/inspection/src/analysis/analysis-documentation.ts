import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.js';
import { MEASUREMENT_PARAMETERS } from '../measurements/measurements-documentation.js';

export const ANALYSIS_TAG = 'Analysis';

const MEASUREMENT_UUID = '7d1c2b5e-6f0a-4c55-8a0e-1f7a5c9b2d30';
const FROM = '2026-01-05T08:00:00.000Z';
const TO = '2026-01-09T16:00:00.000Z';

/** Texts for every parameter of the analysis routes; a route shows those that it takes. */
export const ANALYSIS_PARAMETERS = {
  ...MEASUREMENT_PARAMETERS,
  uuid: { description: 'Uuid of the characteristic, in any case, with or without braces', example: CHARACTERISTIC_UUID },
  limitResult: { description: 'Only the newest measurements, this many at most; below 0 there is no limit', example: '125' },
  from: { description: 'Only measurements of this time or later (attribute 4)', example: '2026-01-01T00:00:00Z' },
  to: { description: 'Only measurements before this time (attribute 4)', example: '2027-01-01T00:00:00Z' },
  exclude: { description: 'Uuids of measurements that are left out of all figures', example: `{${MEASUREMENT_UUID}}` },
  subgroup: { description: 'Consecutive values that belong together, 1 to 25; by default 1', example: '5' },
  chart: {
    description: 'individuals, xbarR or xbarS; by default individuals for single values, xbarR for subgroups of up to 10, else xbarS',
    example: 'xbarR',
  },
  sigma: {
    description:
      'How the spread within is estimated: movingRange or medianMovingRange for single values, rbar, sbar or pooled for subgroups; by default as the chart does',
    example: 'pooled',
  },
  rules: {
    description:
      'Run rules: nelson1 to nelson8, westernElectric1 to westernElectric4, nelson or westernElectric for all of them; by default nelson1',
    example: 'nelson1,nelson2',
  },
  baselineFrom: { description: 'Control limits follow only from values of this time or later', example: '2026-01-01T00:00:00Z' },
  baselineTo: { description: 'Control limits follow only from values before this time', example: '2026-02-01T00:00:00Z' },
  convention: {
    description: 'Names of the indices: aiagVda (Pp, Ppk, Cw, Cwk; the default) or minitab (Pp, Ppk, Cp, Cpk)',
    example: 'minitab',
  },
  confidence: { description: 'Probability with which an interval holds the true figure; by default 0.95', example: '0.99' },
  points: { description: 'Entries of the answer, at most, from 2 to 10000', example: '1000' },
  shownFrom: {
    description: 'Only points of this time or later are sent; limits and broken rules still follow from all selected values',
    example: '2026-01-07T00:00:00Z',
  },
  shownTo: { description: 'Only points before this time are sent', example: '2026-01-08T00:00:00Z' },
  newest: { description: 'Newest single values to send beside the others, from 0 to 100; by default 0', example: '25' },
  characteristicUuids: { description: 'The two characteristics', example: `{${CHARACTERISTIC_UUID},1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed}` },
};

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
    method: 'normal',
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
  partsPerMillion: { observed: { below: 1600, above: 2400, total: 4000 } },
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
