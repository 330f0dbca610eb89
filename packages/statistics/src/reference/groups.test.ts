import { describe, expect, it } from '@jest/globals';
import { countChart, countPoint, countRate, countScore, countTails } from '../counts/count-chart.ts';
import { boxPlot } from '../descriptive/box-plot.ts';
import { assignGroups, figuresOfGroup, valuesOfGroups } from '../groups/group-by.ts';
import { brownForsytheTest, welchTest, type GroupTest } from '../groups/group-tests.ts';
import { randomNumbers } from '../random.fixture.ts';
import { deviation, mean, quantile, sum } from './descriptive.fixture.ts';
import { binomialShares, poissonShares } from './distributions.fixture.ts';
import { brownForsythe, countsOf, scoreOfCount, welch } from './groups.fixture.ts';
import { numbersOf, SETS } from './random-sets.fixture.ts';

const expectTest = (found: GroupTest, expected: GroupTest) => {
  expect(found.statistic / expected.statistic).toBeCloseTo(1, 8);
  expect(found.df1).toBe(expected.df1);
  expect(found.df2 / expected.df2).toBeCloseTo(1, 8);
  expect(found.pValue).toBeCloseTo(expected.pValue, 8);
};

describe(`${SETS} random sets agree with a second implementation`, () => {
  it('on figures and tests of groups', () => {
    const { normal, uniform, whole } = randomNumbers(70);
    for (let set = 0; set < SETS; set++) {
      const keys = whole(2, 6);
      const drawn = Array.from({ length: whole(4 * keys, 60) }, (_, i) => ({
        key: i < 3 * keys ? i % keys : whole(0, keys - 1),
        value: 0,
      }));
      const [shifts, spreads] = [0, 0].map(() => Array.from({ length: keys }, () => (uniform() < 0.5 ? 1 : 0.5 + uniform()))) as [
        number[],
        number[],
      ];
      for (const one of drawn) one.value = 100 + shifts[one.key]! + spreads[one.key]! * normal();
      const groups = Array.from({ length: keys }, (_, key) => drawn.filter((one) => one.key === key).map(({ value }) => value));
      const values = numbersOf(drawn.map(({ value }) => value));
      const keyed = Int32Array.from(drawn, ({ key }) => key);
      const found = valuesOfGroups(values, assignGroups(values, keyed));
      expect(found).toEqual(groups.map(numbersOf));
      groups.forEach((group, key) => {
        const figures = figuresOfGroup(found[key]!)!;
        expect(figures.mean).toBeCloseTo(mean(group), 9);
        expect(figures.standardDeviation).toBeCloseTo(deviation(group), 9);
        expect(figures.box).toEqual(boxPlot(numbersOf(group).sort()));
        expect(figures.box.median).toBeCloseTo(quantile(group, 0.5), 9);
      });
      const lists = groups.map(numbersOf);
      const [welchFound, welchExpected] = [welchTest(lists)!, welch(groups)];
      expectTest(welchFound, welchExpected);
      expect(welchFound.explained).toBeCloseTo(welchExpected.explained, 8);
      expectTest(brownForsytheTest(lists)!, brownForsythe(groups));
    }
  });

  it.each(['p', 'np', 'c', 'u', 'laneyP'] as const)('on charts of counts (%s)', (type) => {
    const { uniform, whole } = randomNumbers(71);
    const isOfParts = type !== 'c' && type !== 'u';
    for (let set = 0; set < SETS; set++) {
      const usual = whole(5, 120);
      const rate = uniform() < 0.1 ? 0 : 0.5 * uniform();
      const samples = Array.from({ length: whole(2, 20) }, () => {
        const size = type === 'c' ? 1 : type === 'np' ? usual : whole(5, 120);
        const count = Array.from({ length: type === 'c' ? usual : size }, () => uniform()).filter((one) => one < rate).length;
        return { count, size };
      });
      // A sample of nothing and a missing count are left out.
      const listed = [...samples, { count: 1, size: 0 }, { count: NaN, size: 10 }];
      const points = { counts: Float64Array.from(listed, ({ count }) => count), sizes: Float64Array.from(listed, ({ size }) => size) };
      const chart = countChart(type, points)!;
      const expected = countsOf(samples, isOfParts, type === 'laneyP');
      expect(chart.rate).toBeCloseTo(expected.rate, 12);
      if (expected.rate > 0) expect(chart.sigmaZ).toBeCloseTo(expected.sigmaZ, 9);
      for (const { count, size } of samples) {
        if (expected.rate === 0) break;
        const isNumber = type === 'np' || type === 'c';
        const { value, centerLine, lower, upper } = countPoint(chart, count, size);
        const factor = isNumber ? size : 1;
        expect(value).toBeCloseTo((count / size) * factor, 12);
        expect(centerLine).toBeCloseTo(expected.rate * factor, 9);
        const [low, high] = expected.limitsOfShare(size);
        expect(lower).toBeCloseTo(low * factor, 9);
        expect(upper).toBeCloseTo(high * factor, 9);
        const shares = isOfParts ? binomialShares(size, expected.rate) : poissonShares(expected.rate * size);
        const tails = countTails(chart, count, size);
        expect(tails.lower).toBeCloseTo(sum(shares.slice(0, count + 1)), 9);
        expect(tails.upper).toBeCloseTo(sum(shares.slice(count)), 9);
        expect(countScore(chart, count, size)).toBeCloseTo(scoreOfCount({ count, size }, expected.rate, isOfParts), 6);
      }
    }
  });

  it.each(['p', 'u'] as const)('on exact intervals of counts (%s)', (type) => {
    const { whole } = randomNumbers(72);
    // The second implementation sums all shares again in each step of its search.
    for (let set = 0; set < SETS / 10; set++) {
      const size = whole(1, 40);
      const count = whole(0, type === 'p' ? size : 30);
      const chart = countChart(type, { counts: Float64Array.of(count), sizes: Float64Array.of(size) })!;
      const { lower, upper } = countRate(chart, 0.95);
      const [low, high] = countsOf([{ count, size }], type === 'p', false).interval(0.95);
      expect(lower).toBeCloseTo(low!, 8);
      expect(upper).toBeCloseTo(high!, 8);
    }
  });
});
