import { ServiceError } from '@sinebar/contracts';
import { quoted, uuidListParameter } from '@sinebar/http';
import { parseList, type Condition } from '@sinebar/query-language';
import {
  CHART_TYPES,
  CONVENTIONS,
  DEFAULT_SIGMA_METHOD,
  fitsChart,
  MAX_SUBGROUP_SIZE,
  NELSON_RULES,
  RULES,
  RUN_RULES,
  SIGMA_METHODS,
  usualRule,
  WESTERN_ELECTRIC_RULES,
  type ChartType,
  type RuleSetting,
  type RunRule,
} from '@sinebar/statistics';
import { z } from 'zod';
import { TIME_KEY } from '../configuration/configuration.ts';
import { dateParameter } from '../shared/parameters.ts';
import { limitedSelectionQuery, measurementSelection, wordParameter } from '../measurements/selection/measurement-parameters.ts';
import type { MeasurementSelection } from '../measurements/selection/measurement-selection.ts';
import type { ChartRequest } from './calculations/tasks.ts';

export const oneOf = <T extends string>(words: readonly T[]) => wordParameter<T>(Object.fromEntries(words.map((word) => [word, word])));

export function wholeNumber(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, message)
    .transform(Number)
    .refine((number) => number >= least && number <= most, message);
}

/** Parses a time; `ms` counts since 1970. */
const timeParameter = dateParameter.transform(({ text, instant }) => ({ text, ms: instant.epochMs + instant.nanoseconds / 1e6 }));

const confidenceParameter = z
  .string()
  .regex(/^\s*0?\.\d{1,6}\s*$/, 'must be a number between 0.5 and 0.999999, such as 0.95')
  .transform(Number)
  .refine((confidence) => confidence >= 0.5, 'must be a number between 0.5 and 0.999999, such as 0.95');

const RULE_WORDS: ReadonlyMap<string, readonly RunRule[]> = new Map<string, readonly RunRule[]>([
  ...RUN_RULES.map((rule): [string, readonly RunRule[]] => [rule.toLowerCase(), [rule]]),
  ['nelson', NELSON_RULES],
  ['westernelectric', WESTERN_ELECTRIC_RULES],
]);

/** A list of rules, `nelson` and `westernElectric` standing for all of theirs; a length may follow the name of a rule. */
const rulesParameter = z.string().transform((text, context) => {
  const wanted = new Map<RunRule, RuleSetting>();
  for (const word of parseList(text)) {
    const [name = '', lengthText, ...rest] = word.trim().split(':');
    const rules = RULE_WORDS.get(name.trim().toLowerCase());
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (!rules || rest.length > 0) {
      return refuse(`must be a list of nelson, westernElectric, ${RUN_RULES.join(', ')}; ${quoted(word)} is none`);
    }
    for (const rule of rules) wanted.set(rule, usualRule(rule));
    if (lengthText === undefined) continue;
    const [rule] = rules as [RunRule];
    const [least, most] = RULES[rule].lengths;
    const length = /^\d{1,3}$/.test(lengthText.trim()) ? Number(lengthText) : NaN;
    if (rules.length > 1 || least === most) return refuse(`must give no length for ${quoted(name)}, but has ${quoted(word)}`);
    if (!(length >= least && length <= most)) {
      return refuse(`must give ${rule} a whole number of points from ${least} to ${most}, such as ${rule}:${RULES[rule].length}`);
    }
    wanted.set(rule, { rule, length });
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

export const chartQuery = {
  subgroup: wholeNumber(1, MAX_SUBGROUP_SIZE).default(1),
  chart: oneOf(CHART_TYPES).optional(),
  sigma: oneOf(SIGMA_METHODS).optional(),
  rules: rulesParameter.default([usualRule('nelson1')]),
  baselineFrom: timeParameter.optional(),
  baselineTo: timeParameter.optional(),
  convention: oneOf(CONVENTIONS).default('aiagVda'),
};
export type ChartQuery = z.output<z.ZodObject<typeof chartQuery>>;

export const seriesQuery = {
  points: wholeNumber(2, 10_000).default(2000),
  newest: wholeNumber(0, 100).default(0),
  shownFrom: timeParameter.optional(),
  shownTo: timeParameter.optional(),
};
export type SeriesQuery = z.output<z.ZodObject<typeof seriesQuery>>;

export const probabilityPointsParameter = wholeNumber(2, 10_000).default(500);

/** Subgroups of more values have a chart of standard deviations: their range leaves out too much of what is known. */
const MAX_RANGE_SUBGROUP = 10;

/** @throws ServiceError 400 for parameters that do not go together */
export function chartRequest({ subgroup, chart, sigma, rules, convention }: ChartQuery): ChartRequest {
  const type = chart ?? defaultChart(subgroup);
  if ((type === 'individuals') !== (subgroup === 1)) {
    const remedy = subgroup === 1 ? `Give subgroup from 2 to ${MAX_SUBGROUP_SIZE}.` : 'Leave out chart, or give xbarR or xbarS.';
    throw new ServiceError('InvalidRequest', `Parameter chart: The chart ${type} does not go with subgroups of ${subgroup}. ${remedy}`);
  }
  const sigmaMethod = sigma ?? DEFAULT_SIGMA_METHOD[type];
  if (!fitsChart(type, sigmaMethod)) {
    const fitting = SIGMA_METHODS.filter((method) => fitsChart(type, method)).join(', ');
    throw new ServiceError(
      'InvalidRequest',
      `Parameter sigma: The method ${sigmaMethod} does not go with the chart ${type}. Give one of ${fitting}.`,
    );
  }
  return { type, subgroupSize: subgroup, sigmaMethod, unbiased: convention === 'minitab', rules };
}

function defaultChart(subgroup: number): ChartType {
  if (subgroup === 1) return 'individuals';
  return subgroup <= MAX_RANGE_SUBGROUP ? 'xbarR' : 'xbarS';
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
