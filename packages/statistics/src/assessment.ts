import type { Index } from './capability/indices.ts';
import { countRuns, isLimitRule, type RuleHit, type RunRule } from './charts/run-rules.ts';
import { binomialQuantile } from './distributions.ts';
import { MIN_VALUES_FOR_NORMALITY, type AndersonDarling } from './normality/anderson-darling.ts';

export type Stable = 'yes' | 'no' | 'unknown';
export type Normal = 'yes' | 'nearly' | 'no' | 'unknown';
export type Capable = 'yes' | 'uncertain' | 'no' | 'unknown';

/** A chart of fewer points says nothing about stability. */
const MIN_POINTS_FOR_STABILITY = 20;

/** A stable process breaks a rule more often than the bound in one of twenty charts. */
const STABILITY_CONFIDENCE = 0.95;

const SIGNIFICANCE = 0.05;

/** Values whose probability plot correlates this much are close enough to normal for the indices. */
const NEARLY_NORMAL = 0.995;

/**
 * How often a stable normal process breaks a rule, per point: every point beyond the limits, else each beginning of a run.
 * README.md of this package says how the figures follow.
 */
export const FALSE_ALARM_RATES: Readonly<Record<RunRule, number>> = {
  nelson1: 0.0027,
  nelson2: 0.00195,
  nelson3: 0.00238,
  nelson4: 0.00166,
  nelson5: 0.002,
  nelson6: 0.00379,
  nelson7: 0.00103,
  nelson8: 0.00007,
  westernElectric1: 0.0027,
  westernElectric2: 0.002,
  westernElectric3: 0.00379,
  westernElectric4: 0.00391,
};

/**
 * Says whether the chosen rules are broken no more often than chance explains: the 95 % upper binomial bound of each rule.
 * @param points the number of points that the rules were applied to
 */
export function assessStability(points: number, rules: readonly RunRule[], hits: readonly RuleHit[]): Stable {
  if (points < MIN_POINTS_FOR_STABILITY) return 'unknown';
  const broken = rules.some((rule) => {
    const count = isLimitRule(rule) ? hits.filter((hit) => hit.rule === rule).length : countRuns(hits, rule);
    return count > binomialQuantile(STABILITY_CONFIDENCE, points, FALSE_ALARM_RATES[rule]);
  });
  return broken ? 'no' : 'yes';
}

/**
 * Says whether values may be treated as normal: not rejected at 0.05, or close enough in the probability plot.
 * @param plotCorrelation computes the correlation of the plot; called only where the test rejects
 */
export function assessNormality(count: number, test: AndersonDarling | undefined, plotCorrelation: () => number | undefined): Normal {
  if (count < MIN_VALUES_FOR_NORMALITY || !test) return 'unknown';
  if (test.pValue >= SIGNIFICANCE) return 'yes';
  return (plotCorrelation() ?? 0) >= NEARLY_NORMAL ? 'nearly' : 'no';
}

/**
 * Says whether a process meets the required value: surely, where the lower confidence bound does; perhaps, where only Ppk does.
 * The answer is at most uncertain without a confidence interval.
 */
export function assessCapability(ppk: Index | undefined, required: number): Capable {
  if (!ppk) return 'unknown';
  if (ppk.lower !== undefined && ppk.lower >= required) return 'yes';
  return ppk.value >= required ? 'uncertain' : 'no';
}
