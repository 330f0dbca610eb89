import { falseAlarmRate, isLimitRule, type RuleSetting, type RunRule } from '../charts/rule-settings.ts';
import { countRuns, ruleHits, type RuleHit } from '../charts/run-rules.ts';
import { momentsOf } from '../descriptive/moments.ts';
import { binomialQuantile } from '../distributions.ts';
import { findLevelChange, largestStepOfMost, type LevelChange, type WeighedPoints } from './evidence.ts';

/** `nearly`: points lie beyond the limits, but no more or farther than chance explains. */
export type Stable = 'yes' | 'nearly' | 'no' | 'unknown';

/** The point at which an unstable process began to differ. */
export interface Since {
  readonly kind: 'points' | 'step' | 'drift';
  /** Index of the point. */
  readonly index: number;
  /** Whether the point is one of location or of the spread. */
  readonly on: 'location' | 'variation';
  /** Levels before and behind a step, or at the ends of a drift, in the unit of the judged values; of counts, in scores. */
  readonly from?: number;
  readonly to?: number;
}

export interface Stability {
  readonly stable: Stable;
  /** Why the answer is `no`: points too far out, rules broken too often, or a step of the mean. */
  readonly reasons: {
    readonly farthest?: 'location' | 'variation' | 'both';
    readonly rules?: readonly RunRule[];
    readonly step?: true;
  };
  /** Present where the answer is `no`. */
  readonly since?: Since;
  /** Number of points that were judged on the chart of location. */
  readonly points: number;
}

/** Charts of fewer points say nothing about stability. */
export const MIN_SINGLE_POINTS = 20;
export const MIN_GROUPS = 10;

/** Chance of a stable process to break one of the rules more often than is allowed. */
export const RULES_CHANCE = 0.02;

/** A step of the mean that is larger than chance makes it: in standard deviations of the difference, and of a value. */
const STEP_SIGNIFICANCE = 4;
const STEP_HEIGHT = 1;

/** Limits that are given or follow from a baseline, and not from all values. */
export interface GivenLimits {
  readonly centerLine: number;
  /** Standard deviation of a single value. */
  readonly sigma: number;
  /** Degrees of freedom of an estimated `sigma`; absent where it is known, so that the first point can be judged. */
  readonly degreesOfFreedom?: number;
}

export interface StabilityOptions {
  readonly rules: readonly RuleSetting[];
  readonly given?: GivenLimits;
  /** Number of points beyond the limits that are shown, on both charts: some of them make `yes` to `nearly`. */
  readonly beyondShown: number;
  /** Points in the unit of the values, by which the beginning of another level is found where scores are judged: they bend a line. */
  readonly levels?: Float64Array | undefined;
}

export interface Judged {
  readonly data: WeighedPoints;
  /** Differences from the centre line in standard deviations of the point. */
  readonly deviations: Float64Array;
  readonly sigma: number;
  readonly centerLine: number;
  readonly count: number;
  readonly isEnough: boolean;
  /** Indices of the first points that are too far out; −1 without one. */
  readonly farLocation: number;
  readonly farVariation: number;
  /** Where chance does not put 0.27 % of the points of location beyond their limits. */
  readonly locationBeyond?: BeyondLimits;
  readonly variationBeyond?: BeyondLimits;
  readonly options: StabilityOptions;
}

/** Answers from all evidence on the charts of location and spread. */
export function judge(judged: Judged): Stability {
  const { data, count, isEnough, farLocation, farVariation, options } = judged;
  const broken = isEnough ? brokenRules(judged) : [];
  const step = isEnough ? largestStepOfMost(data) : undefined;
  const isStep = step !== undefined && step.significance > STEP_SIGNIFICANCE && Math.abs(step.to - step.from) >= STEP_HEIGHT;
  const rules = [...new Set([...broken, ...(isEnough ? brokenLimitRule(judged.variationBeyond, options.rules) : [])])];
  const hasMoved = isStep || broken.some((rule) => !isLimitRule(rule));
  const isOut = farLocation >= 0 || farVariation >= 0 || rules.length > 0 || isStep;
  if (!isOut) {
    const stable = !isEnough ? 'unknown' : options.beyondShown > 0 ? 'nearly' : 'yes';
    return { stable, reasons: {}, points: count };
  }
  const farthest = farLocation < 0 ? 'variation' : farVariation < 0 ? 'location' : 'both';
  return {
    stable: 'no',
    reasons: {
      ...((farLocation >= 0 || farVariation >= 0) && { farthest }),
      ...(rules.length > 0 && { rules }),
      ...(isStep && { step: true as const }),
    },
    since: sinceOf(judged, hasMoved, broken.length > 0),
    points: count,
  };
}

