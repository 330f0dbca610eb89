import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../random.fixture.ts';
import { falseAlarmRate, isLimitRule, NELSON_RULES, RULES, ruleText, usualRule, type RunRule } from './rule-settings.ts';
import { countRuns, pointsBeyond, ruleHits } from './run-rules.ts';

const STANDARD = { centerLine: 0, lower: -3, upper: 3 };
/** 1-based points at which a rule is broken. */
const hits = (rule: RunRule, points: number[], length = RULES[rule].length) =>
  ruleHits(Float64Array.from(points), STANDARD, [{ rule, length }]).map(({ index }) => index + 1);
const usual = (...rules: RunRule[]) => rules.map(usualRule);
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
    expect(ruleHits(Float64Array.of(0.4, 0.4 + 1e-16), limits, usual('nelson1')).map(({ index }) => index)).toEqual([1]);
  });
  it('ends a run on one side at a point on the centre line', () => {
    expect(hits('nelson2', [...repeat(5, 1), 0, ...repeat(5, 1)])).toEqual([]);
  });
  it('orders hits by point and then by rule', () => {
    expect(ruleHits(Float64Array.of(4, 4, 4), STANDARD, usual(...NELSON_RULES))).toEqual([
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
    expect(ruleHits(Float64Array.of(5, 5, 5), { centerLine: 5, lower: 5, upper: 5 }, usual('nelson1', 'nelson2', 'nelson5'))).toEqual([]);
  });
});

describe('rules with lengths', () => {
  it('finds seven points on one side', () => expect(hits('nelson2', repeat(8, 0.5), 7)).toEqual([7, 8]));
  it('finds four rising points', () => expect(hits('nelson3', [0, 1, 2, 3, 2], 4)).toEqual([4]));
  it('finds eight points that alternate', () => expect(hits('nelson4', [0, 1, 0, 1, 0, 1, 0, 1, 1], 8)).toEqual([8]));
  it('finds four of five beyond two standard deviations', () => {
    expect(hits('nelson5', [2.1, 2.1, 0, 2.1, 2.1], 5)).toEqual([5]);
    expect(hits('nelson5', [2.1, 2.1, 0, 0, 2.1], 5)).toEqual([]);
  });
  it('finds eight points close to the centre line', () => expect(hits('nelson7', repeat(8, 0.1), 8)).toEqual([8]));
  it('finds four points far from the centre line', () => expect(hits('nelson8', [2, -2, 2, -2], 4)).toEqual([4]));
  it('writes a length only where it is not the usual one', () => {
    expect([ruleText({ rule: 'nelson2', length: 9 }), ruleText({ rule: 'nelson2', length: 7 })]).toEqual(['nelson2', 'nelson2:7']);
  });
  it('judges each point by its own limits', () => {
    const narrow = { centerLine: 0, lower: -1, upper: 1 };
    const limits = (index: number) => (index === 1 ? narrow : STANDARD);
    expect(ruleHits(Float64Array.of(2, 2, 2), limits, usual('nelson1')).map(({ index }) => index)).toEqual([1]);
    // In units of their limits the points are 0.9, 2.1 and 0.9 standard deviations from the centre line.
    expect(ruleHits(Float64Array.of(0.9, 0.7, 2.1), limits, usual('nelson5')).map(({ index }) => index)).toEqual([2]);
  });
});

describe('pointsBeyond', () => {
  it('finds points beyond limits that are not symmetric', () => {
    expect(pointsBeyond(Float64Array.of(0.5, 1, 4, NaN, 0.2), { centerLine: 1, lower: 0.3, upper: 3.267 })).toEqual([2, 4]);
  });
});

describe('false alarms', () => {
  const { normal } = randomNumbers(1);
  const points = Float64Array.from({ length: 40_000 }, normal);

  // The rules of Western Electric look for the same patterns.
  for (const rule of NELSON_RULES) {
    const { length: standard, lengths } = RULES[rule];
    for (const length of new Set([lengths[0], standard, standard - 1, standard + 1])) {
      if (length < lengths[0] || length > lengths[1]) continue;
      it(`has the false-alarm rate of ${rule}:${length} in normal numbers`, () => {
        const found = ruleHits(points, STANDARD, [{ rule, length }]);
        const count = isLimitRule(rule) ? found.length : countRuns(found, rule);
        const expected = falseAlarmRate({ rule, length }) * points.length;
        // Four standard deviations of the count.
        expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected));
      });
    }
  }

  it('counts a long run once', () => {
    const run = Array.from({ length: 7 }, (_, i) => ({ rule: 'nelson2' as const, index: i + 8 }));
    expect(countRuns(run, 'nelson2')).toBe(1);
  });
});
