import { Readable } from 'node:stream';
import { SinebarError } from '@sinebar/client';
import type { ArchiveManifest } from './archive.ts';
import { batches, ENTRIES, evaluationSchema, noteSchema, OWNERS, type Item } from './content.ts';
import {
  archivedFiles,
  archivedMeasurements,
  checkConfiguration,
  checkFiles,
  checkMeasurements,
  checkPlan,
  type Import,
  type NewConfiguration,
  type NewPlan,
} from './import-checks.ts';
import { createAlarms, findMissingAlarms, planStop } from './import-alarms.ts';

/** Items of one request. */
const ITEMS = 500;

/** Counts of items that the server lacks. */
export type ImportCounts = ArchiveManifest['counts'];

export interface Imported {
  counts: ImportCounts;
  /** Sentences about what was left out. */
  remarks: string[];
}

/**
 * Compares the archive with the server, then creates missing items; existing ones stay. May be repeated after a failure.
 * @param dryRun only compares
 * @throws CommandError that names the differences; nothing is written then
 */
export async function importArchive(work: Import, dryRun: boolean): Promise<Imported> {
  const { archive, conflicts, progress } = work;
  const configuration = await checkConfiguration(work);
  const plan = await checkPlan(work);
  const measurements = await checkMeasurements(work);
  const files = await checkFiles(work);
  const alarms = await findMissingAlarms(work);
  progress.done();
  conflicts.throwIfAny();
  const { counts } = archive.manifest;
  const missing: ImportCounts = {
    parts: plan.parts.length,
    characteristics: plan.characteristics.length,
    measurements: counts.measurements - measurements.size,
    files: counts.files - files.size,
    alarms: alarms.size,
  };
  if (dryRun) return { counts: missing, remarks: [] };
  await createConfiguration(work, configuration);
  await createPlan(work, plan);
  const remarks = await createMeasured(work, { measurements, alarms, counts: missing });
  progress.stage('Files', 'files', missing.files);
  await createFiles(work, files);
  progress.done();
  return { counts: missing, remarks };
}

/** Creates measurements and what is said about them. @returns sentences about what was left out */
async function createMeasured(
  work: Import,
  { measurements, alarms, counts }: { measurements: ReadonlySet<string>; alarms: ReadonlySet<string>; counts: ImportCounts },
): Promise<string[]> {
  const isNew = counts.measurements + counts.alarms > 0;
  const endStop = isNew ? await planStop(work) : undefined;
  try {
    work.progress.stage('Measurements', 'measurements', counts.measurements);
    await createMeasurements(work, measurements);
    await createEvaluations(work);
    await createNotes(work);
    const remarks = isNew ? await createAlarms(work, alarms) : [];
    await endStop?.();
    return remarks;
  } catch (error) {
    // The first failure is the one to report.
    await endStop?.().catch(() => undefined);
    throw error;
  }
}

async function createConfiguration({ client, signal }: Import, { definitions, catalogs, entries }: NewConfiguration): Promise<void> {
  for (const owner of OWNERS) {
    if (definitions[owner].length > 0) await client.configuration.create(owner, definitions[owner], { signal });
    // Catalogs come first, because the others may refer to them.
    if (owner === 'catalog') for (const catalog of catalogs) await client.catalogs.create([catalog], { signal });
  }
  for (const { catalog, entries: missing } of entries) await client.catalogs.addEntries(catalog, missing, { signal });
}

async function createPlan({ client, progress, signal }: Import, { parts, characteristics, root }: NewPlan): Promise<void> {
  progress.stage('Inspection plan', 'parts and characteristics', parts.length + characteristics.length);
  if (root) await client.parts.update([{ uuid: root.uuid, attributes: root.attributes }], { signal });
  for (const batch of batches(fromTop(parts), ITEMS)) {
    await client.parts.create(batch, { signal });
    progress.advance(batch.length);
  }
  for (const batch of batches(fromTop(characteristics), ITEMS)) {
    await client.characteristics.create(batch, { signal });
    progress.advance(batch.length);
  }
}

/** Sorts items from the top: the type marker has one letter per level. */
function fromTop(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.path.indexOf(':') - b.path.indexOf(':'));
}

async function createMeasurements({ client, archive, progress, signal }: Import, present: ReadonlySet<string>): Promise<void> {
  for await (const batch of archivedMeasurements(archive)) {
    const missing = batch.filter(({ uuid }) => !present.has(uuid));
    if (missing.length === 0) continue;
    await client.measurements.createWithValues(missing, { signal });
    progress.advance(missing.length);
  }
}

/** Takes over what items say about their evaluation, where they say nothing on the server yet. */
async function createEvaluations({ client, archive, signal }: Import): Promise<void> {
  if (archive.names(ENTRIES.evaluations).length === 0) return;
  for await (const { entity, uuid, state } of archive.lines(ENTRIES.evaluations, evaluationSchema)) {
    const item = entity === 'Part' ? { partUuid: uuid } : { characteristicUuid: uuid };
    const { own, etag } = await client.analysis.evaluation(item, { signal });
    if (Object.keys(own).length > 0) continue;
    const exclusions = (state.exclusions ?? []).map(({ measurementUuid, reason }) => ({ measurementUuid, reason }));
    await client.analysis.putEvaluation(item, { ...state, exclusions }, { reason: 'imported from an archive', etag, signal });
  }
}

/** Creates the notes that the server lacks, with the time at which they were written. */
async function createNotes({ client, archive, signal }: Import): Promise<void> {
  if (archive.names(ENTRIES.notes).length === 0) return;
  for await (const note of archive.lines(ENTRIES.notes, noteSchema)) {
    const { uuid, time, text, cause, partUuid, characteristicUuid, measurementUuid, from, to } = note;
    const target = characteristicUuid === undefined ? { partUuid } : { characteristicUuid };
    const content = {
      text,
      ...(cause !== undefined && { cause }),
      ...(measurementUuid !== undefined && { measurementUuid }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    };
    await client.notes.create({ uuid, time, ...target, ...content }, { signal }).catch((error: unknown) => {
      if (!(error instanceof SinebarError && error.code === 'AlreadyExists')) throw error;
    });
  }
}

async function createFiles({ client, archive, progress, signal }: Import, present: ReadonlySet<string>): Promise<void> {
  for await (const batch of archivedFiles(archive)) {
    for (const { entity, uuid, key, fileName, mimeType, md5, content } of batch) {
      if (present.has(content)) continue;
      const bytes = Readable.toWeb(await archive.stream(content)) as ReadableStream<Uint8Array>;
      await client.rawData.upload(
        { entity, uuid },
        { fileName, mimeType, content: bytes, md5: Buffer.from(md5, 'hex').toString('base64') },
        { key, signal },
      );
      progress.advance(1);
    }
  }
}
