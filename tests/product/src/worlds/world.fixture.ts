import { PassThrough } from 'node:stream';
import { ROOT_PART_UUID, SinebarClient } from '@sinebar/client';
import { FACTORY, writeDemo } from '@sinebar/program/demo';
import { eventually } from '@sinebar/testing/eventually';
import { startProductOnCopy, type OwnProduct } from '@sinebar/testing/processes';

/** Measurements of a part of the factory; tests of pages need no more. */
const MAX_MEASUREMENTS = 3000;

/** Time limit for the assessment on a loaded machine. */
const ASSESSMENT_LIMIT_MS = 180_000;

const WORLDS = {
  door: writeDemo,
  factory: (client: SinebarClient, display: { stream: NodeJS.WritableStream }) =>
    FACTORY.write(client, { ...display, maxMeasurements: MAX_MEASUREMENTS }),
};

/** A world of the demo: the car door with its small products, or the factory. */
export type WorldName = keyof typeof WORLDS;

/** Writes a world to an empty server, and waits until all of it is assessed. */
export async function writeWorld(name: WorldName, url: string): Promise<void> {
  const client = new SinebarClient({ url });
  // The progress is discarded.
  await WORLDS[name](client, { stream: new PassThrough().resume() });
  await eventually(async () => (await client.analysis.overview(ROOT_PART_UUID, { limit: 1 })).pending === undefined, {
    describe: 'everything is assessed',
    timeoutMs: ASSESSMENT_LIMIT_MS,
  });
}

/** Starts the standalone product with a world, which a test run writes once. */
export async function startWorld(name: WorldName): Promise<OwnProduct> {
  const product = await startProductOnCopy(name);
  if (!product.isCopy) await writeWorld(name, product.url);
  return product;
}
