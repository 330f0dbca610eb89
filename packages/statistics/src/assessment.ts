import type { Index } from './capability/indices.ts';
import { MIN_VALUES_FOR_NORMALITY, type AndersonDarling } from './normality/anderson-darling.ts';
import type { Stable } from './stability/verdict.ts';

export type Normal = 'yes' | 'nearly' | 'no' | 'unknown';
/** `notStable`: the index would do, but the process is not stable, so it promises nothing. */
export type Capable = 'yes' | 'uncertain' | 'no' | 'notStable' | 'unknown';

const SIGNIFICANCE = 0.05;

/** Values whose probability plot correlates this much are close enough to normal for the indices. */
const NEARLY_NORMAL = 0.995;

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
 * The answer is at most uncertain without a confidence interval, and where no model fits the values.
 */
export function assessCapability(ppk: Index | undefined, required: number, stable: Stable, isModelRejected = false): Capable {
  if (!ppk) return 'unknown';
  if (ppk.value < required) return 'no';
  if (stable === 'no') return 'notStable';
  return !isModelRejected && ppk.lower !== undefined && ppk.lower >= required ? 'yes' : 'uncertain';
}
