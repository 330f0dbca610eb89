import { describe, expect, it } from '@jest/globals';
import { movingRanges } from '../charts/sigma.ts';
import { momentsOf } from './moments.ts';
import { RunningFigures } from './running-figures.ts';

/** Adds values in the order of measurement to one column, in as many pieces as given. */
function figuresOf(values: readonly number[], pieces = 1): RunningFigures {
  const whole = new RunningFigures(1);
  const length = Math.ceil(values.length / pieces);
  for (let end = values.length; end > 0; end -= length) {
    const piece = new RunningFigures(1);
    for (let i = end - 1; i >= Math.max(0, end - length); i -= 1) piece.add(0, values[i]!, 1000 * i, i);
    whole.addOlder(piece);
  }
  return whole;
}

const WAVE = Array.from({ length: 200 }, (_, i) => (i % 7 === 3 || i === 0 || i === 199 ? NaN : 20 + Math.sin(i) / 100));
const measured = WAVE.filter((value) => !Number.isNaN(value));

describe('running figures', () => {
  it.each([1, 2, 3, 7, 50, 200])('in %d pieces are those of all values', (pieces) => {
    const figures = figuresOf(WAVE, pieces);
    const moments = momentsOf(Float64Array.from(WAVE))!;
    expect(figures.count[0]).toBe(measured.length);
    expect(figures.missing[0]).toBe(WAVE.length - measured.length);
    expect(figures.mean[0]).toBeCloseTo(moments.mean, 12);
    expect(figures.standardDeviation(0)).toBeCloseTo(moments.standardDeviation!, 12);
    expect(figures.rangeCount[0]).toBe(movingRanges(Float64Array.from(WAVE)).length);
    expect(figures.meanRange(0)).toBeCloseTo(momentsOf(movingRanges(Float64Array.from(WAVE)))!.mean, 12);
    expect(figures.lastValue[0]).toBe(WAVE[198]);
    expect(figures.lastTime[0]).toBe(198_000);
    expect(figures.lastId[0]).toBe(198);
  });
  it('keep digits that differ late', () => {
    const values = Array.from({ length: 1001 }, (_, i) => 10_000_000.2 + (i === 0 ? 0 : i % 2 === 1 ? -0.1 : 0.1));
    expect(figuresOf(values, 4).standardDeviation(0)).toBeCloseTo(0.1, 8);
  });
  it('keep the spread of values that are large beside it', () => {
    const values = Array.from({ length: 400 }, (_, i) => 1e12 + (i % 13) - 6);
    const figures = figuresOf(values, 7);
    const moments = momentsOf(Float64Array.from(values))!;
    expect(figures.mean[0]).toBeCloseTo(moments.mean, 3);
    expect(figures.standardDeviation(0)! / moments.standardDeviation!).toBeCloseTo(1, 12);
  });
  it('have no spread of one value', () => expect(figuresOf([5]).standardDeviation(0)).toBeUndefined());
  it('have no moving range of one value', () => expect(figuresOf([5]).meanRange(0)).toBeUndefined());
  it('have a spread of exactly 0 where all values are equal', () => {
    expect(figuresOf([0.1, 0.1, 0.1, 0.1], 2).standardDeviation(0)).toBe(0);
  });
  it('have a mean of values whose sum exceeds a double, and no spread', () => {
    const figures = figuresOf([1.5e308, -1.5e308, 1.2e308, -1.2e308]);
    expect(Math.abs(figures.mean[0]!)).toBeLessThan(1e293);
    expect(figures.standardDeviation(0)).toBeUndefined();
    expect(figures.meanRange(0)).toBeUndefined();
  });
  it('are those of nothing without values', () => {
    const figures = figuresOf([]);
    expect(figures.count[0]).toBe(0);
    expect(figures.missing[0]).toBe(0);
  });
  it('refuse numbers of other columns', () => expect(() => new RunningFigures(2, new Float64Array(11))).toThrow(RangeError));
});
