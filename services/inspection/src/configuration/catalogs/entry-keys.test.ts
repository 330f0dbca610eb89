import { describe, expect, it } from '@jest/globals';
import { entryKeysOf } from './entry-keys.ts';

const upTo = (count: number) => new Set(Array.from({ length: count }, (_, key) => key));

describe('keys of catalog entries', () => {
  it.each<[string, number[], ReadonlySet<number>, number[]]>([
    ['keeps those sent', [7, 0, 32_767], new Set(), [7, 0, 32_767]],
    ['begins with 0', [-1, -1], new Set(), [0, 1]],
    ['continues behind the highest of the catalog', [-1], new Set([3, 10]), [11]],
    ['continues behind the highest of the request, wherever it stands', [-1, 5, -1], new Set([2]), [6, 5, 7]],
    ['takes the lowest free one when the highest is in use', [-1, -1, 1], new Set([0, 3, 32_767]), [2, 4, 1]],
    ['turns back to the lowest in the middle of a request', [-1, -1, -1], new Set([0, 32_766]), [32_767, 1, 2]],
    ['takes the last one', [-1], upTo(32_767), [32_767]],
  ])('%s [I90]', (_, requested, taken, keys) => {
    expect(entryKeysOf(requested, taken, '')).toEqual(keys);
  });

  it.each<[string, number[], ReadonlySet<number>, number, RegExp]>([
    ['a key twice', [4, 5, 4], new Set(), 400, /^x\[2\]: The entry key 4 stands in x\[0\]/],
    ['a key that is taken', [1, 2], new Set([2]), 409, /^x\[1\]: .* key 2 already/],
    ['one more than fit', [-1, -1], upTo(32_767), 400, /^x\[1\]: No key is left/],
  ])('refuses %s [D3.6]', (_, requested, taken, status, message) => {
    let failure: unknown;
    try {
      entryKeysOf(requested, taken, 'x');
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ status, message: expect.stringMatching(message) });
  });
});
