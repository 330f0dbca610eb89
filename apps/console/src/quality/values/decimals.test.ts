import { describe, expect, it } from '@jest/globals';
import { decimalsOf } from './decimals';

describe('digits of figures', () => {
  it.each([
    [['20', '19.95', '20.053'], 3],
    [['20'], 0],
    [['1e-7', '2.5'], 1],
    [[undefined, 20.05], 2],
    [['5.'], 0],
    [['1.12345678901234'], 10],
    [[], 0],
  ])('%j have %i', (values, decimals) => {
    expect(decimalsOf(values)).toBe(decimals);
  });
});
