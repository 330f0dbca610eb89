import type { Measurement, RawDataInformation, SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { formatConditions, whyUnwritable, type ConditionFields } from '../../quality/conditions/condition-text';
import { queryKeys } from '../../server/queries/keys';
import type { Day } from './day-of-text';

/** Attributes by which people name a measurement: serial number, batch, production number, order. */
export const NAMING_KEYS = [14, 6, 16, 53] as const;
const TIME_KEY = 4;
/** Measurements of one attribute, and files, that are offered. */
const MAX_FOUND = 4;
/** A shorter text is in nearly every number. */
const MIN_LETTERS = 3;
const FILE_ENTITIES = ['Part', 'Characteristic', 'Measurement'] as const;
const CURRENT_MS = 30_000;

/** A measurement with the attribute that holds the text. */
export interface FoundMeasurement {
  key: number;
  measurement: Measurement;
}

/**
 * Finds measurements by attributes that name them: first those that have the text itself, which takes an index; then, newest first, those
 * whose attribute holds it.
 */
export function measurementsQuery(client: SinebarClient, text: string, keys: readonly number[], operator: 'In' | 'Like') {
  return queryOptions({
    queryKey: queryKeys.measurements('named', text, keys.join(','), operator),
    queryFn: async ({ signal }): Promise<FoundMeasurement[]> => {
      const lists = await Promise.all(
        keys.map(async (key) => {
          const condition: ConditionFields = {
            field: { kind: 'attribute', key },
            operator,
            values: [operator === 'In' ? text : `%${text}%`],
          };
          if (whyUnwritable(condition) !== undefined) return [];
          const found = await client.measurements.search({
            partPath: '/',
            deep: true,
            searchCondition: formatConditions([condition]),
            order: `${TIME_KEY} desc`,
            limitResult: MAX_FOUND,
            requestedMeasurementAttributes: [TIME_KEY, key],
            signal,
          });
          return found.map((measurement) => ({ key, measurement }));
        }),
      );
      return lists.flat();
    },
    enabled: text.length >= MIN_LETTERS && keys.length > 0,
    staleTime: CURRENT_MS,
    retry: false,
  });
}

/** Finds files whose names hold a text; what the reader may not see is left out. */
export function filesQuery(client: SinebarClient, text: string) {
  const literal = text.replaceAll(/[\\*?]/g, String.raw`\$&`).replaceAll("'", "''");
  return queryOptions({
    queryKey: queryKeys.files('named', text),
    queryFn: async ({ signal }): Promise<RawDataInformation[]> => {
      const filter = `FileName like '*${literal}*'`;
      const lists = await Promise.all(FILE_ENTITIES.map((entity) => client.rawData.list(entity, { filter, signal })));
      return lists.flatMap((list) => list.slice(0, MAX_FOUND)).slice(0, MAX_FOUND);
    },
    enabled: text.length >= MIN_LETTERS,
    staleTime: CURRENT_MS,
    retry: false,
  });
}

/** The condition that a measurement is of a day. */
export function conditionOfDay({ from, to }: Day): string {
  const field = { kind: 'attribute', key: TIME_KEY } as const;
  return formatConditions([
    { field, operator: '>=', values: [from.toISOString()] },
    { field, operator: '<', values: [to.toISOString()] },
  ]);
}

/** Counts the measurements of a day. */
export function dayCountQuery(client: SinebarClient, day: Day | undefined) {
  const searchCondition = day === undefined ? '' : conditionOfDay(day);
  return queryOptions({
    queryKey: queryKeys.measurements('count', 'of day', searchCondition),
    queryFn: ({ signal }) => client.measurements.count({ partPath: '/', deep: true, searchCondition, signal }),
    enabled: day !== undefined,
    staleTime: CURRENT_MS,
    retry: false,
  });
}
