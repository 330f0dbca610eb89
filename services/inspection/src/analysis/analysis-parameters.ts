import { ServiceError } from '@sinebar/contracts';
import { uuidListParameter } from '@sinebar/http';
import { parseList, type Condition } from '@sinebar/query-language';
import {
  CHART_TYPES,
  CONVENTIONS,
  COUNT_CHARTS,
  DEFAULT_CONTENT,
  fitsChart,
  MAX_GROUP_SIZE,
  MAX_RANGE_GROUP_SIZE,
  MODEL_REQUESTS,
  NELSON_RULES,
  refusalOfModel,
  RUN_RULES,
  SIGMA_METHODS,
  usualRule,
  WESTERN_ELECTRIC_RULES,
  type RuleSetting,
  type RunRule,
  type SpecificationLimits,
} from '@sinebar/statistics';
import { z } from 'zod';
import { TIME_KEY } from '../configuration/configuration.ts';
import { parseRule } from '../evaluation/rule-text.ts';
import { dateParameter, wholeNumberParameter } from '../shared/parameters.ts';
import { limitedSelectionQuery, measurementSelection, wordParameter } from '../measurements/selection/measurement-parameters.ts';
import type { MeasurementSelection } from '../measurements/selection/measurement-selection.ts';
import type { ChartRequest } from './calculations/tasks.ts';

export const oneOf = <T extends string>(words: readonly T[]) => wordParameter<T>(Object.fromEntries(words.map((word) => [word, word])));

export const wholeNumber = wholeNumberParameter;

/** Parses a time; `ms` counts since 1970. */
const timeParameter = dateParameter.transform(({ text, instant }) => ({ text, ms: instant.epochMs + instant.nanoseconds / 1e6 }));

const confidenceParameter = z
  .string()
  .regex(/^\s*0?\.\d{1,6}\s*$/, 'must be a number between 0.5 and 0.999999, such as 0.95')
  .transform(Number)
  .refine((confidence) => confidence >= 0.5, 'must be a number between 0.5 and 0.999999, such as 0.95');

const RULE_WORDS: ReadonlyMap<string, readonly RunRule[]> = new Map<string, readonly RunRule[]>([
  ['nelson', NELSON_RULES],
  ['westernelectric', WESTERN_ELECTRIC_RULES],
]);

/** A list of rules, `nelson` and `westernElectric` standing for all of theirs; of a rule that is named twice, the last one counts. */
const rulesParameter = z.string().transform((text, context) => {
  const wanted = new Map<RunRule, RuleSetting>();
  for (const word of parseList(text)) {
    const all = RULE_WORDS.get(word.trim().toLowerCase());
    const parsed = all ? all.map(usualRule) : parseRule(word);
    if (typeof parsed === 'string') {
      context.addIssue({ code: 'custom', message: `must be a list of nelson, westernElectric or single rules, but ${parsed}` });
      return z.NEVER;
    }
    for (const setting of [parsed].flat()) wanted.set(setting.rule, setting);
  }
  return RUN_RULES.flatMap((rule) => wanted.get(rule) ?? []);
});

const { searchCondition, caseSensitive, aggregation, fromModificationDate, toModificationDate, limitResult } = limitedSelectionQuery;

/** Parameters that select values; all conditions have to be met. */
export const valueSelectionQuery = {
  searchCondition,
  caseSensitive,
  aggregation,
  fromModificationDate,
  toModificationDate,
  limitResult,
  from: timeParameter.optional(),
  to: timeParameter.optional(),
  exclude: uuidListParameter.optional(),
};
export type ValueSelectionQuery = z.output<z.ZodObject<typeof valueSelectionQuery>>;

export const confidenceQuery = { confidence: confidenceParameter.default(0.95) };

const modelParameter = oneOf(MODEL_REQUESTS).optional();

export const modelQuery = { model: modelParameter, content: confidenceParameter.default(DEFAULT_CONTENT) };
export type ModelQuery = z.output<z.ZodObject<typeof modelQuery>>;

export const COUNTS_HAVE_NO_MODEL = 'Parameter model: The characteristic counts (attribute 12004), so no model is fitted. Leave out model.';

/** @throws ServiceError 400 for a model that needs a natural boundary, without one */
export function checkModel(model: ModelQuery['model'], limits: SpecificationLimits): void {
  const refusal = model && refusalOfModel(model, limits);
  if (refusal !== undefined) throw new ServiceError('InvalidRequest', `Parameter model: ${refusal} Set attribute 2120 or 2121 to 2.`);
}

/** Charts that remember earlier points; the chart of values or subgroups stands behind them. */
export const MEMORY_CHARTS = ['ewma', 'cusum'] as const;

export const chartQuery = {
  subgroup: wholeNumber(1, MAX_GROUP_SIZE).optional(),
  subgroupBy: wholeNumber(0, 65_535).optional(),
  chart: oneOf([...CHART_TYPES, ...MEMORY_CHARTS, ...COUNT_CHARTS]).optional(),
  sigma: oneOf(SIGMA_METHODS).optional(),
  rules: rulesParameter.optional(),
  baselineFrom: timeParameter.optional(),
  baselineTo: timeParameter.optional(),
  convention: oneOf(CONVENTIONS).default('aiagVda'),
};
export type ChartQuery = z.output<z.ZodObject<typeof chartQuery>>;

