import type { Part, SinebarClient } from '@sinebar/client';
import { unmarked } from './content.ts';

/**
 * Reports content that lists omit silently. Rights cover whole subtrees, so a right on the exported part covers everything in it.
 * @param hidden path of the nearest part above that may not be read
 */
export async function remarksOn(client: SinebarClient, top: Part, hidden: string | undefined, signal: AbortSignal): Promise<string[]> {
  const { partRights } = await client.permissions({ partPath: unmarked(top.path), signal });
  const holds = (right: 'rawData:read' | 'measurement:read') => (partRights[right] ?? []).length > 0;
  return [
    ...(hidden === undefined
      ? []
      : [`The part ${hidden}, in which it lies, may not be read: where it is imported this one must be there.`]),
    ...(holds('rawData:read') ? [] : [`Files were left out: the right rawData:read is missing on ${top.path}.`]),
    ...(holds('measurement:read')
      ? []
      : [`Measurements, notes and alarms were left out: the right measurement:read is missing on ${top.path}, or on parts of it.`]),
  ];
}