/** Points beyond the limits name themselves; where the level has moved, the better fit of a step and a drift says when. */
function sinceOf(judged: Judged, hasMoved: boolean, isLocationBeyond: boolean): Since {
  const { data, deviations, sigma, centerLine, farLocation, farVariation, variationBeyond, locationBeyond } = judged;
  const { levels } = judged.options;
  const change = hasMoved ? findLevelChange(levels ? { ...data, differences: withoutMean(levels) } : data) : undefined;
  if (change) return levels ? levelChange(change, meanOf(levels), 1) : levelChange(change, centerLine, sigma);
  const first = locationBeyond ? locationBeyond.first : deviations.findIndex((deviation) => Math.abs(deviation) > 3);
  if (farLocation >= 0 || isLocationBeyond) return { kind: 'points', index: farLocation >= 0 ? farLocation : first, on: 'location' };
  return { kind: 'points', index: farVariation >= 0 ? farVariation : (variationBeyond?.first ?? 0), on: 'variation' };
}

/** Differences keep the digits that values of large size would lose. */
function withoutMean(points: Float64Array): Float64Array {
  const mean = meanOf(points);
  return points.map((point) => point - mean);
}

function meanOf(points: Float64Array): number {
  return momentsOf(points)?.mean ?? 0;
}

function levelChange({ kind, index, from, to }: LevelChange, centerLine: number, sigma: number): Since {
  return { kind, index, on: 'location', from: centerLine + from * sigma, to: centerLine + to * sigma };
}

/** The rules that the points of location meet in more runs than chance explains. */
function brokenRules({ deviations, count, locationBeyond, options: { rules } }: Judged): RunRule[] {
  const counted = locationBeyond ? rules.filter(({ rule }) => !isLimitRule(rule)) : rules;
  const hits = ruleHits(deviations, { centerLine: 0, lower: -3, upper: 3 }, counted);
  const broken = counted.filter((rule) => hitsOrRuns(hits, rule) > mostByChance(count, falseAlarmRate(rule), rules.length));
  return [...brokenLimitRule(locationBeyond, rules), ...broken.map(({ rule }) => rule)];
}

function hitsOrRuns(hits: readonly RuleHit[], { rule }: RuleSetting): number {
  if (!isLimitRule(rule)) return countRuns(hits, rule);
  let count = 0;
  for (const hit of hits) if (hit.rule === rule) count++;
  return count;
}

/** The number of points or runs that chance exceeds with a probability that all rules share. */
function mostByChance(points: number, rate: number, rules: number): number {
  return binomialQuantile(1 - RULES_CHANCE / Math.max(1, rules), points, Math.min(1, rate));
}

/** Points beyond the limits of a chart, among how many, and the mean probability with which chance puts one there. */
export interface BeyondLimits {
  readonly beyond: number;
  /** Index of the first of them; −1 without one. */
  readonly first: number;
  readonly points: number;
  readonly rate: number;
}

/** The rule of points beyond the limits, where it is in use and broken more often than chance explains. */
function brokenLimitRule(found: BeyondLimits | undefined, rules: readonly RuleSetting[]): RunRule[] {
  const rule = rules.find((setting) => isLimitRule(setting.rule))?.rule;
  if (!found || rule === undefined) return [];
  return found.beyond > mostByChance(found.points, found.rate, rules.length) ? [rule] : [];
}
