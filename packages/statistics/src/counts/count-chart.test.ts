import { describe, expect, it } from '@jest/globals';
import { R_COUNTS } from '../r-charts.fixture.ts';
import {
  countChart,
  countDeviation,
  countPoint,
  countRate,
  countScore,
  givenCountChart,
  isUsable,
  type CountChartType,
} from './count-chart.ts';

const DIGITS = 9;

function charted(type: CountChartType, counts: readonly number[], sizes: readonly number[]) {
  const chart = countChart(type, { counts: Float64Array.from(counts), sizes: Float64Array.from(sizes) })!;
  const points = counts.map((count, i) => countPoint(chart, count, sizes[i]!));
  return { chart, points, out: points.flatMap(({ value, lower, upper }, i) => (value < lower || value > upper ? [i] : [])) };
}
const same = (counts: readonly number[], size: number) => counts.map(() => size);
const expectLimits = (points: readonly { lower: number; upper: number }[], lower: readonly number[], upper: readonly number[]) =>
  points.forEach((point, i) => {
    expect(point.lower).toBeCloseTo(lower[i]!, DIGITS);
    expect(point.upper).toBeCloseTo(upper[i]!, DIGITS);
  });

describe('charts of counts agree with R', () => {
  const { p, np, c, u, binomial, poisson } = R_COUNTS;

  it('on p', () => {
    const { chart, points, out } = charted('p', p.nonconforming, p.sizes);
    expect(chart.rate).toBeCloseTo(p.centre, DIGITS);
    expectLimits(points, p.lower, p.upper);
    expect(out).toEqual([p.out]);
  });
  it('on p of Laney', () => {
    const { chart, points } = charted('laneyP', p.nonconforming, p.sizes);
    expect(chart.sigmaZ).toBeCloseTo(p.laneySigmaZ, DIGITS);
    expectLimits(points, p.laneyLower, p.laneyUpper);
  });
  it('on np', () => {
    const { points } = charted('np', np.nonconforming, same(np.nonconforming, np.size));
    expect(points[0]).toMatchObject({ value: np.nonconforming[0] });
    expect(points[0]!.centerLine).toBeCloseTo(np.centre, DIGITS);
    expectLimits(points.slice(0, 1), [np.lower], [np.upper]);
  });
  it('on c', () => {
    const { points, out } = charted('c', c.counts, same(c.counts, 1));
    expect(points[0]!.centerLine).toBeCloseTo(c.centre, DIGITS);
    expectLimits(points.slice(0, 1), [c.lower], [c.upper]);
    expect(out).toEqual([c.out]);
  });
  it('on u', () => {
    const { chart, points } = charted('u', u.counts, u.units);
    expect(chart.rate).toBeCloseTo(u.centre, DIGITS);
    expectLimits(points, u.lower, u.upper);
  });
  it('on the exact interval of a share', () => {
    const { chart } = charted('p', [binomial.nonconforming], [binomial.n]);
    const { value, lower, upper } = countRate(chart, 0.95);
    expect(value * 1e6).toBeCloseTo(binomial.ppm, 6);
    expect(lower * 1e6).toBeCloseTo(binomial.interval[0]!, 4);
    expect(upper * 1e6).toBeCloseTo(binomial.interval[1]!, 4);
  });
  it('on the exact interval of a rate', () => {
    const { lower, upper } = countRate(charted('u', [poisson.counts], [poisson.units]).chart, 0.95);
    expect(lower).toBeCloseTo(poisson.interval[0]!, 9);
    expect(upper).toBeCloseTo(poisson.interval[1]!, 9);
  });
});

