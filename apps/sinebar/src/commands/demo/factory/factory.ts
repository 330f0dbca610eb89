import { valueTarget, type FileToStore, type SinebarClient, type TargetEntity } from '@sinebar/client';
import { startProgress } from '../../../command-line/progress.ts';
import { writeDefinitions } from '../attributes.ts';
import type { World, WorldContent, WriteOptions } from '../world.ts';
import { FACTORY_DEFINITIONS, FACTORY_KEY } from './attributes.ts';
import { factoryFiles } from './files.ts';
import { measurementBatches } from './measurements.ts';
import { attributesOf, FACTORY_PARTS, HOLDERS } from './plan.ts';

/** Kinds of files, all of which the first part has; others have one, and so have its characteristic, measurement and value. */
const FILE_KINDS = 17;
/** Values in one request. */
const BATCH_VALUES = 4000;
/** Parts and characteristics in one request. */
const BATCH_ITEMS = 1000;
/** Requests that run at the same time. */
const PARALLEL = 3;

const CONTENT: Readonly<WorldContent> = {
  parts: HOLDERS.length + FACTORY_PARTS.length,
  characteristics: FACTORY_PARTS.reduce((sum, { characteristics }) => sum + characteristics.length, 0),
  measurements: FACTORY_PARTS.reduce((sum, { measurementCount }) => sum + measurementCount, 0),
  files: FILE_KINDS + 1,
};

/** A plant with three lines, as large and as untidy as real ones. */
export const FACTORY: World = {
  products: [{ uuid: HOLDERS[0]!.uuid, path: HOLDERS[0]!.path.slice(HOLDERS[0]!.path.indexOf('/')).replace(/\/$/, '') }],
  content: CONTENT,
  write: writeFactory,
};

async function writeFactory(sinebar: SinebarClient, options: WriteOptions = {}): Promise<number> {
  await writeDefinitions(sinebar, FACTORY_DEFINITIONS);
  for (const parts of batches([...HOLDERS, ...FACTORY_PARTS], BATCH_ITEMS)) {
    await sinebar.parts.create(
      parts.map((part) => ({ uuid: part.uuid, path: part.path, attributes: 'attributes' in part ? part.attributes : {} })),
    );
  }
  const characteristics = FACTORY_PARTS.flatMap((part) => part.characteristics);
  for (const batch of batches(characteristics, BATCH_ITEMS)) {
    await sinebar.characteristics.create(batch.map((each) => ({ uuid: each.uuid, path: each.path, attributes: attributesOf(each) })));
  }
  const written = await writeMeasurements(sinebar, options);
  await writeFiles(sinebar, written.firstUuid);
  await writeEvaluations(sinebar);
  return written.values;
}

async function writeMeasurements(
  sinebar: SinebarClient,
  { maxMeasurements = Infinity, ...display }: WriteOptions,
): Promise<{ values: number; firstUuid: string }> {
  const parts = FACTORY_PARTS.map((part) => ({ ...part, measurementCount: Math.min(part.measurementCount, maxMeasurements) }));
  const total = parts.reduce((sum, { measurementCount }) => sum + measurementCount, 0);
  const progress = startProgress({ title: 'Measurements', total, ...display });
  let values = 0;
  let firstUuid = '';
  // All take from the same list, so that the largest part holds up no other.
  const waiting = parts.values();
  const work = async () => {
    for (const part of waiting) {
      for (const batch of measurementBatches(part, BATCH_VALUES)) {
        if (part === parts[0]) firstUuid ||= batch[0]!.uuid;
        await sinebar.measurements.createWithValues(batch);
        values += batch.length * part.characteristics.length;
        progress.advance(batch.length);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, work));
  } finally {
    progress.stop();
  }
  return { values, firstUuid };
}

async function writeFiles(sinebar: SinebarClient, measurementUuid: string): Promise<void> {
  const files = await factoryFiles();
  const [first, second] = FACTORY_PARTS as [(typeof FACTORY_PARTS)[number], (typeof FACTORY_PARTS)[number]];
  const [picture] = files as [FileToStore];
  const characteristicUuid = first.characteristics[0]!.uuid;
  const targets: TargetEntity[] = [
    { entity: 'Part', uuid: second.uuid },
    { entity: 'Characteristic', uuid: characteristicUuid },
    { entity: 'Measurement', uuid: measurementUuid },
    valueTarget(measurementUuid, characteristicUuid),
  ];
  for (const file of files) await sinebar.rawData.upload({ entity: 'Part', uuid: first.uuid }, file);
  for (const target of targets) await sinebar.rawData.upload(target, picture);
}

/** One part is judged by its cavities, and one characteristic of it by a chart that remembers. */
async function writeEvaluations(sinebar: SinebarClient): Promise<void> {
  const part = FACTORY_PARTS[2]!;
  const drifting = part.characteristics.find(({ kind }) => kind.name.includes('driftet'))!;
  const evaluation = { subgroups: { by: FACTORY_KEY.cavity }, rules: ['nelson1', 'nelson2:7', 'nelson3'] };
  await sinebar.analysis.putEvaluation({ partUuid: part.uuid }, evaluation, { reason: 'Nester einzeln freigegeben' });
  const ewma = { chart: 'ewma' as const, subgroups: { size: 1 } };
  await sinebar.analysis.putEvaluation({ characteristicUuid: drifting.uuid }, ewma, { reason: 'Drift des Werkzeugs früh erkennen' });
}

function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
