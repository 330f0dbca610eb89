import { describe, expect, it } from '@jest/globals';
import type { Measurement } from '@sinebar/client';
import { neighboursIn } from './measurement-values';

const of = (uuid: string): Measurement => ({ uuid, partUuid: 'p', attributes: {}, lastModified: '', created: '' });
const list = (uuids: string) => [...uuids].map(of);

describe('neighbours of a measurement', () => {
  it.each([
    // Time grows from a to e; c1, c2 and c3 are of one time, newest first.
    ['b', 'ba', 'bcde', 'a', 'c'],
    ['a', 'a', 'abc', undefined, 'b'],
    ['e', 'edcba', 'e', 'd', undefined],
    ['y', 'xyzba', 'xyzd', 'z', 'x'],
    ['x', 'xyzba', 'xyzd', 'y', 'd'],
    ['z', 'xyzba', 'xyzd', 'b', 'y'],
  ])('of %s in %s and %s are %s and %s', (uuid, older, newer, before, after) => {
    const found = neighboursIn(uuid, list(older), list(newer));
    expect(found.before?.uuid).toBe(before);
    expect(found.after?.uuid).toBe(after);
  });
});
