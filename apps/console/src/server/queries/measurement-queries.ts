import type { SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** The measurement of each part that was written last, newest first, with the counts of its statuses and without values. */
export function newestOfPartsQuery(client: SinebarClient, mostParts: number) {
  return queryOptions({
    queryKey: queryKeys.overview('newest of parts', mostParts),
    queryFn: ({ signal }) =>
      client.measurements.search({
        partPath: '/',
        deep: true,
        order: 'LastModified desc',
        limitResult: mostParts,
        limitResultPerPart: 1,
        requestedMeasurementAttributes: 'None',
        statistics: 'Simple',
        signal,
      }),
  });
}

/** Newest measurements whose values of an attribute are offered to choose from. */
const MOST_READ = 5000;

/** Texts that an attribute has in the newest measurements at and below a part. */
export function attributeValuesQuery(client: SinebarClient, attribute: number, partPath = '/') {
  return queryOptions({
    queryKey: queryKeys.measurements('values of attribute', attribute, partPath),
    queryFn: ({ signal }) => client.measurements.distinctValues(attribute, { partPath, deep: true, limitResult: MOST_READ, signal }),
  });
}
