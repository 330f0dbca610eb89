import type { SinebarClient } from '@sinebar/client';
import { startProgress } from '../../command-line/progress.ts';
import { DEFINITIONS, writeDefinitions } from './attributes.ts';
import { demoFiles, FILE_COUNT } from './files.ts';
import { measurementsOf } from './measurements.ts';
import { attributesOf, CHARACTERISTICS, PARTS, PRODUCTS } from './plan.ts';
import type { WriteOptions, WorldContent, World } from './world.ts';

const CONTENT: Readonly<WorldContent> = {
  parts: PARTS.length,
  characteristics: CHARACTERISTICS.length,
  measurements: sum(PARTS.map(({ measurementCount }) => measurementCount)),
  files: FILE_COUNT,
};

/** Measurements in one request; each has about 40 values. */
const BATCH = 250;

/** A car door and three smaller products. */
export const DOOR: World = {
  products: PRODUCTS.map(({ uuid, product }) => ({ uuid, path: product })),
  content: CONTENT,
  write: writeDemo,
};

/**
 * Writes the demo.
 * @returns the number of values
 * @throws DemoRefusal before anything is written, when the server uses an attribute key for something else
 */
export async function writeDemo(sinebar: SinebarClient, display: WriteOptions = {}): Promise<number> {
  await writeDefinitions(sinebar, DEFINITIONS);
  await sinebar.parts.create(PARTS.map(({ uuid, path, attributes }) => ({ uuid, path, attributes })));
  await sinebar.characteristics.create(
    CHARACTERISTICS.map((each) => ({ uuid: each.uuid, path: each.path, attributes: attributesOf(each) })),
  );
  await writeFiles(sinebar, display);
  return await writeMeasurements(sinebar, display);
}

async function writeFiles(sinebar: SinebarClient, display: WriteOptions): Promise<void> {
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

async function writeMeasurements(sinebar: SinebarClient, display: WriteOptions): Promise<number> {
  const progress = startProgress({ title: 'Measurements', total: CONTENT.measurements, ...display });
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
