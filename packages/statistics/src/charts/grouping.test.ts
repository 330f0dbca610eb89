import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../random.fixture.ts';
import { areManyIncomplete, cutGroups, groupFigures, groupsInRange, MAX_GROUP_SIZE, type Grouping } from './grouping.ts';

const list = (...values: number[]) => Float64Array.from(values);
const startsOf = ({ starts }: Grouping) => Array.from(starts);
const bySize = (size: number, of: 'measurements' | 'values' = 'measurements') => ({ by: 'size' as const, size, of });

describe('groups by size', () => {
  it('hold consecutive measurements, with or without a value', () => {
    expect(startsOf(cutGroups(list(1, NaN, 3, 4, 5), bySize(2)))).toEqual([0, 2, 4, 5]);
  });
  it('hold consecutive values where missing ones are no members', () => {
    expect(startsOf(cutGroups(list(1, NaN, 3, 4, NaN, 5, 6), bySize(2, 'values')))).toEqual([0, 3, 6, 7]);
  });
  it('begin anew with a stage', () => expect(startsOf(cutGroups(list(1, 2, 3, 4, 5, 6, 7), bySize(3), [4]))).toEqual([0, 3, 4, 7]));
  it('are none without measurements', () => expect(startsOf(cutGroups(list(), bySize(3)))).toEqual([0]));
  it.each([0, 1.5, MAX_GROUP_SIZE + 1])('refuses a size of %d', (size) => {
    expect(() => cutGroups(list(1), bySize(size))).toThrow('The size of a subgroup must be a whole number from 1 to 500');
  });
});

describe('groups by key', () => {
  const cut = (keys: number[]) => cutGroups(new Float64Array(keys.length), { by: 'key', keys: Int32Array.from(keys) });
  it('hold consecutive measurements of one key', () => expect(startsOf(cut([7, 7, 8, 7, 7]))).toEqual([0, 2, 3, 5]));
  it('know their full size', () => expect(Array.from(cut([7, 7, 8, 7, 7]).sizes)).toEqual([2, 1, 2]));
  it('end after 500 measurements', () => expect(startsOf(cut(new Array<number>(1001).fill(3)))).toEqual([0, 500, 1000, 1001]));
});

describe('groupsInRange', () => {
  const grouping = cutGroups(new Float64Array(20), bySize(5));
  it.each([
    [0, 20, [0, 4]],
    [7, 12, [1, 3]],
    [5, 10, [1, 2]],
    [19, 20, [3, 4]],
    [3, 3, [0, 0]],
  ])('takes whole groups from %d up to %d', (first, end, groups) => expect(groupsInRange(grouping, first, end)).toEqual(groups));
});

describe('groupFigures', () => {
  const figures = groupFigures(list(1, 3, NaN, 4, NaN, NaN, 9), cutGroups(new Float64Array(7), bySize(2)));
  it('counts measured values', () => expect(Array.from(figures.counts)).toEqual([2, 1, 0, 1]));
  it('has means of groups with a value', () => expect(Array.from(figures.means)).toEqual([2, 4, NaN, 9]));
  it('has ranges of two values', () => expect(Array.from(figures.ranges)).toEqual([2, NaN, NaN, NaN]));
  it('has deviations of two values', () => expect(figures.deviations[0]).toBeCloseTo(Math.SQRT2, 12));
  it('counts incomplete groups among those with a value', () => expect(figures).toMatchObject({ filled: 3, incomplete: 2, largest: 2 }));
  it('keeps its digits for 1e12 ± 6', () => {
    const { means, ranges, deviations } = groupFigures(list(1e12 - 6, 1e12, 1e12 + 6), cutGroups(new Float64Array(3), bySize(3)));
    expect([means[0], ranges[0]]).toEqual([1e12, 12]);
    expect(deviations[0]).toBeCloseTo(6, 9);
  });
  it('has the mean of values whose differences exceed a double', () => {
    const { means } = groupFigures(list(1.7e308, -1.7e308, 1.2e308), cutGroups(new Float64Array(3), bySize(3)));
    expect(means[0]! / 4e307).toBeCloseTo(1, 12);
  });
  it.each([
    [1, 5, false],
    [2, 5, true],
    [0, 0, false],
  ])('tells of %d incomplete groups of %d: %s', (incomplete, filled, many) => expect(areManyIncomplete({ filled, incomplete })).toBe(many));
});

describe('groups that stay themselves', () => {
  const { normal, whole } = randomNumbers(5);
  const values = Float64Array.from({ length: 100 }, normal);
  const grouping = cutGroups(values, bySize(5));
  const all = groupFigures(values, grouping);

  it('keeps the members of all other groups when a value is excluded', () => {
    for (let run = 0; run < 50; run++) {
      const excluded = whole(0, 99);
      const figures = groupFigures(values.with(excluded, NaN), grouping);
      const changed = [...figures.means.keys()].filter((i) => figures.means[i] !== all.means[i]);
      expect(changed).toEqual([Math.floor(excluded / 5)]);
    }
  });
  it('keeps the members of groups in a range that begins inside one', () => {
    const range = groupsInRange(grouping, 7, 100);
    expect(groupFigures(values, grouping, range).means).toEqual(all.means.slice(1));
  });
});
