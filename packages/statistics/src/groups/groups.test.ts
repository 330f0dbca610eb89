import { describe, expect, it } from '@jest/globals';
import { R_GROUPS } from '../r-charts.fixture.ts';
import { figuresOfGroup, groupByKey } from './group-by.ts';
import { brownForsytheTest, welchTest } from './group-tests.ts';

const list = (...values: number[]) => Float64Array.from(values);
const names = [...new Set(R_GROUPS.group)];
const keys = Int32Array.from(R_GROUPS.group, (name) => names.indexOf(name));
const groups = groupByKey(Float64Array.from(R_GROUPS.values), keys);

describe('figures of groups agree with R', () => {
  it('on means and standard deviations', () => {
    groups.forEach(({ values }, i) => {
      const { mean, standardDeviation } = figuresOfGroup(values)!;
      expect(mean).toBeCloseTo(R_GROUPS.mean[i]!, 9);
      expect(standardDeviation).toBeCloseTo(R_GROUPS.sd[i]!, 9);
    });
  });
  it('on the test of Welch', () => {
    const test = welchTest(groups.map(({ values }) => values))!;
    expect(test.statistic).toBeCloseTo(R_GROUPS.welch.statistic, 6);
    expect(test.df1).toBe(R_GROUPS.welch.df1);
    expect(test.df2).toBeCloseTo(R_GROUPS.welch.df2, 6);
    expect(test.pValue).toBeCloseTo(R_GROUPS.welch.p, 9);
  });
  it('on the test of Brown and Forsythe', () => {
    const test = brownForsytheTest(groups.map(({ values }) => values))!;
    expect(test.statistic).toBeCloseTo(R_GROUPS.brownForsythe.statistic, 6);
    expect(Math.abs(test.pValue / R_GROUPS.brownForsythe.p - 1)).toBeLessThan(1e-6);
  });
});

describe('welchTest', () => {
  it('explains all of values that differ between groups only', () => {
    const { explained } = welchTest([list(1, 1.0001), list(5, 5.0001)])!;
    expect(explained).toBeGreaterThan(0.999);
  });
  it('explains the share of the squares between groups', () => {
    // Means 2 and 4: 4 · 1² = 4 between, 2 + 2 within.
    expect(welchTest([list(1, 3), list(3, 5)])!.explained).toBeCloseTo(0.5, 12);
  });
  it('leaves out groups without spread', () => expect(welchTest([list(1, 3), list(3, 5), list(9)])).toMatchObject({ df1: 1 }));
  it.each([[[]], [[list(1, 2)]], [[list(1, 1), list(2, 2)]]])('is none without two groups that vary', (some) => {
    expect(welchTest(some)).toBeUndefined();
  });
  it('keeps its digits for 1e12 ± 6', () => {
    const plain = welchTest([list(1, 3, 2), list(3, 5, 9)])!;
    const far = welchTest([list(1e12 + 1, 1e12 + 3, 1e12 + 2), list(1e12 + 3, 1e12 + 5, 1e12 + 9)])!;
    expect(far.statistic).toBeCloseTo(plain.statistic, 9);
    expect(far.explained).toBeCloseTo(plain.explained, 9);
  });
});

describe('brownForsytheTest', () => {
  it('is none without distances that vary', () => expect(brownForsytheTest([list(1, 3), list(5, 7)])).toBeUndefined());
  it('is none with one value in each group', () => expect(brownForsytheTest([list(1), list(3)])).toBeUndefined());
  it('is none of one group', () => expect(brownForsytheTest([list(1, 3, 9), list()])).toBeUndefined());
});

describe('groupByKey', () => {
  it('keeps the order of values and of keys, without missing values', () => {
    const found = groupByKey(list(1, 2, NaN, 4, 5), Int32Array.of(3, -1, 3, 3, -1));
    expect(found).toEqual([
      { key: 3, values: list(1, 4) },
      { key: -1, values: list(2, 5) },
    ]);
  });
  it('makes one group of the smallest ones beyond the most', () => {
    const found = groupByKey(list(1, 2, 3, 4, 5, 6, 7), Int32Array.of(0, 1, 1, 2, 2, 2, 3), 3);
    expect(found).toEqual([{ key: 1, values: list(2, 3) }, { key: 2, values: list(4, 5, 6) }, { values: list(1, 7) }]);
  });
  it('keeps as many groups as allowed', () => expect(groupByKey(list(1, 2, 3), Int32Array.of(0, 1, 2), 3)).toHaveLength(3));
  it('has no figures of an empty group', () => expect(figuresOfGroup(list())).toBeUndefined());
});
