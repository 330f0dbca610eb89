import { describe, expect, it } from '@jest/globals';
import { cutGroups, usualRule } from '@sinebar/statistics';
import { calculateChart } from './chart.ts';
import type { ChartRequest } from './tasks.ts';

const SINGLE: ChartRequest = {
  type: 'individuals',
  subgroupSize: 1,
  sigmaMethod: 'movingRange',
  rules: [usualRule('nelson1')],
};
const PAIRS: ChartRequest = { type: 'xbarR', subgroupSize: 2, sigmaMethod: 'rbar', rules: [usualRule('nelson1')] };
/** Every tenth value is far away from the others. */
const VALUES = Array.from({ length: 100 }, (_, i) => (i % 10 === 5 ? 100 : 10 + (i % 3) / 10));
const taskOf = (chart: ChartRequest, shown: [number, number], mostHits = 1000, mostSubgroups = 1000) => ({
  kind: 'chart' as const,
  values: Float64Array.from(VALUES),
  ...(chart === PAIRS && { grouping: cutGroups(Float64Array.from(VALUES), { by: 'size', size: 2, of: 'measurements' }) }),
  baseline: [0, 4] as [number, number],
  earlierStages: [],
  chart,
  model: { limits: {}, request: 'normal' as const },
  shown,
  mostHits,
  mostSubgroups,
});

describe('the result of a chart', () => {
  it('has the newest broken rules among the values that are shown only', () => {
    const { hits } = calculateChart(taskOf(SINGLE, [20, 50]));
    const locations = (some: typeof hits) => some.filter(({ on }) => on === 'location').map(({ index, first }) => [index, first]);
    expect(locations(hits)).toEqual([
      [25, 25],
      [35, 35],
      [45, 45],
    ]);
    expect(calculateChart(taskOf(SINGLE, [20, 50], 2)).hits).toEqual(hits.slice(-2));
  });

  it('has the first value of the subgroup that breaks a rule', () => {
    const { hits } = calculateChart(taskOf(PAIRS, [20, 40]));
    expect(hits.filter(({ on }) => on === 'location').map(({ index, first }) => [index, first])).toEqual([
      [12, 24],
      [17, 34],
    ]);
  });

  it('has the subgroups that are shown, unless there are too many', () => {
    const { subgroups, subgroupCount } = calculateChart(taskOf(PAIRS, [20, 26], 10, 3));
    expect(subgroups?.map(({ start }) => start)).toEqual([20, 22, 24]);
    expect(subgroupCount).toBe(3);
    const many = calculateChart(taskOf(PAIRS, [20, 28], 10, 3));
    expect(many).toMatchObject({ subgroupCount: 4 });
    expect(many).not.toHaveProperty('subgroups');
    expect(calculateChart(taskOf(SINGLE, [0, 100]))).toMatchObject({ subgroupCount: 0 });
  });
});
