import type { Session } from '@sinebar/database';
import type { EvaluationReader } from '../../evaluation/evaluation-reader.ts';
import type { ValueSelectionQuery } from '../analysis-parameters.ts';
import { statusLimitsOf } from '../analysed-characteristic.ts';
import type { Calculator } from '../calculations/calculator.ts';
import type { AssessmentResult } from '../calculations/tasks.ts';
import { byPart } from '../figures/part-figures.ts';
import type { PlannedCharacteristic } from '../figures/planned-characteristics.ts';
import type { SelectedReading } from '../figures/selected-figures.ts';
import { readAssessedCharacteristics } from './assessed-characteristics.ts';
import { assessmentTask, readAssessedSeries, type AssessedSeries } from './assessed-series.ts';
import { newestOutOfTolerance } from './newest-values.ts';

/** An assessment that is computed for one request. */
export interface ComputedAssessment extends AssessmentResult {
  /** Values out of tolerance among the newest ones. */
  outOfNewest: number;
}

/** Values that one task takes: between two of them other requests have their turn. */
const VALUES_PER_TASK = 200_000;

/** Reads the values of characteristics, part by part. @throws ServiceError 400 for too many */
export async function readSeriesToAssess(
  session: Session,
  characteristics: readonly PlannedCharacteristic[],
  query: ValueSelectionQuery,
  { evaluations, ...reading }: Omit<SelectedReading, 'selection'> & { evaluations: EvaluationReader; caseSensitive: boolean },
): Promise<AssessedSeries[]> {
  const series: AssessedSeries[] = [];
  for (const [partId, ofPart] of byPart(characteristics)) {
    const ids = ofPart.map(({ id }) => id);
    const assessed = await readAssessedCharacteristics(session, { evaluations, configuration: reading.configuration }, partId, ids);
    for (const one of await readAssessedSeries(session, assessed, query, reading)) series.push(one);
  }
  return series;
}

/** Assesses characteristics, by their ids. @throws the reason of the signal once it is aborted */
export async function computeAssessments(
  series: readonly AssessedSeries[],
  calculator: Calculator,
  signal: AbortSignal,
): Promise<Map<number, ComputedAssessment>> {
  const computed = new Map<number, ComputedAssessment>();
  for (let next = 0; next < series.length;) {
    const chunk: AssessedSeries[] = [];
    for (let count = 0; next < series.length && count < VALUES_PER_TASK; next += 1) {
      chunk.push(series[next]!);
      count += series[next]!.values.length;
    }
    // The task takes the values along.
    const outOfNewest = chunk.map(({ assessed, values }) => newestOutOfTolerance(values, statusLimitsOf(assessed.characteristic.limits)));
    const results = await calculator.run<'assessments'>({ kind: 'assessments', items: chunk.map((one) => assessmentTask(one)) }, signal);
    for (const [i, { assessed }] of chunk.entries()) {
      computed.set(assessed.characteristic.id, { ...results[i]!, outOfNewest: outOfNewest[i]! });
    }
  }
  return computed;
}
