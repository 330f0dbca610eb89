import type { ControlLimits } from './control-chart.ts';

/** Rules of Nelson (1984) and of the Western Electric handbook (1956). */
export const NELSON_RULES = ['nelson1', 'nelson2', 'nelson3', 'nelson4', 'nelson5', 'nelson6', 'nelson7', 'nelson8'] as const;
export const WESTERN_ELECTRIC_RULES = ['westernElectric1', 'westernElectric2', 'westernElectric3', 'westernElectric4'] as const;
export const RUN_RULES = [...NELSON_RULES, ...WESTERN_ELECTRIC_RULES] as const;
export type RunRule = (typeof RUN_RULES)[number];

/** The point of a chart at which a rule is broken: the one that completes the run, and each one that continues it. */
export interface RuleHit {
  readonly rule: RunRule;
  /** 0-based index of the point. */
  readonly index: number;
}

/** A point in units of the chart: its distance from the centre line in standard deviations; NaN where it is missing. */
type Deviations = Float64Array;
type Rule = (deviations: Deviations, at: number, points: Float64Array) => boolean;

/** Rules that look at single points: those beyond the limits. */
const LIMIT_RULES = ['nelson1', 'westernElectric1'] as const;
type LimitRule = (typeof LIMIT_RULES)[number];

const RULES_OF_RUNS: Readonly<Record<Exclude<RunRule, LimitRule>, Rule>> = {
  nelson2: oneSide(9),
  nelson3: steady(6),
  nelson4: alternating(14),
  nelson5: mostBeyond(2, 3, 2),
  nelson6: mostBeyond(4, 5, 1),
  nelson7: within(15, 1),
  nelson8: outsideOnBothSides(8, 1),
  westernElectric2: mostBeyond(2, 3, 2),
  westernElectric3: mostBeyond(4, 5, 1),
  westernElectric4: oneSide(8),
};

/**
 * Finds where points break the rules, ordered by point and then as the rules are listed.
 * A missing point (NaN) ends every run; a point on the centre line is on neither side.
 * @param limits with the upper limit three standard deviations of the points above the centre line
 */
export function ruleHits(points: Float64Array, limits: ControlLimits, rules: readonly RunRule[]): RuleHit[] {
  const hits: RuleHit[] = [];
  let deviations: Deviations | undefined;
  for (const rule of rules) {
    if (isLimitRule(rule)) {
      for (const index of pointsBeyond(points, limits)) hits.push({ rule, index });
      continue;
    }
    const isBroken = RULES_OF_RUNS[rule];
    deviations ??= deviationsOf(points, limits);
    for (let index = 0; index < deviations.length; index++) {
      if (isBroken(deviations, index, points) && !Number.isNaN(deviations[index]!)) hits.push({ rule, index });
    }
  }
  // Sorting keeps the order of rules at one point.
  return hits.sort((a, b) => a.index - b.index);
}

/** Finds points beyond the limits. In a chart of variation, whose limits are not symmetric, only this rule holds. */
export function pointsBeyond(points: Float64Array, limits: ControlLimits): number[] {
  const indices: number[] = [];
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    if (point > limits.upper || point < limits.lower) indices.push(index);
  }
  return indices;
}

/** As {@link pointsBeyond} for the moving ranges of single values; a range has the index of its second value. */
export function movingRangesBeyond(values: Float64Array, { upper }: ControlLimits): number[] {
  const indices: number[] = [];
  for (let index = 1; index < values.length; index++) if (Math.abs(values[index]! - values[index - 1]!) > upper) indices.push(index);
  return indices;
}

/** Counts runs: hits of a rule that do not follow a hit of the same rule at the point before. */
export function countRuns(hits: readonly RuleHit[], rule: RunRule): number {
  let runs = 0;
  let previous = -2;
  for (const hit of hits) {
    if (hit.rule !== rule) continue;
    if (hit.index !== previous + 1) runs++;
    previous = hit.index;
  }
  return runs;
}

/** Whether a rule is broken by single points. Each of its hits counts for stability; of another rule each run does. */
export function isLimitRule(rule: RunRule): rule is LimitRule {
  return (LIMIT_RULES as readonly RunRule[]).includes(rule);
}

function deviationsOf(points: Float64Array, { centerLine, upper }: ControlLimits): Deviations {
  const standardDeviation = (upper - centerLine) / 3;
  return points.map((point) => (point === centerLine ? 0 : (point - centerLine) / standardDeviation));
}

function oneSide(length: number): Rule {
  return (deviations, at) => {
    if (at + 1 < length) return false;
    const side = Math.sign(deviations[at]!);
    if (side === 0) return false;
    for (let i = at - length + 1; i < at; i++) if (Math.sign(deviations[i]!) !== side) return false;
    return true;
  };
}

/** Each of `length` points is above the one before it, or each is below. */
function steady(length: number): Rule {
  return (_, at, points) => {
    if (at + 1 < length) return false;
    const direction = Math.sign(points[at]! - points[at - 1]!);
    if (direction === 0) return false;
    for (let i = at - length + 2; i < at; i++) if (Math.sign(points[i]! - points[i - 1]!) !== direction) return false;
    return true;
  };
}

function alternating(length: number): Rule {
  return (_, at, points) => {
    if (at + 1 < length) return false;
    let direction = Math.sign(points[at]! - points[at - 1]!);
    if (direction === 0) return false;
    for (let i = at - 1; i > at - length + 1; i--) {
      const before = Math.sign(points[i]! - points[i - 1]!);
      if (before !== -direction) return false;
      direction = before;
    }
    return true;
  };
}

/** The point and enough of those before it are beyond `distance` on one side: `wanted` of `length`. */
function mostBeyond(wanted: number, length: number, distance: number): Rule {
  return (deviations, at) => {
    const side = Math.sign(deviations[at]!);
    if (Math.abs(deviations[at]!) <= distance) return false;
    let found = 1;
    for (let i = at - 1; i > at - length && i >= 0; i--) {
      if (Number.isNaN(deviations[i]!)) break;
      if (deviations[i]! * side > distance) found++;
    }
    return found >= wanted;
  };
}

function within(length: number, distance: number): Rule {
  return (deviations, at) => {
    if (at + 1 < length) return false;
    for (let i = at - length + 1; i <= at; i++) if (!(Math.abs(deviations[i]!) < distance)) return false;
    return true;
  };
}

/** `length` points are outside of `distance`, not all of them on one side. */
function outsideOnBothSides(length: number, distance: number): Rule {
  return (deviations, at) => {
    if (at + 1 < length) return false;
    let above = 0;
    for (let i = at - length + 1; i <= at; i++) {
      if (!(Math.abs(deviations[i]!) > distance)) return false;
      if (deviations[i]! > 0) above++;
    }
    return above > 0 && above < length;
  };
}
