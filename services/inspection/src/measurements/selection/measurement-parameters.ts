import { ServiceError } from '@sinebar/contracts';
import { isAttributeKey, parseList, parseOrder } from '@sinebar/query-language';
import { booleanParameter, grammarParameter, quoted, uuidListParameter, uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { partPathParameter, searchConditionParameter, timestampParameter } from '../../shared/parameters.ts';
import type { MeasurementKinds, MeasurementMerge, MeasurementSelection } from './measurement-selection.ts';

/** A parameter that is one of some words, in any case. */
export function wordParameter<T>(words: Readonly<Record<string, T>>): z.ZodType<T, string> {
  const byLowerCase = new Map(Object.entries(words).map(([word, value]) => [word.toLowerCase(), value]));
  return z.string().transform((text, context) => {
    const value = byLowerCase.get(text.trim().toLowerCase());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `must be one of ${Object.keys(words).join(', ')}, not ${quoted(text)}` });
    return z.NEVER;
  });
}

/** Parses a number of results; a negative number means no limit (spec: decisions.md 5.8). */
const limitParameter = z
  .string()
  .regex(/^\s*[+-]?\d{1,15}\s*$/, 'must be a whole number')
  .transform((text) => (Number(text) < 0 ? undefined : Number(text)));

/** spec: inspection-service.md, Measurements; decisions.md 5.6 */
export const aggregationParameter = wordParameter<MeasurementKinds>({
  Measurements: 'measurements',
  Default: 'measurements',
  AggregationMeasurements: 'aggregations',
  All: 'all',
});

export const statisticsParameter = wordParameter<'none' | 'simple' | 'detailed'>({ None: 'none', Simple: 'simple', Detailed: 'detailed' });
export type MeasurementStatistics = z.output<typeof statisticsParameter>;

const orderParameter = grammarParameter(parseOrder);
const DEFAULT_ORDER = parseOrder('4 desc');

const mergeAttributesParameter = z.string().transform((text, context) => {
  const keys = parseList(text);
  const wrong = keys.find((key) => !isAttributeKey(key));
  const message =
    wrong !== undefined
      ? `must be the key of an attribute (0 to 65535), not ${quoted(wrong)}`
      : `must name one attribute; merging by ${keys.length} is not possible`;
  if (wrong === undefined && keys.length === 1) return Number(keys[0]);
  // An empty list means no merging.
  if (keys.length === 0) return undefined;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const mergeConditionParameter = wordParameter<MeasurementMerge['condition']>({
  None: 'none',
  MeasurementsInAtLeastTwoParts: 'atLeastTwoParts',
  MeasurementsInAllParts: 'allParts',
});

/** Restrictions that reading and deleting share. */
export const measurementRestrictions = {
  measurementUuids: uuidListParameter.optional(),
  partUuids: uuidListParameter.optional(),
  partPath: partPathParameter.optional(),
  searchCondition: searchConditionParameter.optional(),
  caseSensitive: booleanParameter.optional(),
  aggregation: aggregationParameter.default('measurements'),
};

/** Query parameters of a count of measurements: those of the lists that select. */
export const countedSelectionQuery = {
  ...measurementRestrictions,
  deep: booleanParameter.default(false),
  fromModificationDate: timestampParameter.optional(),
  toModificationDate: timestampParameter.optional(),
};

/**
 * Query parameters of every route that selects measurements to read. spec: inspection-service.md, Measurements,
 * distinctMeasurementAttributeValues
 */
export const limitedSelectionQuery = {
  ...countedSelectionQuery,
  order: orderParameter.optional(),
  limitResult: limitParameter.optional(),
  limitResultPerPart: limitParameter.optional(),
};

/** Query parameters of the lists of measurements and values. spec: inspection-service.md, Measurements */
export const measurementSelectionQuery = {
  ...limitedSelectionQuery,
  mergeAttributes: mergeAttributesParameter.optional(),
  mergeCondition: mergeConditionParameter.optional(),
  mergeMasterPart: uuidParameter.optional(),
};
export type MeasurementSelectionQuery = z.output<z.ZodObject<typeof countedSelectionQuery>> &
  Partial<z.output<z.ZodObject<typeof measurementSelectionQuery>>>;

/** Parameters of the lists that a count refuses: it has no order, and a limited count would not be one. */
export const NOT_COUNTED = ['order', 'limitResult', 'limitResultPerPart', 'mergeAttributes', 'mergeCondition', 'mergeMasterPart'];

/**
 * Builds the selection of a request.
 * The modification dates are a half-open range, so that each measurement is in exactly one of several consecutive ranges.
 * @param caseSensitive default for requests without the parameter
 * @throws ServiceError 400 for parameters that do not go together
 * spec: inspection-service.md, Measurements, Merge rules 1, Limits 3; decisions.md 5.8, 5.11
 */
export function measurementSelection(query: MeasurementSelectionQuery, caseSensitive: boolean): MeasurementSelection {
  const { partUuids, partPath, deep } = query;
  // Clients always send `limitResultPerPart`; for other selections it has no effect.
  const isLimitedPerPart = partUuids !== undefined || (partPath !== undefined && deep);
  return {
    measurementUuids: query.measurementUuids,
    partUuids,
    partPath,
    deep,
    search: query.searchCondition,
    caseSensitive: query.caseSensitive ?? caseSensitive,
    fromModificationDate: query.fromModificationDate,
    toModificationDate: query.toModificationDate,
    aggregation: query.aggregation,
    order: query.order ?? DEFAULT_ORDER,
    limit: query.limitResult,
    limitPerPart: isLimitedPerPart ? query.limitResultPerPart : undefined,
    merge: mergeOf(query),
  };
}

function mergeOf({
  mergeAttributes,
  mergeCondition,
  mergeMasterPart,
  partUuids,
  partPath,
  deep,
}: MeasurementSelectionQuery): MeasurementMerge | undefined {
  if (mergeAttributes === undefined && mergeMasterPart === undefined) return undefined;
  if (partPath !== undefined && deep) {
    throw new ServiceError(
      'InvalidRequest',
      'Parameter partPath: Merging is not possible with partPath and deep=true. Name the parts with partUuids.',
    );
  }
  if (!partUuids) throw new ServiceError('InvalidRequest', 'Parameter partUuids: Merging needs the parts whose measurements are merged.');
  if (mergeAttributes === undefined)
    throw new ServiceError('InvalidRequest', 'Parameter mergeMasterPart: A master part needs mergeAttributes.');
  return { attribute: mergeAttributes, condition: mergeCondition ?? 'allParts', masterPart: mergeMasterPart };
}
