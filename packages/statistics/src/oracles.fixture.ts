/** Reference data with published results; each constant names its source. */

/** NIST Statistical Reference Datasets, https://www.itl.nist.gov/div898/strd/univ/homepage.html: certified mean and standard deviation. */
export const NIST_NUMACC = [
  { name: 'NumAcc1', values: [10000001, 10000003, 10000002], mean: 10000002, standardDeviation: 1 },
  { name: 'NumAcc2', values: alternating(1.2, 1.1, 1.3, 500), mean: 1.2, standardDeviation: 0.1 },
  { name: 'NumAcc3', values: alternating(1000000.2, 1000000.1, 1000000.3, 500), mean: 1000000.2, standardDeviation: 0.1 },
  { name: 'NumAcc4', values: alternating(10000000.2, 10000000.1, 10000000.3, 500), mean: 10000000.2, standardDeviation: 0.1 },
] as const;

function alternating(first: number, low: number, high: number, pairs: number): number[] {
  return [first, ...Array.from({ length: 2 * pairs }, (_, i) => (i % 2 === 0 ? low : high))];
}

/** NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2: flow rates. */
export const FLOW_RATES = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];

/** Montgomery, Introduction to Statistical Quality Control, viscosity; results from the documentation of the R package qcc. */
export const VISCOSITY = [
  34.05, 34.4, 33.59, 35.96, 34.7, 33.51, 33.79, 34.04, 34.52, 33.75, 33.27, 33.71, 34.03, 34.58, 34.02, 33.97, 34.05, 34.04, 33.73, 34.05,
];

/** Three subgroups of four from the tests of the R package qcc (tests/testthat/test-capability.R). */
export const QCC_SUBGROUPS = [10.0, 10.02, 9.98, 10.01, 10.03, 9.99, 10.01, 10.0, 9.97, 10.04, 10.02, 9.99];

/** Piston rings (Montgomery): figures of 25 subgroups of 5, published with the R package qcc. */
export const PISTON_RINGS = {
  subgroups: 25,
  size: 5,
  mean: 74.00118,
  meanRange: 0.02276,
  sigmaOfRange: 0.009785,
  meanDeviation: 0.009240037,
  sigmaOfDeviation: 0.009829977,
  upperLimitOfDeviation: 0.0193024,
  overallDeviation: 0.01006997,
} as const;

/** Twenty values and their transforms from the tests of statsmodels, computed with the R package fBasics. */
export const NORMALITY_VALUES = [
  -0.1184, -1.3403, 0.0063, -0.612, -0.3869, -0.2313, -2.8485, -0.2167, 0.4153, 1.8492, -0.3706, 0.9726, -0.1501, -0.0337, -1.4423, 1.2489,
  0.9182, -0.2331, -0.6182, 0.183,
];

/** Anscombe (1973), Graphs in Statistical Analysis: four sets of pairs with r = 0.816 and the line 3 + 0.5x. */
const ANSCOMBE_X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
export const ANSCOMBE: readonly { readonly x: readonly number[]; readonly y: readonly number[] }[] = [
  { x: ANSCOMBE_X, y: [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68] },
  { x: ANSCOMBE_X, y: [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74] },
  { x: ANSCOMBE_X, y: [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73] },
  { x: [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8], y: [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89] },
];
