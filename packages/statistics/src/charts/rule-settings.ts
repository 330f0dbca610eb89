import { normalCdf } from '../distributions.ts';

/** Rules of Nelson (1984) and of the Western Electric handbook (1956). */
export const NELSON_RULES = ['nelson1', 'nelson2', 'nelson3', 'nelson4', 'nelson5', 'nelson6', 'nelson7', 'nelson8'] as const;
export const WESTERN_ELECTRIC_RULES = ['westernElectric1', 'westernElectric2', 'westernElectric3', 'westernElectric4'] as const;
export const RUN_RULES = [...NELSON_RULES, ...WESTERN_ELECTRIC_RULES] as const;
export type RunRule = (typeof RUN_RULES)[number];

/** A rule, and the number of points that it looks at. */
export interface RuleSetting {
  readonly rule: RunRule;
  readonly length: number;
}

/** What a rule looks for in its points. */
export type RulePattern = 'beyondLimits' | 'oneSide' | 'steady' | 'alternating' | 'mostBeyond2' | 'mostBeyond1' | 'within1' | 'outside1';

interface RuleDescription {
  readonly pattern: RulePattern;
  /** The usual length. */
  readonly length: number;
  /** The lengths that may be chosen. */
  readonly lengths: readonly [number, number];
}

/** The length of "two of three" and "four of five" is three and five: all points but one must lie beyond. */
export const RULES: Readonly<Record<RunRule, RuleDescription>> = {
  nelson1: { pattern: 'beyondLimits', length: 1, lengths: [1, 1] },
  nelson2: { pattern: 'oneSide', length: 9, lengths: [5, 30] },
  nelson3: { pattern: 'steady', length: 6, lengths: [4, 15] },
  nelson4: { pattern: 'alternating', length: 14, lengths: [8, 30] },
  nelson5: { pattern: 'mostBeyond2', length: 3, lengths: [3, 7] },
  nelson6: { pattern: 'mostBeyond1', length: 5, lengths: [3, 9] },
  nelson7: { pattern: 'within1', length: 15, lengths: [8, 30] },
  nelson8: { pattern: 'outside1', length: 8, lengths: [4, 15] },
  westernElectric1: { pattern: 'beyondLimits', length: 1, lengths: [1, 1] },
  westernElectric2: { pattern: 'mostBeyond2', length: 3, lengths: [3, 7] },
  westernElectric3: { pattern: 'mostBeyond1', length: 5, lengths: [3, 9] },
  westernElectric4: { pattern: 'oneSide', length: 8, lengths: [5, 30] },
};

/** The rule with its usual length. */
export function usualRule(rule: RunRule): RuleSetting {
  return { rule, length: RULES[rule].length };
}

/** Whether a rule looks at single points. Each of its hits counts for stability; of another rule each run does. */
export function isLimitRule(rule: RunRule): boolean {
  return RULES[rule].pattern === 'beyondLimits';
}

/** Text of a rule as requests name it: the length is left out where it is the usual one. */
export function ruleText({ rule, length }: RuleSetting): string {
  return length === RULES[rule].length ? rule : `${rule}:${length}`;
}

const WITHIN_ONE = 1 - 2 * normalCdf(-1);
const rates = new Map<string, number>();

/**
 * How often a stable normal process breaks a rule, per point: every point beyond the limits, else each beginning of a run.
 * README.md of this package says how the figures follow.
 */
export function falseAlarmRate({ rule, length }: RuleSetting): number {
  const { pattern } = RULES[rule];
  const key = `${pattern} ${length}`;
  let rate = rates.get(key);
  if (rate === undefined) rates.set(key, (rate = rateOf(pattern, length)));
  return rate;
}

function rateOf(pattern: RulePattern, length: number): number {
  switch (pattern) {
    case 'beyondLimits':
      return 2 * normalCdf(-3);
    case 'oneSide':
      return 2 * 0.5 ** (length + 1);
    case 'steady':
      return (2 / factorial(length)) * (1 - 1 / (length + 1));
    case 'alternating':
      return 2 * (zigzagShare(length) - zigzagShare(length + 1));
    case 'mostBeyond2':
      return rateOfMostBeyond(length, 2);
    case 'mostBeyond1':
      return rateOfMostBeyond(length, 1);
    case 'within1':
      return WITHIN_ONE ** length * (1 - WITHIN_ONE);
    case 'outside1':
      return rateOfOutside(length);
  }
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** The share of the orders of n values that go up and down in turn, beginning upwards: the zigzag number Eₙ by n!. */
function zigzagShare(n: number): number {
  // aₙ = Eₙ / n! follows from 2(n + 1)·aₙ₊₁ = Σ aₖ·aₙ₋ₖ.
  const shares = [1, 1];
  for (let i = 1; i < n; i++) {
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += shares[k]! * shares[i - k]!;
    shares[i + 1] = sum / (2 * (i + 1));
  }
  return shares[n]!;
}

/** Sums the probabilities of all sequences of `length` + 1 points whose last point begins a run of "all but one beyond". */
function rateOfMostBeyond(length: number, distance: number): number {
  const beyond = normalCdf(-distance);
  const isHit = (sides: readonly number[], at: number) => {
    const side = sides[at]!;
    return side !== 0 && sides.slice(at - length + 1, at + 1).filter((other) => other === side).length >= length - 1;
  };
  let rate = 0;
  const add = (sides: number[], probability: number): void => {
    if (sides.length === length + 1) {
      if (isHit(sides, length) && !isHit(sides, length - 1)) rate += probability;
      return;
    }
    for (const side of [-1, 0, 1]) add([...sides, side], probability * (side === 0 ? 1 - 2 * beyond : beyond));
  };
  add([], 1);
  return rate;
}

/** A run begins behind a point within 1σ, or where the first point on the other side ends a stretch outside on one side. */
function rateOfOutside(length: number): number {
  const outside = 1 - WITHIN_ONE;
  const afterInside = outside ** length * WITHIN_ONE * (1 - 0.5 ** (length - 1));
  const afterOneSide = outside ** (length + 1) * 0.5 ** length;
  return afterInside + afterOneSide;
}
