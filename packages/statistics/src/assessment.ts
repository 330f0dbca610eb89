import type { Index } from './capability/indices.ts';
import { falseAlarmRate, isLimitRule, type RuleSetting } from './charts/rule-settings.ts';
import { countRuns, type RuleHit } from './charts/run-rules.ts';
import { binomialQuantile } from './distributions.ts';
import { MIN_VALUES_FOR_NORMALITY, type AndersonDarling } from './normality/anderson-darling.ts';

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
 * Says whether the chosen rules are broken no more often than chance explains: the 95 % upper binomial bound of each rule.
 * @param points the number of points that the rules were applied to
 */
export function assessStability(points: number, rules: readonly RuleSetting[], hits: readonly RuleHit[]): 'yes' | 'no' | 'unknown' {
  if (points < MIN_POINTS_FOR_STABILITY) return 'unknown';
  const broken = rules.some((setting) => {
    const { rule } = setting;
    const count = isLimitRule(rule) ? hits.filter((hit) => hit.rule === rule).length : countRuns(hits, rule);
    return count > binomialQuantile(STABILITY_CONFIDENCE, points, falseAlarmRate(setting));
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
