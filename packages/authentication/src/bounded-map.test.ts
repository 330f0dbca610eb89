import { describe, expect, it } from '@jest/globals';
import { BoundedMap } from './bounded-map.js';

describe('a bounded map', () => {
  it('forgets what was not asked for longest', () => {
    const map = new BoundedMap<string, number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
    expect(map.get('a')).toBe(0);
    map.set('d', 3);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([0, undefined, 2, 3]);
    map.set('a', 9);
    expect(map.size).toBe(3);
    map.prune((value) => value > 2);
    expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 2, undefined]);
  });
});
