import type { CharacteristicSeries, CharacteristicSummary } from '@sinebar/contracts';
import type { SpecificationLimits, Stability } from '@sinebar/statistics';
import type { ChartQuery } from '../analysis-parameters.ts';
import type { Calculator } from '../calculations/calculator.ts';
import type { CountChartFigures, CountPointFigures } from '../calculations/count-figures.ts';
import type { ListedHit } from '../calculations/chart.ts';
import type { CountRequest } from '../calculations/tasks.ts';
import type { IdentifiedValues } from '../characteristic-values.ts';
import { describeBaseline, shownStages } from '../request/measured-values.ts';
import { stageRanges, type PlacedStage } from '../request/stage-ranges.ts';
import type { EvaluatedRequest } from '../request/evaluated-request.ts';

/** What figures of counts follow from. */
export interface CountInput {
  /** Counts with the sizes of their samples, without missing ones. */
  readonly measured: IdentifiedValues;
  readonly query: ChartQuery;
  readonly stages: EvaluatedRequest['stages'];
  readonly counts: CountRequest;
  readonly calculator: Calculator;
  readonly signal: AbortSignal;
}

/** Figures of a summary, as those of measured values. */
export interface CountSummary {
  readonly figures: Pick<CharacteristicSummary, 'count' | 'counts'> & Partial<CharacteristicSummary>;
  readonly assessment: Omit<CharacteristicSummary['assessment'], 'required'>;
  readonly stability: Stability | undefined;
  readonly notes: readonly string[];
}

/** Computes the summary of a characteristic that counts. */
export async function summarizeCounts(
  input: CountInput,
  { statusLimits, confidence }: { statusLimits: SpecificationLimits; confidence: number },
): Promise<CountSummary> {
  const { measured, counts, calculator, signal } = input;
  const stages = stageRanges(measured.times, input.query, input.stages);
  const { chart, stability, notes, rate, ...figures } = await calculator.run<'countSummary'>(
    { kind: 'countSummary', ...taskOf(measured, stages, counts), statusLimits, confidence },
    signal,
  );
  return {
    figures: {
      ...figures,
      ...(chart && { countChart: { ...chart, baseline: describeBaseline(measured, stages.at(-1)!.baseline) } }),
      ...(rate && { rate }),
    },
    assessment: { stable: stability?.stable ?? 'unknown', normal: 'unknown', capable: 'unknown' },
    stability,
    notes,
  };
}

/** The chart of a series of counts. */
export interface CountSeries {
  readonly chart: (CountChartFigures & { baseline: ReturnType<typeof describeBaseline> }) | undefined;
  readonly points: readonly CountPointFigures[];
  readonly hits: readonly ListedHit[];
  readonly stages: CharacteristicSeries['stages'];
  readonly notes: readonly string[];
}

/** Computes the chart of a characteristic that counts. */
export async function chartCounts(
  input: CountInput,
  shown: { shown: readonly [number, number]; mostHits: number; mostPoints: number },
): Promise<CountSeries> {
  const { measured, counts, calculator, signal } = input;
  const stages = stageRanges(measured.times, input.query, input.stages);
  const { stages: found, ...result } = await calculator.run<'countChart'>(
    { kind: 'countChart', ...taskOf(measured, stages, counts), ...shown },
    signal,
  );
  const charts = found.map((figures, i) => figures && { ...figures, baseline: describeBaseline(measured, stages[i]!.baseline) });
  const ofStages = charts.map((countChart) => ({ ...(countChart && { countChart }) }));
  return { ...result, chart: charts.at(-1), stages: input.stages.length > 0 ? shownStages(stages, measured, ofStages) : undefined };
}

/** Copies what the task takes along. */
function taskOf({ values, sizes }: IdentifiedValues, stages: readonly PlacedStage[], chart: CountRequest) {
  return {
    values: values.slice(),
    sizes: sizes?.slice() ?? new Float64Array(values.length).fill(NaN),
    chart,
    stages: stages.map(({ start, end, baseline, given }) => ({ start, end, baseline, given })),
  };
}
