import { describe, expect, it } from '@jest/globals';
import { individualsChart } from '../charts/control-chart.ts';
import { groupChart, limitsOfGroup, type GroupSigmaMethod } from '../charts/group-chart.ts';
import { cutGroups, groupFigures } from '../charts/grouping.ts';
import { cusumChart, ewmaChart } from '../charts/memory-charts.ts';
import { RULES, RUN_RULES } from '../charts/rule-settings.ts';
import { ruleHits } from '../charts/run-rules.ts';
import { randomNumbers } from '../random.fixture.ts';
import {
  cusum,
  deviationOf,
  ewma,
  excursions,
  groupsOf,
  meanOfAll,
  measured,
  movingRanges,
  rangeOf,
  sigmaWithin,
  spreadLimits,
} from './charts.fixture.ts';
import { mean } from './descriptive.fixture.ts';
import { numbersOf, randomValues, SETS, withMissing } from './random-sets.fixture.ts';
import { hits } from './rules.fixture.ts';

describe(`${SETS} random sets agree with a second implementation`, () => {
  it('on charts of single values', () => {
    const random = randomNumbers(50);
    for (let set = 0; set < SETS; set++) {
      const values = withMissing(random, randomValues(random, random.whole(3, 80)));
      const ranges = movingRanges(values);
      const chart = individualsChart(numbersOf(values));
      if (ranges.length === 0) {
        expect(chart).toBeUndefined();
        continue;
      }
      const [center, range] = [mean(measured(values)), mean(ranges)];
      const allowed = 1e-9 * range + 1e-12 * Math.max(...measured(values).map(Math.abs));
      const near = (found: number, expected: number) => expect(Math.abs(found - expected)).toBeLessThanOrEqual(allowed);
      near(chart!.sigma, range / 1.128);
      near(chart!.location.centerLine, center);
      near(chart!.location.upper, center + (3 * range) / 1.128);
      near(chart!.location.lower, center - (3 * range) / 1.128);
      near(chart!.variation.upper, 3.267 * range);
    }
  });

  it.each(['rbar', 'sbar', 'pooled'] as const)('on charts of groups of unequal size (%s)', (method: GroupSigmaMethod) => {
    const random = randomNumbers(51);
    for (let set = 0; set < SETS; set++) {
      const size = random.whole(2, 10);
      const values = withMissing(random, randomValues(random, size * random.whole(2, 20)));
      const type = method === 'rbar' ? 'xbarR' : 'xbarS';
      const figures = groupFigures(numbersOf(values), cutGroups(numbersOf(values), { by: 'size', size, of: 'measurements' }));
      const chart = groupChart(figures, type, method);
      const groups = groupsOf(values, size);
      const sigma = groups.some((group) => group.length > 1) ? sigmaWithin(groups, method) : undefined;
      expect(chart === undefined).toBe(sigma === undefined);
      if (!chart || !sigma) continue;
      const near = (found: number, expected: number) => expect(Math.abs(found - expected) / sigma).toBeLessThan(1e-8);
      near(chart.sigma, sigma);
      near(chart.centerLine, meanOfAll(groups));
      groups.forEach((group, i) => {
        if (group.length === 0) return;
        near(figures.means[i]!, meanOfAll([group]));
        const { location, variation } = limitsOfGroup(chart, group.length);
        near(location.upper, meanOfAll(groups) + (3 * sigma) / Math.sqrt(group.length));
        near(location.lower, meanOfAll(groups) - (3 * sigma) / Math.sqrt(group.length));
        if (group.length < 2) {
          expect(variation).toBeUndefined();
          return;
        }
        near(type === 'xbarR' ? figures.ranges[i]! : figures.deviations[i]!, type === 'xbarR' ? rangeOf(group) : deviationOf(group));
        const [lower, upper] = spreadLimits(type, group.length, sigma);
        near(variation!.lower, lower);
        near(variation!.upper, upper);
      });
    }
  });

  it.each(RUN_RULES)('on the points that meet %s, with any length', (rule) => {
    const random = randomNumbers(52);
    const [shortest, longest] = RULES[rule].lengths;
    let met = 0;
    for (let set = 0; set < SETS; set++) {
      const length = random.uniform() < 0.5 ? RULES[rule].length : random.whole(shortest, Math.min(longest, shortest + 3));
      // Few different values, so that runs are long and points lie on the centre line or equal those before them.
      const pattern = random.whole(0, 4);
      const points = Array.from({ length: 60 }, (_, i) => {
        if (random.uniform() < 0.02) return undefined;
        if (pattern === 0) return random.normal();
        if (pattern === 1) return random.whole(-3, 3) * 1.1;
        if (pattern === 4) return random.uniform() < 0.05 ? 1.2 : 0.9 * (2 * random.uniform() - 1);
        if (pattern === 2) return (i % 2 ? 1 : -1) * (random.uniform() < 0.05 ? 0.3 : 1.5);
        return (i % 12) / 4 - 1 + (random.uniform() < 0.05 ? 1 : 0);
      });
      const found = ruleHits(numbersOf(points), { centerLine: 0, lower: -3, upper: 3 }, [{ rule, length }]).map(({ index }) => index);
      expect(found).toEqual(hits(points, rule, length));
      met += found.length;
    }
    expect(met).toBeGreaterThan(SETS / 10);
  });

  it('on EWMA charts', () => {
    const random = randomNumbers(53);
    for (let set = 0; set < SETS; set++) {
      const values = withMissing(random, randomValues(random, random.whole(5, 60)));
      const points = measured(values);
      if (points.length === 0) continue;
      const counts = values.map(() => random.whole(1, 6));
      const [target, sigma] = [points[0]! + random.normal(), 0.2 + random.uniform()];
      const [lambda, width] = [0.05 + 0.9 * random.uniform(), 2 + random.uniform()];
      const chart = ewmaChart({ points: numbersOf(values), counts, target, sigma }, { lambda, width });
      const expected = ewma(
        points,
        counts.filter((_, i) => values[i] !== undefined),
        target,
        lambda,
      );
      const positions = values.flatMap((value, i) => (value === undefined ? [] : [i]));
      const unit = Math.max(sigma, ...points.map((point) => Math.abs(point - target)));
      expected.forEach(({ value, deviation }, i) => {
        expect(Math.abs(chart.values[positions[i]!]! - value) / unit).toBeLessThan(1e-8);
        expect(Math.abs(chart.upper[positions[i]!]! - target - width * sigma * deviation) / unit).toBeLessThan(1e-8);
        expect(Math.abs(target - chart.lower[positions[i]!]! - width * sigma * deviation) / unit).toBeLessThan(1e-8);
      });
      const isSignal = expected.map(({ value, deviation }) => Math.abs(value - target) > width * sigma * deviation);
      expect(chart.hits).toEqual(positions.filter((_, i) => isSignal[i]));
      const isBack = expected.map(({ value }, i) => i > 0 && Math.sign(value - target) !== Math.sign(expected[i - 1]!.value - target));
      const named = excursions(isSignal, isBack).map(({ first, signals }) => ({ first: positions[first], signals }));
      expect(chart.excursions).toEqual(named);
    }
  });

  it('on CUSUM charts', () => {
    const random = randomNumbers(54);
    for (let set = 0; set < SETS; set++) {
      const values = randomValues(random, random.whole(5, 60));
      const [k, h] = [0.25 + 0.5 * random.uniform(), 2 + 3 * random.uniform()];
      const [target, sigma] = [mean(values) + 0.1 * random.normal(), 0.5 + rangeOf(values) / 4];
      const chart = cusumChart({ points: numbersOf(values), target, sigma }, { k, h });
      const z = values.map((value) => (value - target) / sigma);
      const [above, below] = [
        cusum(z, k),
        cusum(
          z.map((one) => -one),
          k,
        ),
      ];
      above.forEach((sum, i) => expect(chart.upper[i]).toBeCloseTo(sum, 8));
      below.forEach((sum, i) => expect(chart.lower[i]).toBeCloseTo(sum, 8));
      expect(chart.hits).toEqual(values.flatMap((_, i) => (above[i]! > h || below[i]! > h ? [i] : [])));
      const ofSide = (sums: readonly number[]) =>
        excursions(
          sums.map((sum) => sum > h),
          sums.map((sum) => sum === 0),
        );
      expect(chart.excursions).toEqual([...ofSide(above), ...ofSide(below)].sort((a, b) => a.first - b.first));
    }
  });
});
