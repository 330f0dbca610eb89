import { ServiceError, type EvaluationStage, type EvaluationState } from '@sinebar/contracts';
import {
  CHART_TYPES,
  COUNT_CHARTS,
  DEFAULT_CUSUM,
  DEFAULT_EWMA,
  MAX_RANGE_GROUP_SIZE,
  type CountChartType,
  type ModelRequest,
} from '@sinebar/statistics';
import type { CharacteristicEvaluation } from '../../evaluation/evaluation-reader.ts';
import { parseRule } from '../../evaluation/rule-text.ts';
import {
  chartRequest,
  COUNTS_HAVE_NO_MODEL,
  MEMORY_CHARTS,
  type ChartQuery,
  type ModelQuery,
  type ValueSelectionQuery,
} from '../analysis-parameters.ts';
import type { ChartRequest, CountRequest } from '../calculations/tasks.ts';

/** What is computed: the evaluation, where parameters of the request do not say otherwise. */
export interface EvaluatedRequest {
  chart: ChartRequest;
  /** Present for a characteristic that counts, whose values are not charted as measured ones. */
  counts?: CountRequest;
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
 * @param areCounts whether the values are counts
 * @throws ServiceError 400 for parameters that do not go together
 */
export function evaluatedRequest(
  query: ChartQuery & ValueSelectionQuery & Partial<Pick<ModelQuery, 'model'>>,
  { members, unfittingChart }: CharacteristicEvaluation,
  hasAttribute: (key: number) => boolean,
  areCounts: boolean,
): EvaluatedRequest {
  const notes: string[] = [];
  if (unfittingChart !== undefined && query.chart === undefined) {
    const kind = areCounts ? 'measured values' : 'characteristics that count (attribute 12004 is 1, 5 or 6)';
    notes.push(`The chart ${unfittingChart} of the evaluation is one of ${kind}; ${members.chart} is drawn.`);
  }
  refuseOtherKind(query, areCounts);
  const replaced: [keyof EvaluationState, ...unknown[]][] = [
    ['chart', query.chart],
    ['subgroups', query.subgroup, query.subgroupBy],
    ['rules', query.rules],
    ['model', query.model],
    ['stages', query.baselineFrom, query.baselineTo],
    ['exclusions', query.exclude],
  ];
  const overridden = replaced.filter(([, ...given]) => given.some((parameter) => parameter !== undefined)).map(([member]) => member);
  const rules = query.rules ?? members.rules.map(parseRule).filter((rule) => typeof rule !== 'string');
  const stages = overridden.includes('stages') ? [] : members.stages;
  const common = { model: query.model ?? members.model, stages, overridden, notes };
  if (areCounts) {
    const type = countTypeOf(query.chart ?? members.chart);
    return { ...common, chart: chartRequest({ convention: query.convention, chart: 'individuals', rules }), counts: { type, rules } };
  }
  const { ofValues, ...subgroups } = overridden.includes('subgroups')
    ? { subgroup: query.subgroup, subgroupBy: query.subgroupBy }
    : subgroupsOf(members, hasAttribute, notes);
  const chart = query.chart ?? chartOf(members.chart, subgroups);
  const request = chartRequest({ ...query, ...subgroups, chart, rules });
  const limits = stages.at(-1)?.limits;
  return {
    ...common,
    chart: { ...request, ...memoryOf(chart, members), ...(ofValues && { ofValues }), ...(limits?.kind === 'given' && { given: limits }) },
  };
}

/** The type of a chart of counts; `u` where another chart is named. */
export function countTypeOf(chart: string): CountChartType {
  return COUNT_CHARTS.find((name) => name === chart) ?? 'u';
}

/** @throws ServiceError 400 for parameters that values of this kind do not have */
function refuseOtherKind(query: ChartQuery & Partial<Pick<ModelQuery, 'model'>>, areCounts: boolean): void {
  const refuse = (parameter: string, message: string) => new ServiceError('InvalidRequest', `Parameter ${parameter}: ${message}`);
  const { chart, subgroup, subgroupBy, sigma, model } = query;
  if (chart !== undefined && COUNT_CHARTS.some((name) => name === chart) !== areCounts) {
    throw refuse(
      'chart',
      areCounts
        ? `The characteristic counts (attribute 12004), so ${chart} does not fit it. Leave out chart, or give one of ${COUNT_CHARTS.join(', ')}.`
        : `The chart ${chart} is one of characteristics that count, whose attribute 12004 is 1, 5 or 6. Leave out chart, or give individuals.`,
    );
  }
  if (!areCounts) return;
  const given = [
    ...(subgroup !== undefined && subgroup > 1 ? ['subgroup'] : []),
    ...(subgroupBy !== undefined ? ['subgroupBy'] : []),
    ...(sigma !== undefined ? ['sigma'] : []),
  ];
  if (given[0] !== undefined) {
    throw refuse(given[0], `The characteristic counts (attribute 12004), so each measurement is a sample. Leave out ${given[0]}.`);
  }
  if (model !== undefined) throw new ServiceError('InvalidRequest', COUNTS_HAVE_NO_MODEL);
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
function chartOf(chart: string, { subgroup = 1, subgroupBy }: Subgroups): ChartQuery['chart'] {
  const memory = MEMORY_CHARTS.find((name) => name === chart);
  if (memory) return memory;
  const known = CHART_TYPES.find((type) => type === chart);
  const areSingle = subgroup === 1 && subgroupBy === undefined;
  const fits = (known === 'individuals') === areSingle && !(known === 'xbarR' && subgroup > MAX_RANGE_GROUP_SIZE);
  return fits ? known : undefined;
}
