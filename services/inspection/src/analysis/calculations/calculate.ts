import type { CorrelationAnswer } from '@sinebar/contracts';
import { correlationWithInterval, fitLine, probabilityPlot, sortValues, spearman, type ProbabilityPlot } from '@sinebar/statistics';
import { assessCharacteristics } from './assessment.ts';
import { calculateChart, type ChartResult } from './chart.ts';
import { calculateCountChart, calculateCountSummary, type CountChartResult, type CountSummaryFigures } from './count-figures.ts';
import { judgeAll } from './judgement.ts';
import { calculateSummary } from './summary.ts';
import type { AssessmentResult, AssignmentResult, CorrelationTask, GroupsResult, Judgement, SummaryFigures, Task } from './tasks.ts';
import { assignValues, calculateGroups } from './value-groups.ts';

/** Most points of a correlation in an answer. */
const MAX_PAIRS = 5000;

export interface Results {
  summary: SummaryFigures;
  chart: ChartResult;
  probability: ProbabilityPlot;
  correlation: CorrelationAnswer;
  countSummary: CountSummaryFigures;
  countChart: CountChartResult;
  assignment: AssignmentResult;
  groups: GroupsResult;
  assessments: AssessmentResult[];
  judgements: Judgement[];
}

/** Runs one task, which may change its values; the worker threads run this function, too. */
export function calculate<K extends Task['kind']>(task: Extract<Task, { kind: K }>): Results[K];
export function calculate(task: Task): Results[Task['kind']] {
  switch (task.kind) {
    case 'summary':
      return calculateSummary(task);
    case 'chart':
      return calculateChart(task);
    case 'probability': {
      const sorted = sortValues(task.values);
      return sorted.length === 0 ? { points: [] } : probabilityPlot(sorted, task.points);
    }
    case 'correlation':
      return calculateCorrelation(task);
    case 'countSummary':
      return calculateCountSummary(task);
    case 'countChart':
      return calculateCountChart(task);
    case 'assignment':
      return assignValues(task.values, task.keys);
    case 'groups':
      return calculateGroups(task);
    case 'assessments':
      return assessCharacteristics(task);
    case 'judgements':
      return judgeAll(task);
  }
}

function calculateCorrelation({ first, second, confidence }: CorrelationTask): CorrelationAnswer {
  const count = first.length;
  const pearson = correlationWithInterval(first, second, confidence);
  const rank = spearman(first, second);
  const line = fitLine(first, second);
  const sent = Math.min(count, MAX_PAIRS);
  const points = Array.from({ length: sent }, (_, i): [number, number] => {
    const index = sent === count ? i : Math.round((i * (count - 1)) / (sent - 1));
    return [first[index]!, second[index]!];
  });
  return { count, ...(pearson && { pearson }), ...(rank !== undefined && { spearman: rank }), ...(line && { line }), points };
}
