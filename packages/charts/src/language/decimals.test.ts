import { describe, expect, it } from '@jest/globals';
import { decimalsOf, shownDecimals } from './decimals.ts';

describe('digits as measured', () => {
  it.each([
    [['20', '19.95', '20.053'], 3],
    [['20'], 0],
    [['1e-7', '2.5'], 7],
    [[1.5e-7], 8],
    [[undefined, 20.05], 2],
    [['5.'], 0],
    [['1.12345678901234'], 10],
    [['n. i. O.'], 0],
    [[], 0],
  ])('%j have %i', (values, decimals) => {
    expect(decimalsOf(values)).toBe(decimals);
  });
});

describe('digits of figures', () => {
  const values = [125.41312457, 125.40911298];
  it('are those of K2022', () => {
    expect(shownDecimals({ limits: { lowerTolerance: 125.388, upperTolerance: 125.434 }, values, places: '3' })).toBe(3);
    expect(shownDecimals({ limits: {}, values, places: '0' })).toBe(0);
  });
  it.each([
    [{ nominal: 125.4, lowerTolerance: 125.388, upperTolerance: 125.434 }, 4],
    [{ nominal: 20, lowerTolerance: 19.95, upperTolerance: 20.05 }, 3],
    [{ nominal: 0, lowerBoundary: 0, upperTolerance: 0.08 }, 4],
    [{ nominal: 45, lowerTolerance: 36, upperTolerance: 54 }, 1],
    [{ nominal: 45, upperTolerance: 54 }, 2],
    [{ nominal: 0, lowerTolerance: -5000, upperTolerance: 5000 }, 0],
  ])('show a hundredth of the tolerance of %j', (limits, decimals) => {
    expect(shownDecimals({ limits, values: [...values, 0.123456] })).toBe(decimals);
  });
  it('are no more than were measured', () => {
    expect(shownDecimals({ limits: { lowerTolerance: 19.999, upperTolerance: 20.001 }, values: [20.0005] })).toBe(4);
  });
  it.each([
    [[186.15312457, 191.5123456], 1],
    [[0.012345678, 0.0198765432], 5],
    [[12_345.678, 23_456.789], 0],
    [[1_000_000.012, 1_000_000.047], 3],
    [[0], 0],
    [[], 0],
  ])('are four significant ones of %j without a tolerance, and show their spread', (without, decimals) => {
    expect(shownDecimals({ limits: {}, values: without })).toBe(decimals);
  });
  it('follow from the values where a limit on one side has no nominal value', () => {
    expect(shownDecimals({ limits: { lowerTolerance: 58 }, values: [60.41234] })).toBe(2);
  });
  it('do not follow from crossed or equal limits', () => {
    expect(shownDecimals({ limits: { lowerTolerance: 2, upperTolerance: 1 }, values: [1.23456] })).toBe(3);
  });
});
