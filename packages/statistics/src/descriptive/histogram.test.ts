import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HISTOGRAM_RULES, histogram } from './histogram.ts';
import { sortValues } from './quantiles.ts';
import { decimalsOf } from './resolution.ts';

const of = (...values: number[]) => histogram(sortValues(Float64Array.from(values)));
/** The most by which a value may miss a multiple of the resolution, which is an edge. */
const lastDigits = (value: number) => 5 * Number.EPSILON * Math.abs(value);
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe('decimalsOf', () => {
  it('counts the decimals of a gauge', () => expect(decimalsOf(Float64Array.of(20, 20.1, 20.015))).toBe(3));
  it('is 0 for whole numbers', () => expect(decimalsOf(Float64Array.of(-3, 1e6))).toBe(0));
  it('is not misled by binary fractions', () => expect(decimalsOf(Float64Array.of(0.1 + 0.2, 1.1 * 3))).toBe(1));
  it('finds none in computed values', () => expect(decimalsOf(Float64Array.of(Math.PI))).toBeUndefined());
});

describe('histogram', () => {
  it('divides by the width of Freedman and Diaconis', () => {
    // 1000 values 0 to 999: the interquartile range is 499.5, 2·499.5/10 = 99.9, rounded to the resolution.
    expect(of(...Array.from({ length: 1000 }, (_, i) => i)).edges).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });

  it('puts a value on an edge into the class above it', () => {
    expect(of(...Array.from({ length: 1000 }, (_, i) => i)).counts).toEqual(new Array(10).fill(100));
  });

  it('has edges at multiples of the resolution', () => {
    const { edges } = of(...Array.from({ length: 100 }, (_, i) => Math.round(19950 + i * 1.3) / 1000));
    for (const edge of edges) expect(edge * 1000).toBeCloseTo(Math.round(edge * 1000), 9);
  });

  it('has no class narrower than the resolution', () => {
    const { edges, counts } = of(0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3);
    expect(edges).toEqual([0.1, 0.2, 0.3, 0.4]);
    expect(counts).toEqual([3, 3, 2]);
  });

  it('has one class of equal values', () => expect(of(2.5, 2.5)).toEqual({ edges: [2.5, 2.6], counts: [2] }));
  it('has one class of equal computed values', () => expect(of(Math.PI, Math.PI).counts).toEqual([2]));
  it('has at most 200 classes', () => expect(of(...Array.from({ length: 500 }, (_, i) => i), 1e7).counts.length).toBeLessThanOrEqual(200));
  it('falls back to the spread where the quartiles are equal', () =>
    expect(of(1, 5, 5, 5, 5, 5, 5, 5, 9).counts.length).toBeGreaterThan(1));

  describe('between tolerance limits', () => {
    const limited = (limits: { lowerTolerance?: number; upperTolerance?: number }, ...values: number[]) =>
      histogram(sortValues(Float64Array.from(values)), 'freedmanDiaconis', limits);
    const spread = Array.from({ length: 200 }, (_, i) => Math.round(19_900 + i * 1.03) / 1000);

    it('has both limits among its edges', () => {
      const { edges } = limited({ lowerTolerance: 19.953, upperTolerance: 20.047 }, ...spread);
      expect(edges).toContain(19.953);
      expect(edges).toContain(20.047);
    });
    it('has classes of equal width', () => {
      const { edges } = limited({ lowerTolerance: 19.95, upperTolerance: 20.05 }, ...spread);
      const widths = edges.slice(1).map((edge, i) => edge - edges[i]!);
      for (const width of widths) expect(width).toBeCloseTo(widths[0]!, 9);
    });
    it('counts a value on a limit as within the tolerance', () => {
      const { edges, counts } = limited({ lowerTolerance: 2, upperTolerance: 4 }, 1, 2, 2, 3, 4, 4, 4, 5);
      const inside = counts.filter((_, i) => edges[i]! >= 2 && edges[i + 1]! <= 4);
      expect(sum(inside)).toBe(6);
      expect(sum(counts)).toBe(8);
    });
    it('has the limit of one side as an edge, also of computed values', () => {
      const { edges, counts } = limited({ upperTolerance: Math.SQRT2 }, ...Array.from({ length: 90 }, (_, i) => Math.sin(i) + 1));
      expect(edges).toContain(Math.SQRT2);
      expect(sum(counts)).toBe(90);
    });
    it('is as without limits where all values are within them', () => {
      expect(limited({ lowerTolerance: 0, upperTolerance: 30 }, ...spread)).toEqual(of(...spread));
    });
    it('has at most 200 classes where the limits lie close together', () => {
      const { counts } = limited({ lowerTolerance: 19.95, upperTolerance: 19.951 }, ...spread, 4000);
      expect(counts.length).toBeLessThanOrEqual(200);
      expect(sum(counts)).toBe(201);
    });
    it('counts every value once, and on its side of each limit', () => {
      const value = fc.integer({ min: -500, max: 500 }).map((n) => n / 100);
      fc.assert(
        fc.property(fc.array(value, { minLength: 1 }), value, value, (list, a, b) => {
          const [lowerTolerance, upperTolerance] = [Math.min(a, b), Math.max(a, b)];
          const { edges, counts } = limited({ lowerTolerance, upperTolerance }, ...list);
          expect(sum(counts)).toBe(list.length);
          for (let i = 1; i < edges.length; i++) expect(edges[i]!).toBeGreaterThan(edges[i - 1]!);
          if (edges.includes(upperTolerance)) {
            const above = counts.filter((_, i) => edges[i]! >= upperTolerance);
            expect(sum(above)).toBe(list.filter((each) => each > upperTolerance).length);
          }
        }),
        {
          numRuns: 500,
          examples: [
            [[0.03], 0, 0.03],
            [[0.03, 0.05], 0, 0.03],
            [[0.03, 0.05], 0.03, 0.03],
          ],
        },
      );
    });
  });

  it('counts every value once, between strictly rising finite edges', () => {
    const values = fc.oneof(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }),
      fc.array(
        fc.integer({ min: -500, max: 500 }).map((n) => n / 100),
        { minLength: 1 },
      ),
    );
    fc.assert(
      fc.property(values, fc.constantFrom(...HISTOGRAM_RULES), (list, rule) => {
        const sorted = sortValues(Float64Array.from(list));
        const { edges, counts } = histogram(sorted, rule);
        expect(sum(counts)).toBe(list.length);
        expect(edges.length).toBe(counts.length + 1);
        for (let i = 1; i < edges.length; i++) expect(edges[i]!).toBeGreaterThan(edges[i - 1]!);
        expect(edges.every((edge) => Number.isFinite(edge))).toBe(true);
        expect(counts.length).toBeLessThanOrEqual(200);
        expect(edges[0]!).toBeLessThanOrEqual(sorted[0]! + lastDigits(sorted[0]!));
        expect(edges[edges.length - 1]!).toBeGreaterThanOrEqual(sorted[sorted.length - 1]!);
      }),
      { numRuns: 200, examples: [[[113877.8570907299], 'freedmanDiaconis']] },
    );
  });

  it('counts each value in the class whose edges hold it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1 }), (list) => {
        const { edges, counts } = of(...list.map((n) => n / 10));
        counts.forEach((count, i) => {
          const expected = list.filter((n) => n / 10 >= edges[i]! && n / 10 < edges[i + 1]!).length;
          expect(count).toBe(expected);
        });
      }),
    );
  });
});
