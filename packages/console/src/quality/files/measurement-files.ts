import type { RawDataInformation, SinebarClient } from '@sinebar/client';

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
