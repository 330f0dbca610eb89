import { describe, expect, it } from '@jest/globals';
import { columnsOf, crisp, hatching, polyline } from './paths.ts';

const single = (value: number) => ({ minimum: value, maximum: value, mean: value, count: 1 });

describe('columnsOf', () => {
  it('keeps extremes and means', () => {
    expect(columnsOf([1, 3, 8, 10].map(single), 2)).toEqual([
      { minimum: 1, maximum: 3, mean: 2, count: 2 },
      { minimum: 8, maximum: 10, mean: 9, count: 2 },
    ]);
  });
  it('weighs entries by their values', () => {
    expect(columnsOf([{ ...single(1), count: 3 }, single(5), single(7)], 1)[0]?.mean).toBeCloseTo(3, 12);
  });
  it('keeps entries that fit', () => {
    expect(columnsOf([single(1)], 5)).toEqual([single(1)]);
  });
});

describe('paths', () => {
  it('puts hairlines into the middle of a pixel', () => {
    expect(crisp(12.9)).toBe(12.5);
  });
  it('joins points', () => {
    expect(
      polyline([
        [1, 2.005],
        [3, 4],
      ]),
    ).toBe('M1 2.01L3 4');
  });
  it('hatches inside of the rectangle only', () => {
    const numbers = (hatching(0, 0, 20, 7).match(/[\d.-]+/g) ?? []).map(Number);
    const xs = numbers.filter((_, i) => i % 2 === 0);
    const ys = numbers.filter((_, i) => i % 2 === 1);
    expect(Math.max(...xs)).toBeLessThanOrEqual(20);
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ys)).toBeLessThanOrEqual(7);
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(0);
  });
});
