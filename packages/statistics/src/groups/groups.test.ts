import { describe, expect, it } from '@jest/globals';
import { R_GROUPS } from '../r-charts.fixture.ts';
import { assignGroups, figuresOfGroup, valuesOfGroups } from './group-by.ts';
import { brownForsytheTest, welchTest } from './group-tests.ts';

const list = (...values: number[]) => Float64Array.from(values);
const names = [...new Set(R_GROUPS.group)];
const keys = Int32Array.from(R_GROUPS.group, (name) => names.indexOf(name));
const values = Float64Array.from(R_GROUPS.values);
const groups = valuesOfGroups(values, assignGroups(values, keys));

describe('figures of groups agree with R', () => {
  it('on means and standard deviations', () => {
    groups.forEach((group, i) => {
      const { mean, standardDeviation } = figuresOfGroup(group)!;
      expect(mean).toBeCloseTo(R_GROUPS.mean[i]!, 9);
      expect(standardDeviation).toBeCloseTo(R_GROUPS.sd[i]!, 9);
    });
  });
  it('on the test of Welch', () => {
    const test = welchTest(groups)!;
    expect(test.statistic).toBeCloseTo(R_GROUPS.welch.statistic, 6);
    expect(test.df1).toBe(R_GROUPS.welch.df1);
    expect(test.df2).toBeCloseTo(R_GROUPS.welch.df2, 6);
    expect(test.pValue).toBeCloseTo(R_GROUPS.welch.p, 9);
  });
  it('on the test of Brown and Forsythe', () => {
    const test = brownForsytheTest(groups)!;
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
  it.each([
    [list(1, 3), list(5, 7)],
    [list(10, 10.1), list(10.02, 10.01)],
    [list(10), list(10.02, 10.01)],
  ])('is none without distances that vary by more than rounding (%#)', (...pairs) => {
    expect(brownForsytheTest(pairs)).toBeUndefined();
  });
  it('is none with one value in each group', () => expect(brownForsytheTest([list(1), list(3)])).toBeUndefined());
  it('is none of one group', () => expect(brownForsytheTest([list(1, 3, 9), list()])).toBeUndefined());
});

describe('groups by a key', () => {
  const divided = (some: Float64Array, ofKeys: Int32Array, options = {}) => {
    const assignment = assignGroups(some, ofKeys, options);
    const { groups: found } = assignment;
    return { found, values: valuesOfGroups(some, assignment), indexes: [...assignment.indexes] };
  };

  it('keep the order of values and of keys, without missing values', () => {
    expect(divided(list(1, 2, NaN, 4, 5), Int32Array.of(3, -1, 3, 3, -1))).toEqual({
      found: [
        { key: 3, first: 0, count: 2 },
        { key: -1, first: 1, count: 2 },
      ],
      values: [list(1, 4), list(2, 5)],
      indexes: [0, 1, -1, 0, 1],
    });
  });
  it('are one of the smallest ones beyond the most', () => {
    expect(divided(list(1, 2, 3, 4, 5, 6, 7), Int32Array.of(0, 1, 1, 2, 2, 2, 3), { most: 3 })).toEqual({
      found: [
        { key: 1, first: 1, count: 2 },
        { key: 2, first: 3, count: 3 },
        { others: 2, first: 0, count: 2 },
      ],
      values: [list(2, 3), list(4, 5, 6), list(1, 7)],
      indexes: [2, 0, 0, 1, 1, 1, 2],
    });
  });
  it('are one of the first ones beyond the most, where the last are told apart', () => {
    const { values: ofGroups } = divided(list(1, 2, 3, 4), Int32Array.of(0, 0, 1, 2), { most: 2, apart: 'last' });
    expect(ofGroups).toEqual([list(4), list(1, 2, 3)]);
  });
  it('are as many as allowed', () => expect(divided(list(1, 2, 3), Int32Array.of(0, 1, 2), { most: 3 }).found).toHaveLength(3));
  it('have no figures without values', () => expect(figuresOfGroup(list())).toBeUndefined());
});