describe('a chart of counts', () => {
  it.each([
    ['p', 3, 0],
    ['p', 3, 2],
    ['u', -1, 5],
    ['c', NaN, 1],
    ['np', 1, NaN],
    ['np', 1, 2.5],
    ['c', 1.5, 1],
    ['u', 1, Infinity],
  ] as const)('cannot use a count in %s of %d in %d', (type, count, size) => expect(isUsable(type, count, size)).toBe(false));
  it('leaves out points that it cannot use', () => {
    const points = { counts: Float64Array.of(1, 5, NaN, 3), sizes: Float64Array.of(10, 0, 10, 10) };
    expect(countChart('p', points)).toEqual({ type: 'p', rate: 0.2, sigmaZ: 1, total: { count: 4, size: 20 } });
  });
  it('is none without points', () => expect(countChart('u', { counts: Float64Array.of(1), sizes: Float64Array.of(0) })).toBeUndefined());
  it('is none of Laney with one point', () => {
    expect(countChart('laneyP', { counts: Float64Array.of(1), sizes: Float64Array.of(9) })).toBeUndefined();
  });
  it('has units that are no whole numbers', () => expect(isUsable('u', 3, 2.5)).toBe(true));
  it('has the rate that is given', () => {
    const points = { counts: Float64Array.of(1, 3), sizes: Float64Array.of(10, 10) };
    expect(givenCountChart('p', 0.1, points)).toEqual({ type: 'p', rate: 0.1, sigmaZ: 1, total: { count: 4, size: 20 } });
    const { sigmaZ } = givenCountChart('laneyP', 0.2, points)!;
    expect(sigmaZ).toBe(countChart('laneyP', points)!.sigmaZ);
    expect(givenCountChart('p', 1.1, points)).toBeUndefined();
    expect(givenCountChart('c', -1, points)).toBeUndefined();
  });
  it('ends at all parts', () => expect(charted('p', [9, 10, 10], [10, 10, 10]).points[0]!.upper).toBe(1));
  it('has no spread where nothing is counted', () => {
    const { chart, points } = charted('laneyP', [0, 0], [10, 10]);
    expect(chart).toMatchObject({ rate: 0, sigmaZ: 0 });
    expect(points[0]).toEqual({ value: 0, centerLine: 0, lower: 0, upper: 0 });
  });
});

describe('countDeviation', () => {
  const chart = { type: 'p' as const, rate: 0.1, sigmaZ: 1, total: { count: 10, size: 100 } };
  it('is the distance from the centre line by the size of the sample', () => {
    expect(countDeviation(chart, 4, 10)).toBeCloseTo(0.3 / Math.sqrt(0.009), 12);
    expect(countDeviation({ ...chart, type: 'np' }, 4, 10)).toBeCloseTo(3 / Math.sqrt(0.9), 12);
    expect(countDeviation({ ...chart, type: 'laneyP', sigmaZ: 2 }, 4, 10)).toBeCloseTo(0.15 / Math.sqrt(0.009), 12);
  });
  it('is beyond all limits where the rate is 0', () => {
    expect([0, 1].map((count) => countDeviation({ ...chart, rate: 0 }, count, 10))).toEqual([0, Infinity]);
  });
});

describe('countScore', () => {
  const chart = { type: 'u' as const, rate: 1 };
  it('is Φ⁻¹ of the middle of the step of a count', () => {
    // P(X < 2) + P(X = 2) / 2 of a mean of 4 is 0.16484; Φ⁻¹ of it −0.97482.
    const probability = Math.exp(-4) * (1 + 4 + 8 / 2);
    expect(probability).toBeCloseTo(0.16484, 5);
    expect(countScore(chart, 2, 4)).toBeCloseTo(-0.9748, 3);
  });
  it('rises with the count, also far from the mean', () => {
    const scores = [0, 1, 50, 100, 101, 150, 400, 5000].map((count) => countScore(chart, count, 100));
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(scores.every(Number.isFinite)).toBe(true);
    expect(countScore({ type: 'p', rate: 0.5 }, 100, 100)).toBeGreaterThan(6);
  });
  it('is level on average', () => {
    let mean = 0;
    for (let count = 0, p = Math.exp(-3); count < 40; p *= 3 / ++count) mean += p * countScore(chart, count, 3);
    expect(Math.abs(mean)).toBeLessThan(0.02);
  });
});
