import type { ControlLimits } from './control-chart.js';

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

const RULES: Readonly<Record<RunRule, Rule>> = {
  nelson1: beyondLimits,
  nelson2: oneSide(9),
  nelson3: steady(6),
  nelson4: alternating(14),
  nelson5: mostBeyond(2, 3, 2),
  nelson6: mostBeyond(4, 5, 1),
  nelson7: within(15, 1),
  nelson8: outsideOnBothSides(8, 1),
  westernElectric1: beyondLimits,
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
  const deviations = deviationsOf(points, limits);
  const hits: RuleHit[] = [];
  for (const rule of rules) {
    const isBroken = RULES[rule];
    for (let index = 0; index < deviations.length; index++) {
      if (isBroken(deviations, index, points) && !Number.isNaN(deviations[index]!)) hits.push({ rule, index });
    }
  }
  // Sorting keeps the order of rules at one point.
  return hits.sort((a, b) => a.index - b.index);
}

/** Finds points beyond the limits of a chart of variation, whose limits are not symmetric: only rule 1 holds there. */
export function pointsBeyond(points: Float64Array, limits: ControlLimits): number[] {
  const indices: number[] = [];
  points.forEach((point, index) => {
    if (point > limits.upper || point < limits.lower) indices.push(index);
  });
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

/** Whether every hit of a rule counts for stability; of the others only the beginning of a run does. */
export function countsEveryHit(rule: RunRule): boolean {
  return RULES[rule] === beyondLimits;
}

function deviationsOf(points: Float64Array, { centerLine, upper, lower }: ControlLimits): Deviations {
  const reach = (upper - centerLine) / 3;
  const deviations = new Float64Array(points.length);
  for (let i = 0; i < points.length; i++) {
    const point = points[i]!;
    const deviation = point === centerLine ? 0 : (point - centerLine) / reach;
    // The limits themselves decide on rule 1, so that rounding of the quotient does not.
    if (point > upper) deviations[i] = Math.max(deviation, OVER_THREE);
    else if (point < lower) deviations[i] = Math.min(deviation, -OVER_THREE);
    else deviations[i] = Math.min(3, Math.max(-3, deviation));
  }
  return deviations;
}

const OVER_THREE = 3 * (1 + Number.EPSILON);

function beyondLimits(deviations: Deviations, at: number): boolean {
  return Math.abs(deviations[at]!) > 3;
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
