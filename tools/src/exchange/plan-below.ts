import type { Characteristic, Part, SinebarClient } from '@sinebar/client';
import { unmarked } from './content.js';

/** Levels of a listing, as many as there can be. */
export const EVERYTHING_BELOW = 65_535;

/** The characteristics of each part, which a listing of a part above does not show. */
export async function* characteristicsOf(
  client: SinebarClient,
  parts: readonly Part[],
  signal: AbortSignal,
): AsyncGenerator<Characteristic[]> {
  for (const { path } of parts) yield await client.characteristics.list({ partPath: unmarked(path), depth: EVERYTHING_BELOW, signal });
}
