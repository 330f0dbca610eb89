import { describe, expect, it } from '@jest/globals';
import { toleranceScale } from './tolerance-scale.ts';

describe('toleranceScale', () => {
  it('is 1 at the upper and −1 at the lower tolerance', () => {
    const scale = toleranceScale({ nominal: 20, lowerTolerance: 19.9, upperTolerance: 20.05 });
    expect(scale?.ratio(20.05)).toBeCloseTo(1, 9);
    expect(scale?.ratio(19.9)).toBeCloseTo(-1, 9);
    expect(scale?.ratio(20)).toBe(0);
    expect(scale?.walls).toEqual([-1, 1]);
  });
  it('begins at the natural boundary of a one-sided characteristic', () => {
    const scale = toleranceScale({ nominal: 0, lowerBoundary: 0, upperTolerance: 0.1 });
    expect(scale?.ratio(0)).toBe(-1);
    expect(scale?.base).toBe(-1);
    expect(scale?.walls).toEqual([1]);
  });
  it('finds the value at a ratio', () => {
    expect(toleranceScale({ nominal: 20, lowerTolerance: 19.9, upperTolerance: 20.05 })?.value(-0.5)).toBeCloseTo(19.95, 9);
  });
  it('takes the middle where nominal is missing', () => {
    expect(toleranceScale({ lowerTolerance: 2, upperTolerance: 4 })?.ratio(3)).toBe(0);
  });
  it('does not exist without a tolerance', () => {
    expect(toleranceScale({ nominal: 3, upperWarning: 4 })).toBeUndefined();
  });
  it('does not exist where nominal is the only tolerance limit', () => {
    expect(toleranceScale({ nominal: 3, upperTolerance: 3 })).toBeUndefined();
  });
});
