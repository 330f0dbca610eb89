import { describe, expect, it } from '@jest/globals';
import { pairOf, uuidsOf } from './search';

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

describe('the address of a comparison', () => {
  it('names each characteristic once', () => {
    expect(uuidsOf(`${uuid(1)},${uuid(1)},x`)).toEqual([uuid(1)]);
  });
  it('draws the first two against each other where nobody has chosen', () => {
    expect(pairOf({ characteristics: [1, 2, 3].map(uuid).join(',') })).toEqual([uuid(1), uuid(2)]);
  });
  it('draws the chosen pair', () => {
    expect(pairOf({ characteristics: [1, 2, 3].map(uuid).join(','), pair: `${uuid(3)},${uuid(2)}` })).toEqual([uuid(3), uuid(2)]);
  });
  it('has no pair of one', () => {
    expect(pairOf({ characteristics: uuid(1) })).toBeUndefined();
  });
});
