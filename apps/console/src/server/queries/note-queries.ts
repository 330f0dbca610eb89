import type { Note, NoteSelection, SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './keys';

/** Most notes of one list. */
export const MAX_NOTES = 1000;

/** Notes about items, the newest first. */
export function notesQuery(client: SinebarClient, selection: Omit<NoteSelection, 'signal' | 'limitResult' | 'offset'>) {
  return queryOptions({
    queryKey: queryKeys.notes('of item', selection),
    queryFn: ({ signal }) => client.notes.list({ ...selection, limitResult: MAX_NOTES, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Most uuids of one request: an address holds some thousand characters. */
const BATCH = 100;

/** Paths of the parts and characteristics that notes are about; deleted ones are missing. */
export function notedPathsQuery(client: SinebarClient, notes: readonly Note[]) {
  const characteristics = [...new Set(notes.flatMap(({ characteristicUuid = [] }) => characteristicUuid))].sort();
  const parts = [...new Set(notes.map(({ partUuid }) => partUuid))].sort();
  return queryOptions({
    queryKey: queryKeys.notes('paths', parts, characteristics),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const found = await Promise.all([
        ...batches(parts).map((partUuids) => client.parts.list({ partUuids, requestedPartAttributes: 'None', signal })),
        ...batches(characteristics).map((charUuids) =>
          client.characteristics.list({ charUuids, requestedCharacteristicAttributes: 'None', signal }),
        ),
      ]);
      return new Map(found.flat().map(({ uuid, path }) => [uuid, path]));
    },
    enabled: notes.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Times of the measurements that notes are about. */
export function notedTimesQuery(client: SinebarClient, notes: readonly Note[]) {
  const uuids = [...new Set(notes.flatMap(({ measurementUuid = [] }) => measurementUuid))].sort();
  return queryOptions({
    queryKey: queryKeys.notes('times', uuids),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const found = await Promise.all(
        batches(uuids).map((measurementUuids) =>
          client.measurements.search({ measurementUuids, requestedMeasurementAttributes: [TIME], signal }),
        ),
      );
      return new Map(
        found.flat().flatMap(({ uuid, attributes: { [TIME]: time } }) => (typeof time === 'string' ? [[uuid, time] as const] : [])),
      );
    },
    enabled: uuids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Key of the time of a measurement. */
const TIME = 4;

function batches(uuids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(uuids.length / BATCH) }, (_, i) => uuids.slice(i * BATCH, (i + 1) * BATCH));
}
