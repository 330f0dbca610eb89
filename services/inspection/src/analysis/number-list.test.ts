import { describe, expect, it } from '@jest/globals';
import { NumberList } from './number-list.ts';

describe('number list', () => {
  // The list grows at some lengths; these are before, at and after the first ones.
  it.each([0, 1, 4095, 4096, 4097, 32_768, 32_769, 300_000])('takes %i numbers out, the last one first', (count) => {
    const list = new NumberList();
    for (let i = 0; i < count; i += 1) list.push(i);
    expect(list.length).toBe(count);
    const taken = list.takeReversed();
    expect(taken).toHaveLength(count);
    expect(taken.findIndex((value, i) => value !== count - 1 - i)).toBe(-1);
    expect(list.length).toBe(0);
  });
  it('begins anew after its numbers were taken', () => {
    const list = new NumberList();
    list.push(1);
    const taken = list.takeReversed();
    list.push(2);
    expect([...taken]).toEqual([1]);
    expect([...list.takeReversed()]).toEqual([2]);
  });
});