export const seriesQuery = {
  model: modelParameter,
  points: wholeNumber(2, 10_000).default(2000),
  newest: wholeNumber(0, 100).default(0),
  shownFrom: timeParameter.optional(),
  shownTo: timeParameter.optional(),
};
export type SeriesQuery = z.output<z.ZodObject<typeof seriesQuery>>;

export const probabilityPointsParameter = wholeNumber(2, 10_000).default(500);

/** @throws ServiceError 400 for parameters that do not go together */
export function chartRequest({ subgroup = 1, subgroupBy, chart: wanted, sigma, rules = [] }: ChartQuery): ChartRequest {
  const chart = CHART_TYPES.find((type) => type === wanted);
  const areSingle = subgroup === 1 && subgroupBy === undefined;
  const groups = subgroupBy === undefined ? `subgroups of ${subgroup}` : `subgroups by attribute ${subgroupBy}`;
  const refuse = (parameter: string, message: string) => new ServiceError('InvalidRequest', `Parameter ${parameter}: ${message}`);
  if (subgroupBy !== undefined && subgroup > 1) {
    throw refuse('subgroupBy', 'Subgroups follow from an attribute or from their size. Leave out subgroup or subgroupBy.');
  }
  if (subgroupBy === TIME_KEY) throw refuse('subgroupBy', 'The time of measurement makes no subgroups. Give the key of another attribute.');
  if (chart !== undefined && (chart === 'individuals') !== areSingle) {
    const remedy = areSingle ? `Give subgroup from 2 to ${MAX_GROUP_SIZE}, or subgroupBy.` : 'Leave out chart, or give xbarR or xbarS.';
    throw refuse('chart', `The chart ${chart} does not go with ${groups}. ${remedy}`);
  }
  const type = chart ?? (areSingle ? 'individuals' : undefined);
  if (sigma !== undefined && !fitsChart(type ?? 'xbarS', sigma)) {
    const fitting = SIGMA_METHODS.filter((method) => fitsChart(type ?? 'xbarS', method)).join(', ');
    throw refuse(
      'sigma',
      `The method ${sigma} does not go with ${type === undefined ? groups : `the chart ${type}`}. Give one of ${fitting}.`,
    );
  }
  if (subgroup > MAX_RANGE_GROUP_SIZE && (chart === 'xbarR' || sigma === 'rbar')) {
    const message = `Ranges of ${subgroup} values are not judged, only those of up to ${MAX_RANGE_GROUP_SIZE}.`;
    throw refuse(chart === 'xbarR' ? 'chart' : 'sigma', `${message} Give ${chart === 'xbarR' ? 'xbarS' : 'sbar or pooled'}.`);
  }
  return {
    ...(type !== undefined && { type }),
    subgroupSize: subgroup,
    ...(subgroupBy !== undefined && { subgroupBy }),
    ...(sigma !== undefined && { sigmaMethod: sigma }),
    rules,
  };
}

/** What a chart of subgroups reads: all measurements of a kind, of which conditions and ranges choose afterwards. */
export interface GroupedSelection {
  /** All measurements of the kind. */
  readonly all: MeasurementSelection;
  /** Conditions that a measurement may fail inside its subgroup; absent where there are none. */
  readonly conditions?: MeasurementSelection;
  /** Times from which and before which subgroups are taken whole, in milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Number of the newest measurements whose subgroups are taken whole. */
  readonly limit?: number;
}

/** Selects the measurements of one part for subgroups that keep their members. */
export function groupedSelection(partUuid: string, query: ValueSelectionQuery, caseSensitive: boolean): GroupedSelection {
  const { from, to, limitResult, ...others } = query;
  const all = valueSelection(partUuid, { aggregation: query.aggregation }, caseSensitive);
  const conditions = valueSelection(partUuid, others, caseSensitive);
  const hasConditions = [conditions.search, conditions.fromModificationDate, conditions.toModificationDate].some(
    (one) => one !== undefined,
  );
  return {
    all,
    ...(hasConditions && { conditions }),
    ...(from && { from: from.ms }),
    ...(to && { to: to.ms }),
    ...(limitResult !== undefined && { limit: limitResult }),
  };
}

/** Selects the measurements of one part whose values are read, newest first. */
export function valueSelection(partUuid: string, query: ValueSelectionQuery, caseSensitive: boolean): MeasurementSelection {
  // An `order` of the request is that of its answer, not of the measurements.
  const selection = measurementSelection({ ...query, order: undefined, partUuids: [partUuid], deep: false }, caseSensitive);
  const times = [...timeCondition('>=', query.from), ...timeCondition('<', query.to)];
  if (times.length === 0) return selection;
  return { ...selection, search: { conditions: [...(selection.search?.conditions ?? []), ...times] } };
}

function timeCondition(operator: '>=' | '<', time: ValueSelectionQuery['from']): Condition[] {
  if (!time) return [];
  return [{ field: { kind: 'attribute', key: TIME_KEY }, operator, values: [time.text], position: 0, valuePositions: [0] }];
}
