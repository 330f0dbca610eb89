import { describe, expect, it } from '@jest/globals';
import { CharacteristicLists } from './characteristic-lists.ts';

const words = (...uuids: readonly [number, number, number, number][]) => Int32Array.from(uuids.flat());

describe('lists of characteristics', () => {
  it('returns the same object for the same list, also after the buffer is overwritten', () => {
    const lists = new CharacteristicLists();
    const scratch = words([1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]);
    const first = lists.find(scratch, 2);
    scratch.fill(0);
    expect(first).toEqual({ count: 2, words: words([1, 2, 3, 4], [5, 6, 7, 8]) });
    expect(lists.find(words([1, 2, 3, 4], [5, 6, 7, 8]), 2)).toBe(first);
  });

  it('distinguishes lists that differ in one word, in length or in order', () => {
    const lists = new CharacteristicLists();
    const sent = [
      words([1, 2, 3, 4], [0, 0, 0, 0], [5, 6, 7, 8]),
      words([1, 2, 3, 4], [0, 1, 0, 0], [5, 6, 7, 8]),
      words([1, 2, 3, 4], [5, 6, 7, 8]),
      words([5, 6, 7, 8], [1, 2, 3, 4]),
      words(),
    ];
    for (const round of [0, 1]) {
      for (const each of sent) expect([round, lists.find(each, each.length / 4)?.words]).toEqual([round, each]);
    }
  });

  it('refuses a duplicate characteristic', () => {
    expect(new CharacteristicLists().find(words([1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4]), 3)).toBeUndefined();
  });

  it('evicts the lists that were used longest ago at its limit', () => {
    const lists = new CharacteristicLists();
    const large = (seed: number) => Int32Array.from({ length: 4 * 200_000 }, (_, i) => seed * 1_000_000 + i);
    const first = lists.find(large(1), 200_000);
    const second = lists.find(large(2), 200_000);
    expect(lists.find(large(1), 200_000) === first).toBe(true);
    lists.find(large(3), 200_000);
    expect(lists.find(large(1), 200_000) === first).toBe(true);
    expect(lists.find(large(2), 200_000) === second).toBe(false);
  });
});
