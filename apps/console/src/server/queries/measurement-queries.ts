import type { SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** The measurements that were written last, without values. */
export function newestMeasurementsQuery(client: SinebarClient, most: number) {
  return queryOptions({
    queryKey: queryKeys.overview('newest measurements', most),
    queryFn: ({ signal }) =>
      client.measurements.search({
        partPath: '/',
        deep: true,
        order: 'LastModified desc',
        limitResult: most,
        requestedMeasurementAttributes: 'None',
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
