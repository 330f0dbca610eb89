import { describe, expect, it } from '@jest/globals';
import { glyphOf, limitsFrom, relativeDeviation, statusFrom, statusOf, type Limits } from './limits';

const LIMITS = { lowerTolerance: 9, upperTolerance: 11 };

describe('limits of a characteristic', () => {
  it('takes absolute limits before deviations from nominal', () => {
    expect(limitsFrom({ 2101: '20', 2110: '19.95', 2113: '0.1' })).toEqual({
      nominal: 20,
      target: 20,
      lowerTolerance: 19.95,
      upperTolerance: 20.1,
    });
  });

  it('keeps a natural boundary apart from a tolerance', () => {
    expect(limitsFrom({ 2110: '0', 2111: '0.08', 2120: '2' })).toEqual({ lowerBoundary: 0, upperTolerance: 0.08 });
  });

  it('leaves out what is no number', () => {
    expect(limitsFrom({ 2101: 'x', 2110: '', 8014: '1' })).toEqual({ lowerWarning: 1 });
  });

  it.each([
    [20, 'inLimits'],
    [20.05, 'inWarning'],
    [20.051, 'aboveTolerance'],
    [19.96, 'inLimits'],
    [19.959, 'inWarning'],
    [19.949, 'belowTolerance'],
  ])('judges %p as %s', (value, status) => {
    expect(statusOf(value, { lowerTolerance: 19.95, upperTolerance: 20.05, lowerWarning: 19.96, upperWarning: 20.04 })).toBe(status);
  });

  it('judges a value below a natural boundary as out, as the statistics of measurements do', () => {
    expect(statusOf(-1, { lowerBoundary: 0 })).toBe('belowTolerance');
  });

  it('counts deviations in parts of the tolerance of their side', () => {
    const limits = { nominal: 10, lowerTolerance: 9, upperTolerance: 12 };
    expect(relativeDeviation(11, limits)).toBe(0.5);
    expect(relativeDeviation(9.5, limits)).toBe(-0.5);
  });

  it('has no relative deviation without a tolerance', () => {
    expect(relativeDeviation(11, { nominal: 10 })).toBeUndefined();
  });

  it('reads both sides of a tolerance as out', () => {
    expect(statusFrom('belowTolerance', LIMITS)).toBe('outOfTolerance');
    expect(statusFrom('aboveTolerance', LIMITS)).toBe('outOfTolerance');
  });

  it('has no data without a value', () => {
    expect(statusFrom(undefined, {})).toBe('noData');
  });

  it.each<[Limits]>([[{}], [{ nominal: 10 }]])('does not judge a value by %j', (limits) => {
    expect(statusFrom('inLimits', limits)).toBe('noLimits');
    expect(glyphOf('inLimits', limits)).toBe('noLimits');
  });

  it.each<[Limits]>([[{ upperTolerance: 11 }], [{ lowerBoundary: 0 }], [{ lowerWarning: 9 }]])('judges a value by %j', (limits) => {
    expect(statusFrom('inLimits', limits)).toBe('inLimits');
  });

  it('points down below the tolerance only', () => {
    expect(glyphOf('belowTolerance', LIMITS)).toBe('belowTolerance');
    expect(glyphOf('aboveTolerance', LIMITS)).toBe('outOfTolerance');
  });
});
