import type { Measurement } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { TIME_KEY } from '../../quality/values/measurement-values';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';

/** Measurements that are offered for a comparison. */
const OFFERED = 12;

/** Reads the newest measurements of the part, to compare with, without the one that is shown. */
export function useComparable({ uuid, partUuid }: Measurement): readonly Measurement[] {
  const server = useServer();
  const { data } = useQuery({
    queryKey: queryKeys.measurements('newest', partUuid),
    queryFn: ({ signal }) =>
      server.measurements.search({
        partUuids: [partUuid],
        order: `${TIME_KEY} desc`,
        requestedMeasurementAttributes: [TIME_KEY],
        limitResult: OFFERED + 1,
        signal,
      }),
  });
  return (data ?? []).filter((each) => each.uuid !== uuid).slice(0, OFFERED);
}
