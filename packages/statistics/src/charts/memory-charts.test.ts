import { describe, expect, it } from '@jest/globals';
import { R_MEMORY } from '../r-charts.fixture.ts';
import { FLOW_RATES } from '../oracles.fixture.ts';
import { cusumChart, DEFAULT_CUSUM, DEFAULT_EWMA, ewmaChart } from './memory-charts.ts';

const DIGITS = 9;
const { target, sigma, ewma, cusum } = R_MEMORY;
const points = Float64Array.from(R_MEMORY.values);

describe('EWMA chart', () => {
  const chart = ewmaChart({ points, target, sigma }, DEFAULT_EWMA);
  it('has the values of R', () => ewma.values.forEach((value, i) => expect(chart.values[i]).toBeCloseTo(value, DIGITS)));
  it('has the exact limits of R', () => {
    ewma.upper.forEach((limit, i) => expect(chart.upper[i]).toBeCloseTo(limit, DIGITS));
    ewma.lower.forEach((limit, i) => expect(chart.lower[i]).toBeCloseTo(limit, DIGITS));
  });
  it('has the signals of R', () => expect(chart.hits).toEqual(ewma.out));
  it('agrees with the NIST handbook 6.3.2.4', () => {
    const values = [52, 47, 53, 49.3, 50.1, 47, 51, 50.1, 51.2, 50.5, ...FLOW_RATES];
    const nist = ewmaChart({ points: Float64Array.from(values), target: 50, sigma: 2.0539 }, { lambda: 0.3, width: 3 });
    expect(nist.values.at(-1)).toBeCloseTo(51.99, 2);
    expect(nist.upper.at(-1)).toBeCloseTo(52.5884, 2);
    expect(nist.lower.at(-1)).toBeCloseTo(47.4115, 2);
    expect(nist.hits).toEqual([]);
  });
  it('counts signals up to the return to the target as one excursion', () => {
    const swings = Float64Array.of(9, -3, 9, -20, -20, 0);
    const { hits, excursions } = ewmaChart({ points: swings, target: 0, sigma: 1 }, { lambda: 0.5, width: 3 });
    expect(hits).toEqual([0, 2, 3, 4, 5]);
    expect(excursions).toEqual([
      { first: 0, signals: 2 },
      { first: 3, signals: 3 },
    ]);
  });
  it('is not changed by a missing point', () => {
    const gap = ewmaChart({ points: Float64Array.of(1, NaN, 2), target: 0, sigma: 1 }, DEFAULT_EWMA);
    const whole = ewmaChart({ points: Float64Array.of(1, 2), target: 0, sigma: 1 }, DEFAULT_EWMA);
    expect([gap.values[0], gap.values[2], gap.upper[2]]).toEqual([whole.values[0], whole.values[1], whole.upper[1]]);
    expect(gap.values[1]).toBeNaN();
  });
  it('has narrower limits for means of groups', () => {
    const groups = ewmaChart({ points: Float64Array.of(0, 0), counts: [4, 4], target: 0, sigma: 2 }, DEFAULT_EWMA);
    const single = ewmaChart({ points: Float64Array.of(0, 0), target: 0, sigma: 1 }, DEFAULT_EWMA);
    expect(groups.upper[1]).toBeCloseTo(single.upper[1]!, 12);
  });
  it('keeps its digits for 1e12 ± 6', () => {
    const { values } = ewmaChart({ points: Float64Array.of(1e12 + 6, 1e12 - 6), target: 1e12, sigma: 6 }, { lambda: 0.5, width: 3 });
    expect(Array.from(values)).toEqual([1e12 + 3, 1e12 - 1.5]);
  });
});

describe('CUSUM chart', () => {
  const chart = cusumChart({ points, target, sigma }, DEFAULT_CUSUM);
  it('has the sums of R', () => {
    cusum.upper.forEach((sum, i) => expect(chart.upper[i]).toBeCloseTo(sum, DIGITS));
    cusum.lower.forEach((sum, i) => expect(chart.lower[i]).toBeCloseTo(sum, DIGITS));
  });
  it('has the signals of R', () => expect(chart.hits).toEqual(cusum.out));
  it('counts signals of each sum up to its return to the target as one excursion', () => {
    const swings = Float64Array.of(6, -2, 4, -9, 1, 8);
    const { hits, excursions } = cusumChart({ points: swings, target: 0, sigma: 1 }, { k: 0, h: 5 });
    expect(hits).toEqual([0, 2, 3, 4, 5]);
    expect(excursions).toEqual([
      { first: 0, signals: 2 },
      { first: 3, signals: 2 },
      { first: 5, signals: 1 },
    ]);
  });
  it('counts means of groups in their own standard deviations', () => {
    const { upper } = cusumChart({ points: Float64Array.of(1), counts: [4], target: 0, sigma: 2 }, { k: 0, h: 4 });
    expect(upper[0]).toBe(1);
  });
  it('is finite without spread on the target', () => {
    expect(Array.from(cusumChart({ points: Float64Array.of(5, 5), target: 5, sigma: 0 }, DEFAULT_CUSUM).upper)).toEqual([0, 0]);
  });
});
