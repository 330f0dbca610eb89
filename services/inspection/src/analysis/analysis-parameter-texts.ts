import { CHARACTERISTIC_UUID } from '../shared/documentation.ts';
import { MEASUREMENT_UUID } from '../measurements/measurements-examples.ts';
import { MEASUREMENT_PARAMETERS } from '../measurements/measurements-parameter-texts.ts';

export const ANALYSIS_TAG = 'Analysis';

/** Texts for every parameter of the analysis routes; a route shows those that it takes. */
export const ANALYSIS_PARAMETERS = {
  ...MEASUREMENT_PARAMETERS,
  uuid: { description: 'Uuid of the characteristic, in any case, with or without braces', example: CHARACTERISTIC_UUID },
  limitResult: { description: 'Only the newest measurements, this many at most; below 0 there is no limit', example: '125' },
  from: { description: 'Only measurements of this time or later (attribute 4)', example: '2026-01-01T00:00:00Z' },
  to: { description: 'Only measurements before this time (attribute 4)', example: '2027-01-01T00:00:00Z' },
  exclude: {
    description: 'Uuids of measurements that are left out of all figures, besides those that the evaluation excludes',
    example: `{${MEASUREMENT_UUID}}`,
  },
  subgroup: { description: 'Consecutive measurements that belong together, 1 to 500; by default as the evaluation says', example: '5' },
  subgroupBy: {
    description: 'Key of a measurement attribute: consecutive measurements with the same value of it belong together, up to 500',
    example: '10',
  },
  by: {
    description: 'Key of a measurement attribute, or shift, day or week as the settings of the plant tell them',
    example: '10',
  },
  chart: {
    description:
      'individuals, xbarR or xbarS; by default as the evaluation says, else individuals for single values, xbarR for subgroups of up to 10, else xbarS; above 25 values there is only xbarS. ewma or cusum adds a chart that remembers earlier points, and is judged by it. Of characteristics that count (attribute 12004 is 1, 5 or 6): p, np, c, u or laneyP',
    example: 'xbarR',
  },
  sigma: {
    description:
      'How the spread within is estimated: movingRange or medianMovingRange for single values, rbar, sbar or pooled for subgroups; by default as the chart does',
    example: 'pooled',
  },
  rules: {
    description:
      'Run rules: nelson1 to nelson8, westernElectric1 to westernElectric4, nelson or westernElectric for all of them; a number of points may follow, such as nelson2:7; by default as the evaluation says',
    example: 'nelson1,nelson2:7',
  },
  baselineFrom: { description: 'Control limits follow only from values of this time or later', example: '2026-01-01T00:00:00Z' },
  baselineTo: { description: 'Control limits follow only from values before this time', example: '2026-02-01T00:00:00Z' },
  convention: {
    description: 'Names of the indices: aiagVda (Pp, Ppk, Cw, Cwk; the default) or minitab (Pp, Ppk, Cp, Cpk)',
    example: 'minitab',
  },
  model: {
    description:
      'Model of the values, by default that of the evaluation: auto, normal, lognormal, weibull, gamma, foldedNormal, rayleigh, student, lognormalMirrored or weibullMirrored; gamma, foldedNormal and rayleigh need a natural boundary',
    example: 'weibull',
  },
  content: { description: 'Share of all values that the tolerance interval holds; by default 0.99', example: '0.9973' },
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
