import type { Characteristic, Part, SinebarClient } from '@sinebar/client';
import { unmarked } from './content.ts';

/** Largest depth of a listing. */
export const EVERYTHING_BELOW = 65_535;

/** Reads the characteristics of each part, which a listing of an ancestor omits. */
export async function* readCharacteristics(
  client: SinebarClient,
  parts: readonly Part[],
  signal: AbortSignal,
): AsyncGenerator<Characteristic[]> {
  for (const { path } of parts) yield await client.characteristics.list({ partPath: unmarked(path), depth: EVERYTHING_BELOW, signal });
}
