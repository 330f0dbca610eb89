import { describe, expect, it } from '@jest/globals';
import { linearScale, ticksOf } from './scale.ts';

describe('linearScale', () => {
  const scale = linearScale([19.9, 20.1], [300, 0]);

  it('maps the ends to the ends', () => {
    expect(scale(19.9)).toBe(300);
    expect(scale(20.1)).toBeCloseTo(0, 9);
  });
  it('finds the value at a pixel', () => {
    expect(scale.invert(150)).toBeCloseTo(20, 12);
  });
  it('maps a single value without dividing by zero', () => {
    expect(linearScale([5, 5], [0, 100])(5)).toBe(0);
  });
});

describe('ticksOf', () => {
  it.each([
    [19.934, 20.076, 8, [19.94, 19.96, 19.98, 20, 20.02, 20.04, 20.06], 2],
    [0, 263, 3, [0, 100, 200], 0],
    [-125, 125, 5, [-100, -50, 0, 50, 100], 0],
    [0, 0.07, 4, [0, 0.02, 0.04, 0.06], 2],
  ])('finds round numbers from %d to %d', (from, to, most, values, decimals) => {
    expect(ticksOf(from, to, most)).toEqual({ values, decimals });
  });
  it('keeps the ticks apart by the resolution of the values', () => {
    expect(ticksOf(0, 1, 100, 0.1).values).toHaveLength(11);
  });
  it('has one tick where there is no span', () => {
    expect(ticksOf(3, 3, 5)).toEqual({ values: [3], decimals: 0 });
  });
  it('has no negative zero', () => {
    expect(ticksOf(-1, 1, 2).values.map((value) => Object.is(value, -0))).not.toContain(true);
  });
});
