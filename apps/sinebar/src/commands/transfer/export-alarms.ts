import { SinebarError, type Alarm, type SinebarClient } from '@sinebar/client';
import type { Progress } from '../../command-line/progress.ts';
import { batches } from './content.ts';
import { isForbidden } from './forbidden.ts';

/** Alarms in one answer. */
const PAGE = 10_000;
/** Alarms that are read at a time. */
const CONCURRENT = 10;

interface Archived {
  /** Parts and characteristics that the archive holds. */
  items: readonly { uuid: string }[];
  /** Uuids of its measurements. */
  measurements: ReadonlySet<string>;
}

/** Reads the alarms at and below a part with their steps and points, the oldest first, as far as the archive holds what they are about. */
export async function readAlarms(
  { client, progress, signal }: { client: SinebarClient; progress: Progress; signal: AbortSignal },
  partPath: string,
  { items, measurements }: Archived,
): Promise<Alarm[]> {
  const known = new Set(items.map(({ uuid }) => uuid));
  const alarms: Alarm[] = [];
  const uuids = (await listAlarms(client, { partPath, signal })).map(({ uuid }) => uuid).reverse();
  for (const batch of batches(uuids, CONCURRENT)) {
    const read = await Promise.all(batch.map((uuid) => readAlarm(client, uuid, signal)));
    for (const alarm of read) {
      if (!alarm || !known.has(alarm.partUuid) || !known.has(alarm.characteristicUuid ?? alarm.partUuid)) continue;
      const { measurementUuid, measurementUuids = [], ...members } = alarm;
      const isHeld = measurementUuid !== undefined && measurements.has(measurementUuid);
      alarms.push({
        ...members,
        ...(isHeld && { measurementUuid }),
        measurementUuids: measurementUuids.filter((uuid) => measurements.has(uuid)),
      });
    }
    progress.advance(batch.length);
  }
  return alarms;
}

/** Lists all alarms of a selection, the newest first; those that come meanwhile shift the pages. Without the right there are none. */
export async function listAlarms(
  client: SinebarClient,
  selection: { partPath: string; from?: string; signal: AbortSignal },
): Promise<Alarm[]> {
  const alarms = new Map<string, Alarm>();
  try {
    for (let offset = 0, isLast = false; !isLast; offset += PAGE) {
      const page = await client.alarms.list({ ...selection, limitResult: PAGE, offset });
      for (const alarm of page) alarms.set(alarm.uuid, alarm);
      isLast = page.length < PAGE;
    }
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  return [...alarms.values()];
}

/** @returns `undefined` for an alarm that was deleted meanwhile */
async function readAlarm(client: SinebarClient, uuid: string, signal: AbortSignal): Promise<Alarm | undefined> {
  try {
    const { etag: _etag, ...alarm } = await client.alarms.get(uuid, { signal });
    return alarm;
  } catch (error) {
    if (error instanceof SinebarError && error.code === 'NotFound') return undefined;
    throw error;
  }
}
