import { describe, expect, it } from '@jest/globals';
import { fitted, placeLabels, shortened } from './label-placement.ts';

const placed = (...ys: number[]) =>
  placeLabels(
    ys.map((y) => ({ y })),
    10,
    200,
  ).map(({ at }) => at);

describe('placeLabels', () => {
  it('leaves labels at their lines where they have room', () => {
    expect(placed(20, 60, 100)).toEqual([20, 60, 100]);
  });
  it('moves two labels apart by the same distance', () => {
    expect(placed(50, 50)).toEqual([42.75, 57.25]);
  });
  it('keeps every distance where many lines are near each other', () => {
    const places = placed(50, 52, 54, 60, 61);
    const distances = places.slice(1).map((at, i) => at - places[i]!);
    expect(Math.min(...distances)).toBeCloseTo(14.5, 9);
  });
  it('keeps labels within the edges', () => {
    expect(placed(2, 3)[0]).toBe(10);
    expect(placed(198, 199)[1]).toBe(200);
  });
});

describe('shortened', () => {
  it('keeps a text that fits', () => {
    expect(shortened('Gap left', 8)).toBe('Gap left');
  });
  it('ends a longer text in an ellipsis', () => {
    expect(shortened('Gap left', 7)).toBe('Gap le…');
  });
  it('leaves only the ellipsis where nothing fits', () => {
    expect(shortened('Gap left', 0)).toBe('…');
  });
});

describe('fitted', () => {
  it('leaves a text that has room', () => {
    expect(fitted('tolerance', 55)).toBe('tolerance');
  });
  it('cuts a longer text to the width', () => {
    expect(fitted('tolerance', 35)).toBe('tole…');
  });
  it('leaves nothing of a text whose beginning would say nothing', () => {
    expect(fitted('tolerance', 24)).toBe('');
  });
});
