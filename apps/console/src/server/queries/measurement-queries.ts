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
