import { describe, expect, it } from '@jest/globals';
import { NELSON_RULES, usualRule } from '../charts/rule-settings.ts';
import { countChart, type CountChartType } from '../counts/count-chart.ts';
import { R_COUNTS } from '../r-charts.fixture.ts';
import { randomNumbers } from '../random.fixture.ts';
import { assessCounts } from './count-stability.ts';

const { normal, uniform, whole } = randomNumbers(14);

function assess(type: CountChartType, counts: ArrayLike<number>, sizes: ArrayLike<number>) {
  const points = { counts: Float64Array.from(counts), sizes: Float64Array.from(sizes) };
  return assessCounts(countChart(type, points)!, points, { rules: NELSON_RULES.map(usualRule), beyondShown: 0 });
}

function binomial(trials: number, chance: number): number {
  let count = 0;
  for (let i = 0; i < trials; i++) if (uniform() < chance) count++;
  return count;
}

function poisson(mean: number): number {
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); count++) product *= uniform();
  return count;
}

describe('assessCounts', () => {
  it('finds the counts of R that are out', () => {
    const { c, p } = R_COUNTS;
    const sizes = c.counts.map(() => 1);
    expect(assess('c', c.counts, sizes)).toMatchObject({ stable: 'no', since: { kind: 'points', index: c.out } });
    expect(assess('p', p.nonconforming, p.sizes)).toMatchObject({ stable: 'no', since: { kind: 'points', index: p.out } });
  });
  it('is unknown below 20 usable points', () => {
    const sizes = Array.from({ length: 25 }, (_, i) => (i < 6 ? 0 : 50));
    expect(
      assess(
        'p',
        sizes.map(() => 2),
        sizes,
      ),
    ).toMatchObject({ stable: 'unknown', points: 19 });
  });
  it('judges the first point by a rate that is given', () => {
    const points = { counts: Float64Array.of(20, 1), sizes: Float64Array.of(50, 50) };
    const options = { rules: [], beyondShown: 0 };
    const chart = { type: 'p' as const, rate: 0.05, sigmaZ: 1, total: { count: 0, size: 0 } };
    expect(assessCounts(chart, points, options).stable).toBe('unknown');
    const given = { centerLine: 0.05, sigma: 1 };
    expect(assessCounts(chart, points, { ...options, given })).toMatchObject({ stable: 'no', since: { index: 0 } });
  });
  it('is not no where nothing is counted', () => {
    const sizes = new Array<number>(30).fill(50);
    expect(
      assess(
        'p',
        sizes.map(() => 0),
        sizes,
      ).stable,
    ).toBe('yes');
    expect(
      assess(
        'u',
        sizes.map(() => 0),
        sizes,
      ).stable,
    ).toBe('yes');
  });
  it('finds a rate that has doubled', () => {
    const counts = Array.from({ length: 60 }, (_, i) => poisson(i < 30 ? 4 : 8));
    const { stable, since } = assess('c', counts, new Array<number>(60).fill(1));
    expect(stable).toBe('no');
    expect(Math.abs(since!.index - 30)).toBeLessThanOrEqual(4);
  });
  it.each(['p', 'np', 'c', 'u', 'laneyP'] as const)('calls at most 8 of 100 stable processes unstable (%s)', (type) => {
    const runs = 80;
    let no = 0;
    for (let run = 0; run < runs; run++) {
      const size = whole(50, 100);
      const sizes = Array.from({ length: 40 }, () => (type === 'np' ? size : type === 'c' ? 1 : whole(50, 100)));
      const counts = sizes.map((n) => (type === 'c' ? poisson(5) : type === 'u' ? poisson(n / 15) : binomial(n, 0.08)));
      if (assess(type, counts, sizes).stable === 'no') no++;
    }
    expect(no / runs).toBeLessThanOrEqual(0.08);
  });
  it('explains a spread that is wider than binomial with the limits of Laney', () => {
    let [plain, laney] = [0, 0];
    for (let run = 0; run < 40; run++) {
      const sizes = new Array<number>(40).fill(2000);
      const counts = sizes.map((n) => Math.round(n * Math.max(0.01, 0.1 + 0.02 * normal())));
      if (assess('p', counts, sizes).stable === 'no') plain++;
      if (assess('laneyP', counts, sizes).stable === 'no') laney++;
    }
    expect(plain).toBe(40);
    expect(laney).toBeLessThanOrEqual(4);
  });
});
