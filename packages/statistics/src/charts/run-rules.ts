import type { ControlLimits } from './control-chart.ts';
import { isLimitRule, RULES, type RulePattern, type RuleSetting, type RunRule } from './rule-settings.ts';

/** The point of a chart at which a rule is broken: the one that completes the run, and each one that continues it. */
export interface RuleHit {
  readonly rule: RunRule;
  /** 0-based index of the point. */
  readonly index: number;
}

/** A point in units of the chart: its distance from the centre line in standard deviations; NaN where it is missing. */
type Deviations = Float64Array;
type Rule = (deviations: Deviations, at: number, points: Float64Array) => boolean;

/** Limits of all points, or of each: those of groups depend on their size. */
export type LimitsOfPoints = ControlLimits | ((index: number) => ControlLimits);

function ruleOf(pattern: RulePattern, length: number): Rule {
  switch (pattern) {
    case 'beyondLimits':
      return (deviations, at) => Math.abs(deviations[at]!) > 3;
    case 'oneSide':
      return oneSide(length);
    case 'steady':
      return steady(length);
    case 'alternating':
      return alternating(length);
    case 'mostBeyond2':
      return mostBeyond(length - 1, length, 2);
    case 'mostBeyond1':
      return mostBeyond(length - 1, length, 1);
    case 'within1':
      return within(length, 1);
    case 'outside1':
      return outsideOnBothSides(length, 1);
  }
}

/**
 * Finds where points break the rules, ordered by point and then as the rules are listed.
 * A missing point (NaN) ends every run; a point on the centre line is on neither side.
 * @param limits three standard deviations of the point from the centre line, on each side by itself
 */
export function ruleHits(points: Float64Array, limits: LimitsOfPoints, rules: readonly RuleSetting[]): RuleHit[] {
  const hits: RuleHit[] = [];
  let deviations: Deviations | undefined;
  for (const { rule, length } of rules) {
    if (isLimitRule(rule)) {
      for (const index of pointsBeyond(points, limits)) hits.push({ rule, index });
      continue;
    }
    const isBroken = ruleOf(RULES[rule].pattern, length);
    deviations ??= deviationsOf(points, limits);
    for (let index = 0; index < deviations.length; index++) {
      if (isBroken(deviations, index, points) && !Number.isNaN(deviations[index]!)) hits.push({ rule, index });
    }
  }
  // Sorting keeps the order of rules at one point.
  return hits.sort((a, b) => a.index - b.index);
}

/** Finds points beyond the limits. In a chart of variation, whose limits are not symmetric, only this rule holds. */
export function pointsBeyond(points: Float64Array, limits: LimitsOfPoints): number[] {
  const indices: number[] = [];
  if (typeof limits === 'function') {
    for (let index = 0; index < points.length; index++) if (isBeyond(points[index]!, limits(index))) indices.push(index);
  } else {
    for (let index = 0; index < points.length; index++) if (isBeyond(points[index]!, limits)) indices.push(index);
  }
  return indices;
}

function isBeyond(point: number, { lower, upper }: ControlLimits): boolean {
  return point > upper || point < lower;
}

/** Does what {@link pointsBeyond} does, for the moving ranges of single values; a range has the index of its second value. */
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

function deviationsOf(points: Float64Array, limits: LimitsOfPoints): Deviations {
  const deviations = new Float64Array(points.length);
  for (let index = 0; index < points.length; index++) {
    const point = points[index]!;
    const { centerLine, lower, upper } = typeof limits === 'function' ? limits(index) : limits;
    const reach = point < centerLine ? centerLine - lower : upper - centerLine;
    deviations[index] = point === centerLine ? 0 : (3 * (point - centerLine)) / reach;
  }
  return deviations;
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
