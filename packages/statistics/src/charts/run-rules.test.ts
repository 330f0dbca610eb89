import { describe, expect, it } from '@jest/globals';
import { assessStability, FALSE_ALARM_RATES } from '../assessment.ts';
import { countRuns, isLimitRule, NELSON_RULES, pointsBeyond, RUN_RULES, ruleHits, type RunRule } from './run-rules.ts';

const STANDARD = { centerLine: 0, lower: -3, upper: 3 };
/** 1-based points at which a rule is broken. */
const hits = (rule: RunRule, points: number[]) => ruleHits(Float64Array.from(points), STANDARD, [rule]).map(({ index }) => index + 1);
const repeat = (count: number, value: number) => new Array<number>(count).fill(value);

/** Points and broken rules from the tests of the R package qcc (tests/testthat/test-rules.R). */
const QCC_CASES: readonly [RunRule, number[], number[]][] = [
  ['nelson1', [0, 3.2, -3.4, 3], [2, 3]],
  ['nelson2', [...repeat(10, 0.5), ...repeat(10, -0.5)], [9, 10, 19, 20]],
  ['nelson3', [1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1], [6, 7, 13, 14]],
  ['nelson4', [1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 6, 8, 7, 9, 8], [14, 15]],
  ['nelson5', [0, 2.3, 0.4, 2.2, -2.4, -0.2, -2.5], [4, 7]],
  ['nelson6', [1.2, 1.3, 0.2, 1.4, 1.5, -1.2, -1.3, -0.1, -1.4, -1.5], [5, 10]],
  ['nelson7', [...repeat(16, 0.3), 1.2], [15, 16]],
  ['nelson8', [1.2, -1.3, 1.1, -1.4, 1.5, -1.2, 1.3, -1.1, 0.2], [8]],
  ['nelson8', repeat(8, 1.2), []],
  ['westernElectric2', [0, 2.5, 1, 2.6, 0], [4]],
  ['westernElectric3', [0, 1.2, 1.3, 0.2, 1.4, 1.5], [6]],
  ['westernElectric4', [...repeat(8, -1), 1], [8]],
];

describe('ruleHits', () => {
  for (const [rule, points, expected] of QCC_CASES) {
    it(`finds ${rule} at ${expected.join(', ') || 'no point'} of ${points.length} as qcc does`, () =>
      expect(hits(rule, points)).toEqual(expected));
  }

  it('takes a point on a limit as within it', () => expect(hits('nelson1', [3, -3])).toEqual([]));
  it('decides by the limit and not by a rounded quotient', () => {
    const limits = { centerLine: 0.1, lower: -0.2, upper: 0.1 + 0.3 };
    expect(ruleHits(Float64Array.of(0.4, 0.4 + 1e-16), limits, ['nelson1']).map(({ index }) => index)).toEqual([1]);
  });
  it('ends a run on one side at a point on the centre line', () => {
    expect(hits('nelson2', [...repeat(5, 1), 0, ...repeat(5, 1)])).toEqual([]);
  });
  it('orders hits by point and then by rule', () => {
    expect(ruleHits(Float64Array.of(4, 4, 4), STANDARD, NELSON_RULES)).toEqual([
      { rule: 'nelson1', index: 0 },
      { rule: 'nelson1', index: 1 },
      { rule: 'nelson5', index: 1 },
      { rule: 'nelson1', index: 2 },
      { rule: 'nelson5', index: 2 },
    ]);
  });

  const halves: Partial<Record<RunRule, number[]>> = {
    nelson2: repeat(8, 0.5),
    nelson3: [0, 0.1, 0.2, 0.3, 0.4],
    nelson4: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0],
    nelson5: [2.5],
    nelson6: [1.5, 1.5, 1.5],
    nelson7: repeat(14, 0.3),
    nelson8: [1.5, -1.5, 1.5, -1.5, 1.5, -1.5, 1.5],
    westernElectric4: repeat(7, 0.5),
  };
  for (const [rule, half] of Object.entries(halves) as [RunRule, number[]][]) {
    it(`ends a run of ${rule} at a missing point`, () => {
      const next = rule === 'nelson3' ? 0.5 : rule === 'nelson4' ? 1 : rule === 'nelson8' ? -1.5 : half[half.length - 1]!;
      expect(hits(rule, [...half, next])).toEqual([half.length + 1]);
      expect(hits(rule, [...half, NaN, next])).toEqual([]);
    });
  }

  it('finds nothing in a chart without spread', () => {
    expect(ruleHits(Float64Array.of(5, 5, 5), { centerLine: 5, lower: 5, upper: 5 }, ['nelson1', 'nelson2', 'nelson5'])).toEqual([]);
  });
});

describe('pointsBeyond', () => {
  it('finds points beyond limits that are not symmetric', () => {
    expect(pointsBeyond(Float64Array.of(0.5, 1, 4, NaN, 0.2), { centerLine: 1, lower: 0.3, upper: 3.267 })).toEqual([2, 4]);
  });
});

describe('stability', () => {
  /** A repeatable sequence of normal numbers: mulberry32 and the polar method. */
  function normalNumbers(count: number, seed: number): Float64Array {
    let state = seed;
    const uniform = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
    return Float64Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
  }

  const points = normalNumbers(100_000, 1);
  const all = ruleHits(points, STANDARD, RUN_RULES);
  for (const rule of RUN_RULES) {
    it(`has the false-alarm rate of ${rule} in normal numbers`, () => {
      const count = isLimitRule(rule) ? all.filter((hit) => hit.rule === rule).length : countRuns(all, rule);
      const expected = FALSE_ALARM_RATES[rule] * points.length;
      // Four standard deviations of the count.
      expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected));
    });
  }

  it('is unknown below 20 points', () => expect(assessStability(19, ['nelson1'], [])).toBe('unknown'));
  it('allows one point beyond the limits of 20, and two of 1000', () => {
    const two = [3, 9].map((index) => ({ rule: 'nelson1' as const, index }));
    expect(assessStability(20, ['nelson1'], two.slice(0, 1))).toBe('yes');
    expect(assessStability(20, ['nelson1'], two)).toBe('no');
    expect(assessStability(1000, ['nelson1'], two)).toBe('yes');
  });
  it('counts a long run once', () => {
    const run = Array.from({ length: 7 }, (_, i) => ({ rule: 'nelson2' as const, index: i + 8 }));
    expect(countRuns(run, 'nelson2')).toBe(1);
    expect(assessStability(500, ['nelson2'], run)).toBe('yes');
  });
});
