import { describe, expect, it } from '@jest/globals';
import { divideGroups, joined, numberOfGroups, slotsOf, type Group } from './grouping';

const box = { lowerQuartile: 1, median: 1, upperQuartile: 1, lowerWhisker: 1, upperWhisker: 1, outliers: [] };
const group = (value: string | undefined, count: number, more: Partial<Group> = {}): Group => ({
  ...(value !== undefined && { value }),
  count,
  mean: 1,
  minimum: 1,
  maximum: 1,
  outOfTolerance: 0,
  box,
  ...more,
});
const machines = [5, 9, 2, 8, 7, 6, 4, 3, 1].map((count, i) => group(String(i), count));

describe('groups', () => {
  it('are told apart where they are the largest, in the order of the server', () => {
    const divided = divideGroups({ by: 10, groups: [...machines, group(undefined, 10)] });
    expect(divided.told.map(({ value }) => value)).toEqual(['0', '1', '3', '4', '5', '6', undefined]);
    expect(divided.others.map(({ value }) => value)).toEqual(['2', '7', '8']);
  });
  it('are told apart where they are the newest days', () => {
    const { told } = divideGroups({ by: 'day', groups: machines });
    expect(told.map(({ value }) => value)).toEqual(['2', '3', '4', '5', '6', '7', '8']);
  });
  it('leave what the server has joined to the others', () => {
    const { told, others } = divideGroups({ by: 10, groups: [group('a', 1), group(undefined, 50, { others: 12 })] });
    expect(told).toHaveLength(1);
    expect(numberOfGroups(others)).toBe(12);
  });
  it('have the slot of their name, or that of the others', () => {
    const divided = divideGroups({ by: 10, groups: [group('a', 2), group(undefined, 1)] });
    expect(slotsOf(divided, [{ value: 'b' }, {}, { value: 'a' }, { others: 3 }])).toEqual([7, 1, 0, 7]);
  });
  it('keep the slots that they have elsewhere', () => {
    const { slots } = divideGroups(
      { by: 10, groups: [group('a', 1), group('b', 2), group('c', 3)] },
      new Map([
        ['value c', 1],
        ['value x', 2],
      ]),
    );
    expect([...slots]).toEqual([
      ['value c', 1],
      ['value a', 0],
      ['value b', 2],
    ]);
  });
  it('together have the figures of their values', () => {
    // 1, 3 and 4, 6, 8
    const both = joined([group('a', 2, { mean: 2, standardDeviation: Math.SQRT2 }), group('b', 3, { mean: 6, standardDeviation: 2 })])!;
    expect(both.count).toBe(5);
    expect(both.mean).toBeCloseTo(4.4, 12);
    expect(both.standardDeviation).toBeCloseTo(Math.sqrt(29.2 / 4), 12);
  });
  it('of one value together have no spread', () => {
    expect(joined([group('a', 1)])).not.toHaveProperty('standardDeviation');
    expect(joined([])).toBeUndefined();
  });
});
