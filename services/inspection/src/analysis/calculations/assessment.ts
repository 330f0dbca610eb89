import type { ProcessStatus } from '@sinebar/contracts';
import {
  assessCapability,
  countStatuses,
  evaluateCapability,
  fittedModel,
  keptModelOf,
  momentsOf,
  percentilesOf,
  type CapabilityEvaluation,
  type ModelChoice,
  type Moments,
  type Stable,
} from '@sinebar/statistics';
import { plot, type PlottedChart } from './chart.ts';
import { chooseWithEarlier } from './earlier-model.ts';
import { countPoints } from './judgement.ts';
import type { AssessedValues, AssessmentResult, AssessmentsTask, SummaryFigures } from './tasks.ts';

type Capable = SummaryFigures['assessment']['capable'];

/** The model, stability and capability of values. */
export interface Assessment {
  readonly plotted: PlottedChart | undefined;
  readonly evaluation: CapabilityEvaluation;
  readonly stable: Stable;
  readonly capable: Capable;
  readonly choice: ModelChoice;
  /** Whether the model is one that was kept. */
  readonly isKept: boolean;
}

/** Assesses values in the same way for their page and for tables. @param counts of the values by their status */
export function assessValues(input: AssessedValues, moments: Moments, counts: SummaryFigures['counts']): Assessment {
  const { values, chart: request, limits, model, earlier } = input;
  const { choice, isKept } = chooseWithEarlier(values, moments, { limits, request: model, earlier });
  const plotted = plot(input, request, { limits, choice });
  // Equal values, as of a gauge that is stuck, say nothing about the process.
  const stable = moments.standardDeviation === 0 ? 'unknown' : (plotted?.stability.stable ?? 'unknown');
  const evaluation = evaluateCapability({
    values,
    moments,
    limits,
    // A spread that is given says nothing about these values.
    within: plotted && !request.given ? { sigma: plotted.chart.sigma, degreesOfFreedom: plotted.degreesOfFreedom } : undefined,
    convention: input.convention,
    confidence: input.confidence,
    choice,
    request: model,
    requestedBy: input.modelRequestedBy,
  });
  return { plotted, evaluation, stable, capable: capableOf(evaluation, moments, counts, input.requiredCapability, stable), choice, isKept };
}

/** Without an index, equal values are judged by where they are. */
function capableOf(
  { capability, isModelRejected }: CapabilityEvaluation,
  { standardDeviation }: Moments,
  { belowTolerance, aboveTolerance }: SummaryFigures['counts'],
  required: number,
  stable: Stable,
): Capable {
  if (standardDeviation === 0 && belowTolerance + aboveTolerance > 0) return 'no';
  return assessCapability(capability?.pk, required, stable, isModelRejected);
}

const PROCESS: Readonly<Record<Capable, ProcessStatus>> = {
  yes: 'capable',
  uncertain: 'uncertain',
  no: 'notCapable',
  notStable: 'notStable',
  unknown: 'unknown',
};

/** Assesses characteristics one after another. */
export function assessCharacteristics({ items }: AssessmentsTask): AssessmentResult[] {
  return items.map((item) => {
    const { values, statusLimits, grouping } = item;
    const moments = momentsOf(values);
    if (!moments || item.areCounts) return { process: 'unknown', isKept: false, stable: 'unknown' };
    const starts = grouping?.starts;
    const { choice, isKept, plotted, stable, capable } = assessValues(item, moments, countStatuses(values, statusLimits));
    const since = plotted?.stability.since;
    const { fit } = choice;
    return {
      process: PROCESS[capable],
      ...(fit && fit.name !== 'normal' && { percentiles: percentilesOf(fittedModel(fit)) }),
      model: keptModelOf(choice, moments.count),
      isKept,
      stable,
      ...(plotted && !item.chart.given && { limits: { control: plotted.control, points: countPoints(item) } }),
      ...(since && { since: { ...since, index: starts ? starts[since.index]! : since.index } }),
    };
  });
}
