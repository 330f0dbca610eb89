import type { RawDataInformation, SinebarClient } from '@sinebar/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from '../../server/queries/keys';

/** Measurements of one request for files: an address holds some thousand characters. */
const BATCH = 100;

/** Reads what is stored for measurements and for their values. */
export async function readMeasurementFiles(
  server: SinebarClient,
  measurementUuids: readonly string[],
  signal?: AbortSignal,
): Promise<RawDataInformation[]> {
  const found: RawDataInformation[] = [];
  for (let from = 0; from < measurementUuids.length; from += BATCH) {
    const query = { measurementUuids: measurementUuids.slice(from, from + BATCH), ...(signal && { signal }) };
    const lists = await Promise.all([server.rawData.list('Measurement', query), server.rawData.list('Value', query)]);
    found.push(...lists.flat());
  }
  return found;
}

/** Files of one measurement and of its values. */
export function measurementFilesQuery(server: SinebarClient, measurementUuid: string) {
  return queryOptions({
    queryKey: queryKeys.files('of measurement', measurementUuid),
    queryFn: ({ signal }) => readMeasurementFiles(server, [measurementUuid], signal),
  });
}
