import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { farthestOut } from './farthest.ts';

const list = (...values: number[]) => Float64Array.from(values);
const fromZero = (value: number) => Math.abs(value);

describe('farthestOut', () => {
  it('finds values on both sides, the farthest one first', () => {
    expect([...farthestOut(list(1, -9, 3, 8, -2, 7, 0), 3, fromZero)]).toEqual([1, 3, 5]);
  });
  it('skips missing values', () => expect([...farthestOut(list(NaN, 1, 5, NaN), 1, fromZero)]).toEqual([2]));
  it('finds none where none is asked for', () => expect([...farthestOut(list(5), 0, fromZero)]).toEqual([]));
  it('asks for the distance anew after each value', () => {
    let center = 0;
    const found: number[] = [];
    for (const index of farthestOut(list(0, 10, 11, 20, 21, 2), 2, (value) => Math.abs(value - center))) {
      found.push(index);
      center = 20;
    }
    expect(found).toEqual([4, 0]);
  });
  it('finds what a search through all values finds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 6, maxLength: 60 }), (numbers) => {
        const found = [...farthestOut(Float64Array.from(numbers), 3, (value) => Math.abs(value - 0.3))].map((index) => numbers[index]);
        expect(found).toEqual(numbers.toSorted((a, b) => Math.abs(b - 0.3) - Math.abs(a - 0.3)).slice(0, 3));
      }),
    );
  });
});
