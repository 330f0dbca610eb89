import type { SinebarClient } from '@sinebar/client';
import type { ProgressOptions } from '../../command-line/progress.ts';

/** The demo cannot be written; the message is a sentence. */
export class DemoRefusal extends Error {}

export interface WriteOptions extends Pick<ProgressOptions, 'stream'> {
  /** Most measurements of a part, for tests that look at the other parts. */
  maxMeasurements?: number;
}

export interface WorldContent {
  parts: number;
  characteristics: number;
  measurements: number;
  /** Files of parts. */
  files: number;
}

/** A set of data that fills a server. */
export interface World {
  /** Its parts that are below no other, with their paths without type marker. */
  readonly products: readonly { readonly uuid: string; readonly path: string }[];
  readonly content: Readonly<WorldContent>;
  /** @returns the number of values */
  write(sinebar: SinebarClient, options?: WriteOptions): Promise<number>;
}

/**
 * Looks for a world on a server.
 * @returns `undefined` when the server has nothing of it
 * @throws DemoRefusal when another part has the path of a product
 */
export async function contentOf(sinebar: SinebarClient, { products }: World): Promise<WorldContent | undefined> {
  const found = await Promise.all(
    products.map(async ({ uuid, path }) => {
      const [part] = await sinebar.parts.list({ partPath: path, depth: 0 });
      if (part && part.uuid !== uuid)
        throw new DemoRefusal(`"${path}" is a part of your own on this server; the demo leaves it alone. Nothing was done.`);
      return part;
    }),
  );
  const there = products.filter((_, i) => found[i]);
  if (there.length === 0) return undefined;
  const contents = await Promise.all(
    there.map(async ({ uuid, path: partPath }) => {
      const [partsBelow, characteristics, measurements, files] = await Promise.all([
        sinebar.planItems.count({ parentUuids: [uuid], restrictToEntity: 'Part' }),
        sinebar.planItems.count({ parentUuids: [uuid], restrictToEntity: 'CharacteristicWithoutIntermediateParts' }),
        sinebar.measurements.count({ partPath, deep: true }),
        sinebar.rawData.list('Part', { partPath }),
      ]);
      return { parts: partsBelow + 1, characteristics, measurements, files: files.length };
    }),
  );
  return contents.reduce((sum, each) => ({
    parts: sum.parts + each.parts,
    characteristics: sum.characteristics + each.characteristics,
    measurements: sum.measurements + each.measurements,
    files: sum.files + each.files,
  }));
}

/** Deletes a world with everything that was added below its parts. Keeps attributes and catalogs, which others may use. */
export async function removeWorld(sinebar: SinebarClient, { products }: World): Promise<void> {
  await sinebar.parts.delete({ partUuids: products.map(({ uuid }) => uuid) });
}
