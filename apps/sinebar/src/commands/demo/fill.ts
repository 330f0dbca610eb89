import type { AttributeOwner, SinebarClient } from '@sinebar/client';
import { startProgress, type ProgressOptions } from '../../command-line/progress.ts';
import { compareDefinitions, DEFINITIONS, MACHINES, OPERATORS } from './attributes.ts';
import { demoFiles, FILE_COUNT } from './files.ts';
import { measurementsOf } from './measurements.ts';
import { attributesOf, CHARACTERISTICS, PARTS, PRODUCTS } from './plan.ts';

/** The demo cannot be written; the message is a sentence. */
export class DemoRefusal extends Error {}

export interface DemoState {
  parts: number;
  characteristics: number;
  measurements: number;
  files: number;
}

export const COMPLETE: Readonly<DemoState> = {
  parts: PARTS.length,
  characteristics: CHARACTERISTICS.length,
  measurements: sum(PARTS.map(({ measurementCount }) => measurementCount)),
  files: FILE_COUNT,
};

type Display = Pick<ProgressOptions, 'stream'>;

/** Measurements in one request; each has about 40 values. */
const BATCH = 250;

/**
 * Looks for the demo on a server.
 * @returns `undefined` when the server has nothing of it
 * @throws DemoRefusal when another part has the path of a product
 */
export async function demoState(sinebar: SinebarClient): Promise<DemoState | undefined> {
  const found = await Promise.all(
    PRODUCTS.map(async ({ uuid, product }) => {
      const [part] = await sinebar.parts.list({ partPath: product, depth: 0 });
      if (part && part.uuid !== uuid)
        throw new DemoRefusal(`"${product}" is a part of your own on this server; the demo leaves it alone. Nothing was done.`);
      return part;
    }),
  );
  const paths = PRODUCTS.filter((_, i) => found[i]).map(({ product }) => product);
  if (paths.length === 0) return undefined;
  const uuids = PARTS.map(({ uuid }) => uuid);
  const parts = await sinebar.parts.list({ partUuids: uuids, requestedPartAttributes: 'None' });
  const [characteristics, measurements, files] = await Promise.all([
    Promise.all(parts.map(({ path }) => sinebar.characteristics.count({ partPath: path.slice(path.indexOf('/')) }))),
    Promise.all(
      paths.map((partPath) =>
        sinebar.measurements.search({ partPath, deep: true, limitResult: -1, requestedMeasurementAttributes: 'None' }),
      ),
    ),
    sinebar.rawData.list('Part', { uuids }),
  ]);
  return {
    parts: parts.length,
    characteristics: sum(characteristics),
    measurements: measurements.flat().length,
    files: files.length,
  };
}

/** Deletes the demo with everything that was added below its parts. Keeps attributes and catalogs, which others may use. */
export async function removeDemo(sinebar: SinebarClient): Promise<void> {
  await sinebar.parts.delete({ partUuids: PRODUCTS.map(({ uuid }) => uuid) });
}

/**
 * Writes the demo.
 * @returns the number of values
 * @throws DemoRefusal before anything is written, when the server uses an attribute key for something else
 */
export async function writeDemo(sinebar: SinebarClient, display: Display = {}): Promise<number> {
  const { missing, conflicts } = compareDefinitions(await sinebar.configuration.get());
  if (conflicts.length > 0)
    throw new DemoRefusal(`Attributes of this server are in the way of the demo; nothing was done.\n  ${conflicts.join('\n  ')}`);
  for (const owner of Object.keys(DEFINITIONS) as AttributeOwner[]) {
    if (missing[owner].length > 0) await sinebar.configuration.create(owner, missing[owner]);
    if (owner === 'catalog') await writeCatalogs(sinebar);
  }
  await sinebar.parts.create(PARTS.map(({ uuid, path, attributes }) => ({ uuid, path, attributes })));
  await sinebar.characteristics.create(
    CHARACTERISTICS.map((each) => ({ uuid: each.uuid, path: each.path, attributes: attributesOf(each) })),
  );
  await writeFiles(sinebar, display);
  return await writeMeasurements(sinebar, display);
}

async function writeCatalogs(sinebar: SinebarClient): Promise<void> {
  const known = new Set((await sinebar.catalogs.list()).map(({ uuid }) => uuid));
  const missing = [MACHINES, OPERATORS].filter(({ uuid }) => !known.has(uuid));
  if (missing.length > 0) await sinebar.catalogs.create(missing);
}

async function writeFiles(sinebar: SinebarClient, display: Display): Promise<void> {
  const files = await demoFiles();
  const progress = startProgress({ title: 'Files', total: files.length, ...display });
  try {
    for (const { part, file } of files) {
      await sinebar.rawData.upload({ entity: 'Part', uuid: part.uuid }, file);
      progress.advance();
    }
  } finally {
    progress.stop();
  }
}

async function writeMeasurements(sinebar: SinebarClient, display: Display): Promise<number> {
  const progress = startProgress({ title: 'Measurements', total: COMPLETE.measurements, ...display });
  let values = 0;
  try {
    for (const [index, part] of PARTS.entries()) {
      const measurements = measurementsOf(part, index);
      for (let from = 0; from < measurements.length; from += BATCH) {
        const batch = measurements.slice(from, from + BATCH);
        await sinebar.measurements.createWithValues(batch);
        values += sum(batch.map(({ characteristics }) => Object.keys(characteristics).length));
        progress.advance(batch.length);
      }
    }
  } finally {
    progress.stop();
  }
  return values;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
