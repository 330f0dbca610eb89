import type {
  CharacteristicSeries,
  ChartChoice,
  GroupedBy,
  ModelOptions,
  ShownPoints,
  SinebarClient,
  ValueSelection,
} from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** The choice of values, of the control chart and of the model; what is not chosen follows from the evaluation. */
export type AnalysisChoice = Omit<ValueSelection, 'signal'> & ChartChoice & Pick<ModelOptions, 'confidence' | 'model'>;

/** Keeps what was shown of the same characteristic until the new figures have come. */
function previousOf(uuid: string) {
  return <T>(previous: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    query?.queryKey[1] === uuid ? previous : undefined;
}

/** Location, spread, limits, capability and normality. */
export function summaryQuery(client: SinebarClient, uuid: string, choice: AnalysisChoice) {
  return queryOptions({
    queryKey: queryKeys.values(uuid, 'summary', choice),
    queryFn: ({ signal }) => client.analysis.summary(uuid, { ...choice, signal }),
    placeholderData: previousOf(uuid),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How the values of a characteristic are judged for everybody. */
export function evaluationQuery(client: SinebarClient, characteristicUuid: string) {
  return queryOptions({
    queryKey: queryKeys.evaluation('of characteristic', characteristicUuid),
    queryFn: ({ signal }) => client.analysis.evaluation({ characteristicUuid }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Values over time, or stretches of them. */
export function seriesQuery(
  client: SinebarClient,
  uuid: string,
  { confidence: _, ...choice }: AnalysisChoice,
  shown: ShownPoints & { by?: GroupedBy },
) {
  return queryOptions({
    queryKey: queryKeys.values(uuid, 'series', choice, shown),
    queryFn: ({ signal }): Promise<CharacteristicSeries> => client.analysis.series(uuid, { ...choice, ...shown, signal }),
    placeholderData: previousOf(uuid),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Figures of groups of values, and tests whether they differ. */
export function groupsQuery(
  client: SinebarClient,
  uuid: string,
  { model, confidence, ...choice }: AnalysisChoice,
  by: GroupedBy | undefined,
) {
  const { from, to, limitResult, searchCondition, exclude } = choice;
  const selection = { from, to, limitResult, searchCondition, exclude, model, confidence };
  const chosen = Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
  return queryOptions({
    queryKey: queryKeys.values(uuid, 'groups', chosen, by),
    queryFn: ({ signal }) => client.analysis.groups(uuid, { ...chosen, by: by ?? 'day', signal }),
    enabled: by !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Values against the quantiles of a normal distribution. */
export function probabilityQuery(client: SinebarClient, uuid: string, selection: Omit<ValueSelection, 'signal'>, points: number) {
  return queryOptions({
    queryKey: queryKeys.values(uuid, 'probability', selection, points),
    queryFn: ({ signal }) => client.analysis.probability(uuid, { ...selection, points, signal }),
    placeholderData: previousOf(uuid),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How two characteristics vary together. */
export function correlationQuery(
  client: SinebarClient,
  [first, second]: readonly [string, string],
  selection: Omit<ValueSelection, 'signal'>,
) {
  return queryOptions({
    queryKey: queryKeys.values(first, 'correlation', second, selection),
    queryFn: ({ signal }) => client.analysis.correlation(first, second, { ...selection, signal }),
    placeholderData: previousOf(first),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A value of one measurement. */
export interface MeasuredValue {
  measurementUuid: string;
  time?: string;
  serialNumber?: string;
  value: number;
}

/** Keys of the attributes of a measurement. */
const TIME = '4';
const SERIAL_NUMBER = '14';

/** Values of one characteristic in these measurements; what is deleted or has no number is missing. */
export function valuesOfMeasurementsQuery(client: SinebarClient, characteristicUuid: string, measurementUuids: readonly string[]) {
  return queryOptions({
    queryKey: queryKeys.values(characteristicUuid, 'measurements', measurementUuids),
    queryFn: async ({ signal }): Promise<MeasuredValue[]> => {
      const measurements = await client.measurements.searchWithValues({
        measurementUuids,
        characteristicUuids: [characteristicUuid],
        signal,
      });
      return measurements.flatMap(({ uuid, attributes, characteristics }) => {
        const value = Number(Object.values(characteristics)[0]?.[1]);
        const [time, serialNumber] = [attributes[TIME], attributes[SERIAL_NUMBER]];
        if (Number.isNaN(value)) return [];
        return [
          {
            measurementUuid: uuid,
            value,
            ...(typeof time === 'string' && { time }),
            ...(typeof serialNumber === 'string' && { serialNumber }),
          },
        ];
      });
    },
    enabled: measurementUuids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
