import { describe, expect, it } from '@jest/globals';
import { cusumChart, DEFAULT_CUSUM, DEFAULT_EWMA, ewmaChart } from '../charts/memory-charts.ts';
import { randomNumbers } from '../random.fixture.ts';
import { cusumSignalRate, ewmaSignalRate } from './memory-rates.ts';
import { assessMemoryChart } from './memory-stability.ts';

describe('signal rates', () => {
  // Lucas and Saccucci (1990), Crowder (1987); Montgomery, tables of the cumulative sum.
  it.each([
    [0.2, 3, 560],
    [1, 3, 370.4],
  ])('of EWMA charts are published for λ = %d and L = %d', (lambda, width, length) => {
    expect(Math.abs(1 / ewmaSignalRate({ lambda, width }) / length - 1)).toBeLessThan(0.01);
  });
  it.each([
    [0.5, 4, 168],
    [0.5, 5, 465],
    [0.25, 8, 368],
  ])('of CUSUM charts are published for k = %d and h = %d', (k, h, length) => {
    expect(Math.abs(1 / cusumSignalRate({ k, h }) / length - 1)).toBeLessThan(0.01);
  });
  it('agree with simulated charts of other settings', () => {
    const { normal } = randomNumbers(4);
    const points = new Float64Array(400);
    const runLengths = (first: () => number) => {
      const lengths: number[] = [];
      for (let run = 0; run < 300; run++) {
        for (let i = 0; i < points.length; i++) points[i] = normal();
        lengths.push(first() + 1);
      }
      return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    };
    const ewma = { lambda: 0.4, width: 2 };
    const cusum = { k: 0.75, h: 2 };
    const meanEwma = runLengths(() => ewmaChart({ points, target: 0, sigma: 1 }, ewma).hits[0]!);
    const meanCusum = runLengths(() => cusumChart({ points, target: 0, sigma: 1 }, cusum).hits[0]!);
    // A run length varies as much as its mean; four standard deviations of the mean of 300.
    expect(Math.abs(meanEwma * ewmaSignalRate(ewma) - 1)).toBeLessThan(4 / Math.sqrt(300));
    expect(Math.abs(meanCusum * cusumSignalRate(cusum) - 1)).toBeLessThan(4 / Math.sqrt(300));
  });
});

describe('assessMemoryChart', () => {
  const signals = (...excursions: (readonly [first: number, signals: number])[]) => ({
    hits: [],
    excursions: excursions.map(([first, count]) => ({ first, signals: count })),
  });

  it('is unknown of few points', () => {
    expect(assessMemoryChart(signals(), 19, { ewma: DEFAULT_EWMA }).stable).toBe('unknown');
    expect(assessMemoryChart(signals(), 9, { ewma: DEFAULT_EWMA }, 'groups').stable).toBe('unknown');
    expect(assessMemoryChart(signals(), 10, { ewma: DEFAULT_EWMA }, 'groups').stable).toBe('yes');
  });
  it('is yes without signals, and nearly with one short excursion', () => {
    expect(assessMemoryChart(signals(), 100, { ewma: DEFAULT_EWMA })).toEqual({ stable: 'yes' });
    expect(assessMemoryChart(signals([20, 3]), 100, { ewma: DEFAULT_EWMA })).toEqual({ stable: 'nearly' });
  });
  it('is no with more excursions than chance makes, from the first of them on', () => {
    expect(assessMemoryChart(signals([20, 2], [60, 2]), 100, { ewma: DEFAULT_EWMA })).toEqual({
      stable: 'no',
      since: { kind: 'points', index: 20, on: 'location' },
    });
  });
  it('is no with one excursion that lasts, from its beginning on', () => {
    expect(assessMemoryChart(signals([70, 30]), 100, { ewma: DEFAULT_EWMA })).toMatchObject({ stable: 'no', since: { index: 70 } });
    expect(assessMemoryChart(signals([60, 30]), 100, { cusum: DEFAULT_CUSUM })).toMatchObject({ stable: 'no', since: { index: 60 } });
  });

  it.each([25, 100, 400])('calls at most 8 of 100 stable processes of %d values unstable', (count) => {
    const { normal } = randomNumbers(count);
    const runs = 150;
    let [ewma, cusum] = [0, 0];
    for (let i = 0; i < runs; i++) {
      const points = { points: Float64Array.from({ length: count }, normal), target: 0, sigma: 1 };
      if (assessMemoryChart(ewmaChart(points, DEFAULT_EWMA), count, { ewma: DEFAULT_EWMA }).stable === 'no') ewma++;
      if (assessMemoryChart(cusumChart(points, DEFAULT_CUSUM), count, { cusum: DEFAULT_CUSUM }).stable === 'no') cusum++;
    }
    expect(ewma / runs).toBeLessThanOrEqual(0.08);
    expect(cusum / runs).toBeLessThanOrEqual(0.08);
  });
  it('finds at least 9 of 10 processes that have moved by one standard deviation', () => {
    const { normal } = randomNumbers(6);
    let [ewma, cusum] = [0, 0];
    for (let i = 0; i < 100; i++) {
      const points = { points: Float64Array.from({ length: 100 }, (_, k) => normal() + (k < 50 ? 0 : 1)), target: 0, sigma: 1 };
      if (assessMemoryChart(ewmaChart(points, DEFAULT_EWMA), 100, { ewma: DEFAULT_EWMA }).stable === 'no') ewma++;
      if (assessMemoryChart(cusumChart(points, DEFAULT_CUSUM), 100, { cusum: DEFAULT_CUSUM }).stable === 'no') cusum++;
    }
    expect(ewma).toBeGreaterThanOrEqual(90);
    expect(cusum).toBeGreaterThanOrEqual(90);
  });
});
