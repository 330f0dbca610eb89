import { describe, expect, it } from '@jest/globals';
import { firstTimeFrom } from './characteristic-values.ts';
import { shownRange } from './series.ts';

describe('firstTimeFrom', () => {
  const times = Float64Array.of(NaN, NaN, 100, 200, 200, 300);

  it.each([
    ['before all times', -Infinity, 2],
    ['at the first of equal times', 200, 3],
    ['between two times', 201, 5],
    ['after all times', 301, 6],
  ])('finds the place %s', (_where, ms, index) => {
    expect(firstTimeFrom(times, ms)).toBe(index);
  });

  it('reads as many times as halving takes', () => {
    const many = Float64Array.from({ length: 2 ** 16 }, (_, i) => i);
    let reads = 0;
    const counted = new Proxy(many, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name, target) as unknown;
      },
    });
    expect(firstTimeFrom(counted, 54_321)).toBe(54_321);
    expect(reads).toBeLessThanOrEqual(17);
  });
});

describe('shownRange', () => {
  const times = Float64Array.from({ length: 12 }, (_, i) => i * 10);
  const at = (ms: number) => ({ ms, text: new Date(ms).toISOString() });

  const groups = { starts: Uint32Array.of(0, 5, 10, 12), sizes: Uint16Array.of(5, 5, 2) };

  it('shows single values from the first to the last wanted time', () => {
    expect(shownRange(times, { shownFrom: at(60), shownTo: at(80) }, undefined)).toEqual({ shown: [6, 8], offset: 6 });
  });
  it('shows all groups without times', () => {
    expect(shownRange(times, {}, groups).shown).toEqual([0, 12]);
  });
});
