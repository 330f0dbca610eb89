import type { EvaluationStage } from '@sinebar/contracts';
import type { ChartQuery } from '../analysis-parameters.ts';
import { firstTimeFrom } from '../series.ts';

/**
 * Finds the values that limits follow from, and the first one that they hold for: those from `baselineFrom` up to `baselineTo`, else those
 * that the newest stage says.
 */
export function baselineOf(
  times: Float64Array,
  { baselineFrom, baselineTo }: Pick<ChartQuery, 'baselineFrom' | 'baselineTo'>,
  stages: readonly EvaluationStage[],
): { baseline: [number, number]; stageStart: number } {
  const stage = stages.at(-1);
  const stageStart = stage?.from === undefined ? 0 : firstTimeFrom(times, Date.parse(stage.from));
  const named = stage?.limits.kind === 'baseline' ? stage.limits : undefined;
  const fromMs = baselineFrom?.ms ?? (named && Date.parse(named.from));
  const toMs = baselineTo?.ms ?? (named && Date.parse(named.to));
  // Measurements without a time come first and are in no baseline that names a time.
  const from = fromMs !== undefined ? firstTimeFrom(times, fromMs) : toMs !== undefined ? firstTimeFrom(times, -Infinity) : stageStart;
  const to = toMs === undefined ? times.length : firstTimeFrom(times, toMs);
  return { baseline: [from, Math.max(from, to)], stageStart };
}
