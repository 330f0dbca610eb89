import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../random.fixture.ts';
import { sortValues } from './quantiles.ts';
import { radixSort } from './radix-sort.ts';

const { normal, uniform, whole } = randomNumbers(9);

describe('radixSort', () => {
  it.each([
    ['computed values', () => normal()],
    ['values of a gauge', () => whole(-400, 400) / 1000],
    ['values of all sizes', () => (uniform() - 0.5) * 10 ** whole(-320, 308)],
    ['zeros of both signs', () => [0, -0, 1, -1][whole(0, 3)]!],
    ['equal values', () => 3.7],
  ])('sorts %s as typed arrays do', (_, draw) => {
    const values = Float64Array.from({ length: 3000 }, draw);
    const sorted = values.slice();
    radixSort(sorted);
    expect(sorted).toEqual(values.toSorted());
  });
  it('sorts a part of an array', () => {
    const values = Float64Array.of(9, 3, 2, 1, 0);
    radixSort(values.subarray(1, 4));
    expect(values).toEqual(Float64Array.of(9, 1, 2, 3, 0));
  });
});

describe('sortValues', () => {
  it.each([100, 25_000])('leaves out missing ones among %d, of either sign', (count) => {
    const values = Float64Array.from({ length: count }, normal);
    const missing = new Float64Array(BigUint64Array.of(0x7ff8000000000000n, 0xfff8000000000000n).buffer);
    for (let i = 0; i < count; i += 10) values.set(missing.subarray((i / 10) % 2, ((i / 10) % 2) + 1), i);
    const present = values.filter((value) => !Number.isNaN(value)).sort();
    expect(sortValues(values)).toEqual(present);
    expect(values.subarray(present.length).every((value) => Number.isNaN(value))).toBe(true);
  });
});
