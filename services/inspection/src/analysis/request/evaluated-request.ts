import type { EvaluationStage, EvaluationState } from '@sinebar/contracts';
import { CHART_TYPES, DEFAULT_CUSUM, DEFAULT_EWMA, MAX_RANGE_GROUP_SIZE, type ModelRequest } from '@sinebar/statistics';
import { usualChart } from '../../evaluation/chart-choice.ts';
import type { CharacteristicEvaluation } from '../../evaluation/evaluation-reader.ts';
import { parseRule } from '../../evaluation/rule-text.ts';
import { chartRequest, MEMORY_CHARTS, type ChartQuery, type ModelQuery, type ValueSelectionQuery } from '../analysis-parameters.ts';
import type { ChartRequest } from '../calculations/tasks.ts';

/** What is computed: the evaluation, where parameters of the request do not say otherwise. */
export interface EvaluatedRequest {
  chart: ChartRequest;
  model: ModelRequest;
  /** In ascending time; empty where the request names a baseline. */
  stages: readonly EvaluationStage[];
  /** Members of the evaluation that the request replaces. */
  overridden: (keyof EvaluationState)[];
  notes: string[];
}

type Subgroups = Pick<ChartQuery, 'subgroup' | 'subgroupBy'> & { ofValues?: boolean };

/**
 * @param hasAttribute whether measurements have the attribute of this key
 * @throws ServiceError 400 for parameters that do not go together
 */
export function evaluatedRequest(
  query: ChartQuery & ValueSelectionQuery & Partial<Pick<ModelQuery, 'model'>>,
  { members }: CharacteristicEvaluation,
  hasAttribute: (key: number) => boolean,
): EvaluatedRequest {
  const notes: string[] = [];
  const replaced: [keyof EvaluationState, ...unknown[]][] = [
    ['chart', query.chart],
    ['subgroups', query.subgroup, query.subgroupBy],
    ['rules', query.rules],
    ['model', query.model],
    ['stages', query.baselineFrom, query.baselineTo],
    ['exclusions', query.exclude],
  ];
  const overridden = replaced.filter(([, ...given]) => given.some((parameter) => parameter !== undefined)).map(([member]) => member);
  const { ofValues, ...subgroups } = overridden.includes('subgroups')
    ? { subgroup: query.subgroup, subgroupBy: query.subgroupBy }
    : subgroupsOf(members, hasAttribute, notes);
  const chart = query.chart ?? chartOf(members.chart, subgroups, notes);
  const rules = query.rules ?? members.rules.map(parseRule).filter((rule) => typeof rule !== 'string');
  const request = chartRequest({ ...query, ...subgroups, chart, rules });
  const stages = overridden.includes('stages') ? [] : members.stages;
  const limits = stages.at(-1)?.limits;
  return {
    chart: { ...request, ...memoryOf(chart, members), ...(ofValues && { ofValues }), ...(limits?.kind === 'given' && { given: limits }) },
    model: query.model ?? members.model,
    stages,
    overridden,
    notes,
  };
}

function subgroupsOf(
  { subgroups: { size, by, of } }: CharacteristicEvaluation['members'],
  hasAttribute: (key: number) => boolean,
  notes: string[],
): Subgroups {
  if (by === undefined) return { subgroup: size, ofValues: of === 'values' };
  if (hasAttribute(by)) return { subgroupBy: by };
  notes.push(`Measurements have no attribute ${by}, by which the evaluation makes subgroups; single values are charted.`);
  return { subgroup: 1 };
}

function memoryOf(
  chart: ChartQuery['chart'],
  { ewma = DEFAULT_EWMA, cusum = DEFAULT_CUSUM, target }: CharacteristicEvaluation['members'],
): Pick<ChartRequest, 'memory'> {
  if (chart !== 'ewma' && chart !== 'cusum') return {};
  return { memory: { settings: chart === 'ewma' ? { ewma } : { cusum }, ...(target !== undefined && { target }) } };
}

/** @returns undefined where the usual chart is wanted */
function chartOf(chart: string, { subgroup = 1, subgroupBy }: Subgroups, notes: string[]): ChartQuery['chart'] {
  const memory = MEMORY_CHARTS.find((name) => name === chart);
  if (memory) return memory;
  const known = CHART_TYPES.find((type) => type === chart);
  const areSingle = subgroup === 1 && subgroupBy === undefined;
  if (known === undefined) {
    const usual = subgroupBy === undefined ? usualChart({ size: subgroup }) : 'the usual one';
    notes.push(`The chart ${chart} is not drawn here; ${usual} is.`);
    return undefined;
  }
  const fits = (known === 'individuals') === areSingle && !(known === 'xbarR' && subgroup > MAX_RANGE_GROUP_SIZE);
  return fits ? known : undefined;
}
