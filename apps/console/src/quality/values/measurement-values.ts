import type { Characteristic, Measurement, MeasurementWithValues, Part } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { plainPathOf } from '../../server/queries/plan-path';

/** Key of the time of a measurement. */
export const TIME_KEY = 4;

/** A measurement with its values, its part, and the characteristics of the part in plan order. */
export interface MeasurementContent {
  measurement: MeasurementWithValues;
  part: Part;
  characteristics: readonly Characteristic[];
}

/** Reads a measurement with everything that its values are judged by. */
export function useMeasurementContent(uuid: string | undefined): UseQueryResult<MeasurementContent> {
  const server = useServer();
  return useQuery({
    queryKey: queryKeys.measurements('one', uuid, 'content'),
    queryFn: async ({ signal }) => {
      const measurement = await server.measurements.getWithValues(uuid ?? '', { aggregation: 'All', signal });
      const part = await server.parts.get(measurement.partUuid, { signal });
      const characteristics = await server.characteristics.list({
        partPath: plainPathOf(part.path),
        requestedCharacteristicAttributes: Object.values(CHARACTERISTIC_KEYS),
        signal,
      });
      return { measurement, part, characteristics };
    },
    enabled: uuid !== undefined,
  });
}

/** Reads the values of a measurement that another one is compared with. */
export function useComparedMeasurement(uuid: string | undefined): UseQueryResult<MeasurementWithValues> {
  const server = useServer();
  return useQuery({
    queryKey: queryKeys.measurements('one', uuid, 'values'),
    queryFn: ({ signal }) => server.measurements.getWithValues(uuid ?? '', { aggregation: 'All', signal }),
    enabled: uuid !== undefined,
  });
}

/** Measurements of the same part directly before and after one. */
export interface Neighbours {
  before: Measurement | undefined;
  after: Measurement | undefined;
}

/** Most measurements that have the same time as one and stand between it and its neighbour. */
const MAX_AT_ONE_TIME = 50;

/** Finds the neighbours of a measurement in time; a measurement without a time has none. */
export function useNeighbours(measurement: Measurement | undefined): UseQueryResult<Neighbours> {
  const server = useServer();
  const time = measurement?.attributes[TIME_KEY];
  return useQuery({
    queryKey: queryKeys.measurements('one', measurement?.uuid, 'neighbours'),
    queryFn: async ({ signal }) => {
      const query = { partUuids: [measurement?.partUuid ?? ''], limitResult: MAX_AT_ONE_TIME, signal };
      const [older, newer] = await Promise.all([
        server.measurements.search({ ...query, order: `${TIME_KEY} desc`, searchCondition: `${TIME_KEY}<=[${time}]` }),
        server.measurements.search({ ...query, order: `${TIME_KEY} asc`, searchCondition: `${TIME_KEY}>=[${time}]` }),
      ]);
      return neighboursIn(measurement?.uuid ?? '', older, newer);
    },
    enabled: measurement !== undefined && time !== undefined && !Number.isNaN(Date.parse(time)),
  });
}

/**
 * Finds the neighbours of a measurement in two lists that begin at its time.
 * @param older newest first
 * @param newer oldest first; measurements of one time stand there in the same order as in `older`
 */
export function neighboursIn(uuid: string, older: readonly Measurement[], newer: readonly Measurement[]): Neighbours {
  const at = older.findIndex((each) => each.uuid === uuid);
  const before = at < 0 ? undefined : older[at + 1];
  // The list "newest first" orders measurements of the same time.
  const same = older.slice(0, Math.max(at, 0));
  const after = same.at(-1) ?? newer.find((each) => each.uuid !== uuid && !older.some((known) => known.uuid === each.uuid));
  return { before, after };
}
