import { describe, expect, it } from '@jest/globals';
import { capabilityIndices } from '../capability/indices.ts';
import { correlationWithInterval, fitLine, spearman } from '../correlation.ts';
import { boxPlot } from '../descriptive/box-plot.ts';
import { histogram } from '../descriptive/histogram.ts';
import { momentsOf } from '../descriptive/moments.ts';
import { quantile } from '../descriptive/quantiles.ts';
import { randomNumbers } from '../random.fixture.ts';
import { box, countsBetween, deviation, mean, pearson, quantile as quantileOfReference, ranks } from './descriptive.fixture.ts';
import { chiSquareQuantile, normalQuantile } from './distributions.fixture.ts';
import { numbersOf, randomValues, SETS } from './random-sets.fixture.ts';

describe(`${SETS} random sets agree with a second implementation`, () => {
  const random = randomNumbers(40);
  const sets = Array.from({ length: SETS }, () => randomValues(random, random.whole(4, 80)));

  it.each(sets.map((values, i) => [i, values] as const))('on descriptive figures (%#)', (_, values) => {
    const numbers = numbersOf(values);
    const sorted = numbers.slice().sort();
    const spread = deviation(values);
    const unit = spread > 0 ? spread : Math.abs(values[0]!);
    const allowed = 1e-9 * unit + 1e-12 * Math.max(...values.map(Math.abs));
    const near = (found: number, expected: number) => expect(Math.abs(found - expected)).toBeLessThanOrEqual(allowed);
    near(momentsOf(numbers)!.mean, mean(values));
    near(momentsOf(numbers)!.standardDeviation!, spread);
    for (const probability of [0, 0.1, 0.37, 0.9, 1]) near(quantile(sorted, probability), quantileOfReference(values, probability));
    const [found, expected] = [boxPlot(sorted), box(values)];
    for (const key of ['lowerQuartile', 'median', 'upperQuartile', 'lowerWhisker', 'upperWhisker'] as const)
      near(found[key], expected[key]);
    expect(found.outliers.toSorted((a, b) => a - b)).toEqual(expected.outliers);
    const { edges, counts } = histogram(sorted);
    // Of values with decimals, one that misses an edge by the rounding of a double counts as if it were the edge.
    const moved = [...edges.slice(0, -1).map((edge) => edge - allowed), edges.at(-1)! + allowed];
    expect([countsBetween(values, edges), countsBetween(values, moved)]).toContainEqual(counts);
  });

  it('on indices of normal values and their intervals', () => {
    for (const values of sets) {
      const [center, sigma, n] = [mean(values), deviation(values), values.length];
      if (!(sigma > 0)) continue;
      const [lower, upper, target] = [
        center - sigma * (2 + 4 * random.uniform()),
        center + sigma * (1 + 5 * random.uniform()),
        center + sigma * random.normal(),
      ];
      const confidence = 0.8 + 0.19 * random.uniform();
      const limits = { lowerTolerance: lower, upperTolerance: upper, target };
      const { p, pk, pl, pu, pm } = capabilityIndices({ mean: center, sigma, limits, count: n, degreesOfFreedom: n - 1, confidence });
      const [c, cu, cl] = [(upper - lower) / 6 / sigma, (upper - center) / 3 / sigma, (center - lower) / 3 / sigma];
      const a = (center - target) / sigma;
      expect([p!.value, pl!.value, pu!.value, pk!.value, pm!.value]).toEqual(
        [c, cl, cu, Math.min(cl, cu), c / Math.sqrt(1 + a ** 2)].map((value) => expect.closeTo(value, 6)),
      );
      const root = (side: number, freedom: number) => Math.sqrt(chiSquareQuantile((1 + side * confidence) / 2, freedom) / freedom);
      expect([p!.lower! / p!.value, p!.upper! / p!.value]).toEqual([expect.closeTo(root(-1, n - 1), 8), expect.closeTo(root(1, n - 1), 8)]);
      const freedom = (n * (1 + a ** 2) ** 2) / (1 + 2 * a ** 2);
      expect(pm!.lower! / pm!.value).toBeCloseTo(root(-1, freedom), 8);
      const reach = normalQuantile((1 + confidence) / 2) * Math.sqrt(1 / (9 * n) + pk!.value ** 2 / (2 * (n - 1)));
      expect([pk!.value - pk!.lower!, pk!.upper! - pk!.value]).toEqual([expect.closeTo(reach, 8), expect.closeTo(reach, 8)]);
    }
  });

  it('on correlations and lines', () => {
    for (const first of sets) {
      const second = first.map((value, i) => (i % 3 === 0 ? value : 0.5 * value + (first[(i * 7) % first.length]! - value)));
      const [x, y] = [numbersOf(first), numbersOf(second)];
      if (!(deviation(first) > 0 && deviation(second) > 0)) continue;
      const r = pearson(first, second);
      const { value, lower, upper } = correlationWithInterval(x, y, 0.95)!;
      expect(value).toBeCloseTo(r, 8);
      if (lower !== undefined && upper !== undefined) {
        const reach = normalQuantile(0.975) / Math.sqrt(first.length - 3);
        expect([Math.atanh(upper) - Math.atanh(value), Math.atanh(value) - Math.atanh(lower)]).toEqual([
          expect.closeTo(reach, 6),
          expect.closeTo(reach, 6),
        ]);
      }
      expect(spearman(x, y)).toBeCloseTo(pearson(ranks(first), ranks(second)), 8);
      expect(fitLine(x, y)!.slope / ((r * deviation(second)) / deviation(first))).toBeCloseTo(1, 6);
    }
  });
});
