import { describe, expect, it } from '@jest/globals';
import { domainOf, rulerOf } from './ruler.ts';

describe('domainOf', () => {
  it('holds all lines and values', () => {
    const [low, high] = domainOf([19.95, 20.05], [19.94, 20.07]);
    expect(low).toBeLessThan(19.94);
    expect(high).toBeGreaterThan(20.07);
  });
  it('keeps lines apart when one value is far out', () => {
    const [, high] = domainOf([19.95, 20.05], [19.94, 1000]);
    expect(high).toBeLessThan(20.2);
  });
  it('has room around a single value', () => {
    const [low, high] = domainOf([], [5, 5]);
    expect(high - low).toBeGreaterThan(0);
  });
});

describe('rulerOf', () => {
  it('draws values beyond the axis at its edge', () => {
    const ruler = rulerOf({ lines: [], extremes: [0, 1], decimals: 2, top: 8, bottom: 100 });
    expect(ruler.clipped(50)).toBe(8);
    expect(ruler.clipped(-50)).toBe(100);
  });
  it('has no ticks closer than values were measured', () => {
    const ruler = rulerOf({ lines: [], extremes: [0, 0.3], decimals: 1, top: 0, bottom: 400 });
    expect(ruler.ticks.values).toEqual([0, 0.1, 0.2, 0.3]);
  });
});
