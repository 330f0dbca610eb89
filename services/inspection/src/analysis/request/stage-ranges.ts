import type { EvaluationStage } from '@sinebar/contracts';
import type { ChartQuery } from '../analysis-parameters.ts';
import type { StageRange } from '../calculations/tasks.ts';
import { firstTimeFrom } from '../characteristic-values.ts';

/** A stage of the evaluation among the values that a request selects. */
export interface PlacedStage extends StageRange {
  readonly stage: EvaluationStage;
}

type BaselineQuery = Pick<ChartQuery, 'baselineFrom' | 'baselineTo'>;

const COMPUTED: EvaluationStage = { limits: { kind: 'computed' } };

/**
 * Finds the values of each stage, and those that its limits follow from: those from `baselineFrom` up to `baselineTo` of the request, else
 * those that the stage says. Values before the first stage are one that is computed.
 * @param times of the values; those without a time come before all others, and are in no baseline that names a time
 * @returns in ascending time, at least one
 */
export function stageRanges(times: Float64Array, query: BaselineQuery, stages: readonly EvaluationStage[]): PlacedStage[] {
  const starts = stages.map(({ from }) => (from === undefined ? 0 : firstTimeFrom(times, Date.parse(from))));
  const isCovered = stages[0] !== undefined && (stages[0].from === undefined || starts[0] === 0);
  const all = isCovered ? stages : [COMPUTED, ...stages];
  const firsts = isCovered ? starts : [0, ...starts];
  return all.map((stage, i) => {
    const [start, end] = [firsts[i]!, firsts[i + 1] ?? times.length];
    const { limits } = stage;
    return {
      stage,
      start,
      end,
      baseline: baselineOf(times, query, limits, [start, end]),
      ...(limits.kind === 'given' && { given: limits }),
    };
  });
}

function baselineOf(
  times: Float64Array,
  { baselineFrom, baselineTo }: BaselineQuery,
  limits: EvaluationStage['limits'],
  [start, end]: readonly [number, number],
): [number, number] {
  const named = limits.kind === 'baseline' ? limits : undefined;
  const fromMs = baselineFrom?.ms ?? (named && Date.parse(named.from));
  const toMs = baselineTo?.ms ?? (named && Date.parse(named.to));
  const from = fromMs !== undefined ? firstTimeFrom(times, fromMs) : toMs !== undefined ? firstTimeFrom(times, -Infinity) : start;
  const to = toMs === undefined ? end : firstTimeFrom(times, toMs);
  return [from, Math.max(from, to)];
}
