import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { SinebarClient } from '@sinebar/client';
import { PARTS } from './plan.ts';

/** Writes the values of the demo as an AQDEF file, whose times are in UTC. */
export async function writeAqdefFile(sinebar: SinebarClient, file: string): Promise<void> {
  const partUuids = PARTS.map(({ uuid }) => uuid);
  const values = await sinebar.exchange.readValues({ format: 'aqdef', partUuids, order: '4 asc' });
  await pipeline(Readable.fromWeb(values as ReadableStream), createWriteStream(file));
}
