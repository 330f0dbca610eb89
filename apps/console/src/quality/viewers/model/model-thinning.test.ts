import { describe, expect, it } from '@jest/globals';
import { ALWAYS_DRAWN, sharersOf, thinnedIndex } from './model-thinning';

describe('a model that a machine draws slowly', () => {
  it.each([
    [4_000_000, 6000, 20],
    [4_000_000, 60_000, 20],
    [1_000_000, 1500, 5],
    [1_000_000, 1000, 1],
    [ALWAYS_DRAWN, 6000, 1],
  ])('of %d triangles in %d ms is drawn with one of %d', (triangles, frameMs, sharers) => {
    expect(sharersOf(triangles, frameMs)).toBe(sharers);
  });

  it('keeps whole triangles', () => {
    expect([...thinnedIndex(3, 2, 15)]).toEqual([0, 1, 2, 6, 7, 8, 12, 13, 14]);
    expect([...thinnedIndex(3, 2, 9, [5, 6, 7, 0, 1, 2, 8, 9, 5])]).toEqual([5, 6, 7, 8, 9, 5]);
  });

  it('keeps points of the whole cloud', () => {
    expect([...thinnedIndex(1, 4, 10)]).toEqual([0, 4, 8]);
  });
});
