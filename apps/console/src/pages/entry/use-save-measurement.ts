import { SinebarError, type WrittenMeasurementWithValues } from '@sinebar/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { newUuid } from '../../server/new-uuid';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';

/** What a measurement holds besides its identity. */
export type EnteredMeasurement = Pick<WrittenMeasurementWithValues, 'attributes' | 'characteristics'>;

/**
 * Saves one measurement and answers with its uuid. The uuid stays the same until it is saved: however often an attempt is repeated, there
 * is one measurement.
 */
export function useSaveMeasurement(partUuid: string): UseMutationResult<string, Error, EnteredMeasurement> {
  const server = useServer();
  const queries = useQueryClient();
  const next = useRef<string>(undefined);
  return useMutation({
    mutationFn: async (entered) => {
      const uuid = (next.current ??= newUuid());
      const measurement = { uuid, partUuid, ...entered };
      try {
        await server.measurements.createWithValues([measurement]);
      } catch (error) {
        if (!(error instanceof SinebarError && error.status === 409)) throw error;
        // An earlier attempt was stored and its answer lost; the form may hold other values by now.
        await server.measurements.updateWithValues([measurement]);
      }
      next.current = undefined;
      void queries.invalidateQueries({ queryKey: queryKeys.overview() });
      void queries.invalidateQueries({ queryKey: queryKeys.measurements() });
      void queries.invalidateQueries({ queryKey: queryKeys.values() });
      return uuid;
    },
  });
}
