import { Readable } from 'node:stream';
import { ACTION_ATTRIBUTE, CAUSE_ATTRIBUTE } from '@sinebar/client';
import type {
  AttributeOwner,
  Catalog,
  Characteristic,
  EvaluationList,
  Measurement,
  MeasurementWithValues,
  Note,
  Part,
  RawDataEntity,
  RawDataInformation,
  SinebarClient,
} from '@sinebar/client';
import { CommandError } from '../../command-line/command.ts';
import type { Progress } from '../../command-line/progress.ts';
import { Measured } from '../backup/measured.ts';
import type { ArchiveManifest, ArchiveWriter } from './archive.ts';
import { readAlarms } from './export-alarms.ts';
import { remarksOn } from './export-remarks.ts';
import { readCharacteristics, EVERYTHING_BELOW } from './plan-below.ts';
import {
  batches,
  configurationOf,
  ENTRIES,
  numbered,
  OWNERS,
  unmarked,
  type ArchivedConfiguration,
  type ArchivedFile,
  type Item,
} from './content.ts';

/** Uuids in one address: it stays below 8 KiB, which every proxy accepts. */
const BATCH = 100;
/** Notes in one answer. */
const NOTES = 10_000;
/** Maximum attempts of an export while the plan keeps changing. */
const MAX_ATTEMPTS = 5;
/** File types that are already compressed. */
const PACKED = /^(image|video|audio)\/(?!svg|bmp|x-ms-bmp)|zip|gzip|compressed|pdf/i;

interface Exchange {
  client: SinebarClient;
  archive: ArchiveWriter;
  progress: Progress;
  signal: AbortSignal;
}

export interface Exported {
  counts: ArchiveManifest['counts'];
  /** Sentences about content that may be missing because the user may not read it. */
  remarks: string[];
}

/** Thrown when the plan changed during the export; the written content is inconsistent. */
class PlanChanged extends CommandError {
  constructor() {
    super('The inspection plan, its configuration or its catalogs were changed while they were read. Try again when nobody changes them.');
  }
}

/**
 * Exports a subtree in one state of the plan: restarts when the plan changed meanwhile.
 * @param open makes an archive; an abandoned one is discarded
 * @throws PlanChanged after {@link MAX_ATTEMPTS}
 */
export async function exportOneState(exchange: Omit<Exchange, 'archive'>, path: string, open: () => ArchiveWriter): Promise<Exported> {
  for (let attempt = 1; ; attempt += 1) {
    const archive = open();
    try {
      return await exportSubtree({ ...exchange, archive }, path);
    } catch (error) {
      await archive.discard();
      if (!(error instanceof PlanChanged) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Plan, configuration and catalogs, to which measurements and files refer. */
interface PlanState {
  top: Part;
  parts: Part[];
  characteristics: Characteristic[];
  configuration: ArchivedConfiguration;
  catalogs: Catalog[];
  evaluations: EvaluationList;
}

async function readPlan(client: SinebarClient, path: string, signal: AbortSignal): Promise<PlanState> {
  // A listing continues below an unreadable part and would then start with another one.
  const [top] = await client.parts.list({ partPath: path, depth: 0, signal });
  if (!top) throw new CommandError(`There is no part ${path} on the server, or it may not be read.`);
  const parts = await client.parts.list({ partPath: path, depth: EVERYTHING_BELOW, signal });
  const characteristics: Characteristic[] = [];
  for await (const ofPart of readCharacteristics(client, parts, signal)) characteristics.push(...ofPart);
  const configuration = configurationOf(await client.configuration.get({ signal }));
  const catalogs = await client.catalogs.list({ signal });
  const evaluations = await client.analysis.evaluations(top.uuid, { signal });
  return { top, parts, characteristics, configuration, catalogs, evaluations };
}

/** Writes the part at `path` (without type marker) with everything below it, and the configuration and catalogs that it uses. */
async function exportSubtree(exchange: Exchange, path: string): Promise<Exported> {
  const { client, archive, progress, signal } = exchange;
  const { version, securityEnabled } = await client.serviceInformation({ signal });
  const plan = await readPlan(client, path, signal);
  const { top, parts, characteristics } = plan;
  const keys = new UsedKeys();
  progress.stage('Inspection plan', 'parts and characteristics');
  const { above, hidden } = await partsAbove(client, top, signal);
  await archive.addLines(ENTRIES.above, above.map(keys.ofItem('part')));
  await archive.addLines(ENTRIES.parts, parts.map(keys.ofItem('part')));
  progress.advance(parts.length + characteristics.length);
  await archive.addLines(ENTRIES.characteristics, characteristics.map(keys.ofItem('characteristic')));
  const files = new FileWriter(exchange);
  const measured = await exportMeasurements(exchange, parts, keys);
  await archive.addLines(ENTRIES.evaluations, withExclusionsOf(plan.evaluations, new Set(measured)));
  progress.stage('Files', 'bytes');
  await files.addFiles(
    'Part',
    parts.map(({ uuid }) => uuid),
  );
  await files.addFiles(
    'Characteristic',
    characteristics.map(({ uuid }) => uuid),
  );
  await files.addFiles('Measurement', measured);
  await files.addOfValues(new Set(measured));
  const notes = await readNotes(exchange, path, new Set(measured));
  await archive.addLines(ENTRIES.notes, notes);
  progress.stage('Alarms', 'alarms');
  const alarms = await readAlarms(exchange, path, { items: [...parts, ...characteristics], measurements: new Set(measured) });
  await archive.addLines(ENTRIES.alarms, alarms);
  if ([...notes, ...alarms].some(({ cause }) => cause !== undefined)) keys.useEntries(CAUSE_ATTRIBUTE);
  if (alarms.some(({ action }) => action !== undefined)) keys.useEntries(ACTION_ATTRIBUTE);
  exportConfiguration(exchange, plan, top.path === '/' ? undefined : keys);
  if (JSON.stringify(await readPlan(client, path, signal)) !== JSON.stringify(plan)) throw new PlanChanged();
  const remarks = securityEnabled ? await remarksOn(client, top, hidden, signal) : [];
  const counts = {
    parts: parts.length,
    characteristics: characteristics.length,
    measurements: measured.length,
    files: files.count,
    alarms: alarms.length,
  };
  await archive.finish({ serverVersion: version, created: new Date().toISOString(), path: top.path, counts, missing: remarks });
  progress.done();
  return { counts, remarks };
}

/** Leaves out exclusions of measurements that the archive does not hold. */
function withExclusionsOf(evaluations: EvaluationList, measurements: ReadonlySet<string>): EvaluationList {
  return evaluations.map(({ state: { exclusions, ...state }, ...item }) => {
    const held = exclusions?.filter(({ measurementUuid }) => measurements.has(measurementUuid)) ?? [];
    return { ...item, state: { ...state, ...(held.length > 0 && { exclusions: held }) } };
  });
}

/** Returns the ancestors of the exported part except the root, topmost first, and the path of the nearest unreadable one. */
async function partsAbove(client: SinebarClient, { path }: Part, signal: AbortSignal): Promise<{ above: Part[]; hidden?: string }> {
  const above: Part[] = [];
  for (let parent = parentOf(unmarked(path)); parent !== '/' && path !== '/'; parent = parentOf(parent)) {
    const [part] = await client.parts.list({ partPath: parent, depth: 0, signal });
    // Its ancestors are unreadable too.
    if (!part) return { above, hidden: parent };
    above.unshift(part);
  }
  return { above };
}

/** Returns `/a/` for `/a/b/`; a slash inside a name follows a backslash. */
function parentOf(path: string): string {
  const names = path.match(/(?:[^\\/]|\\.)+/g) ?? [];
  return names.length <= 1 ? '/' : `/${names.slice(0, -1).join('/')}/`;
}

/** Exports measurements. @returns their uuids */
async function exportMeasurements(
  { client, archive, progress, signal }: Exchange,
  parts: readonly Part[],
  keys: UsedKeys,
): Promise<string[]> {
  progress.stage('Measurements', 'measurements');
  const uuids: string[] = [];
  let entry = 0;
  for (const { uuid: part } of parts) {
    const found = await client.measurements.search({
      partUuids: [part],
      aggregation: 'All',
      requestedMeasurementAttributes: 'None',
      signal,
    });
    // The list is newest first, and for equal times last stored first. The archive has the reverse order.
    const inOrder = found.map(({ uuid }: Measurement) => uuid).reverse();
    for (const batch of batches(inOrder, BATCH)) {
      const answered = await client.measurements.searchWithValues({ measurementUuids: batch, aggregation: 'All', signal });
      const byUuid = new Map(answered.map((measurement) => [measurement.uuid, measurement]));
      // A measurement that was deleted meanwhile is left out.
      const present = batch.flatMap((uuid) => byUuid.get(uuid) ?? []);
      await archive.addLines(
        `${numbered(ENTRIES.measurements, entry++)}.jsonl`,
        present.map((measurement) => keys.ofMeasurement(measurement)),
      );
      uuids.push(...present.map(({ uuid }) => uuid));
      progress.advance(present.length);
    }
  }
  return uuids;
}

/** Reads the notes at and below a part, the oldest first, but for those about measurements that the archive does not hold. */
async function readNotes({ client, signal }: Exchange, partPath: string, measurements: ReadonlySet<string>): Promise<Note[]> {
  const notes: Note[] = [];
  for (let page: Note[] | undefined; page === undefined || page.length === NOTES; notes.push(...page))
    page = await client.notes.list({ partPath, limitResult: NOTES, offset: notes.length, signal });
  return notes.filter(({ measurementUuid }) => measurementUuid === undefined || measurements.has(measurementUuid)).reverse();
}

/** @param keys keys of the needed attributes; `undefined`: all */
function exportConfiguration({ archive }: Exchange, { configuration: all, ...plan }: PlanState, keys: UsedKeys | undefined): void {
  const needed = Object.fromEntries(
    OWNERS.map((owner) => [owner, all[owner].filter(({ key }) => owner === 'catalog' || !keys || keys.has(owner, key))]),
  ) as unknown as ArchivedConfiguration;
  const referred = new Set(Object.values(needed).flatMap((list) => list.flatMap((each) => ('catalog' in each ? [each.catalog] : []))));
  const isUsed = ({ uuid, validAttributes }: Catalog) => referred.has(uuid) || validAttributes.some((key) => keys?.usesEntries(key));
  const catalogs = plan.catalogs.filter((catalog) => !keys || isUsed(catalog));
  if (keys) {
    const ofEntries = new Set(catalogs.flatMap(({ validAttributes }) => validAttributes));
    needed.catalog = needed.catalog.filter(({ key }) => ofEntries.has(key));
  }
  archive.addJson(ENTRIES.configuration, needed);
  archive.addJson(ENTRIES.catalogs, catalogs);
}

/** Collects the used attributes while it converts items for the archive. */
class UsedKeys {
  private readonly used = new Map<AttributeOwner, Set<string>>();
  /** Attributes whose catalogs notes and alarms refer to. */
  private readonly entries = new Set<number>();

  useEntries(attribute: number): void {
    this.entries.add(attribute);
  }

  usesEntries(attribute: number): boolean {
    return this.entries.has(attribute);
  }

  ofItem(owner: 'part' | 'characteristic'): (item: Part | Characteristic) => Item {
    return ({ uuid, path, attributes, comment }) => {
      this.add(owner, attributes);
      return { uuid, path, attributes, ...(comment !== undefined && { comment }) };
    };
  }

  ofMeasurement({ uuid, partUuid, attributes, comment, characteristics }: MeasurementWithValues): unknown {
    this.add('measurement', attributes);
    for (const value of Object.values(characteristics)) this.add('value', value);
    return { uuid, partUuid, attributes, ...(comment !== undefined && { comment }), characteristics };
  }

  has(owner: AttributeOwner, key: number): boolean {
    return this.used.get(owner)?.has(String(key)) ?? false;
  }

  private add(owner: AttributeOwner, attributes: Readonly<Record<string, string>>): void {
    const keys = this.used.get(owner) ?? new Set();
    this.used.set(owner, keys);
    for (const key in attributes) keys.add(key);
  }
}

class FileWriter {
  count = 0;
  private lists = 0;
  private readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  async addFiles(entity: RawDataEntity, uuids: readonly string[]): Promise<void> {
    const { client, signal } = this.exchange;
    for (const batch of batches(uuids, BATCH)) await this.add(await client.rawData.list(entity, { uuids: batch, signal }));
  }

  /** Adds the attributes of all values, because values cannot be listed by measurement. */
  async addOfValues(measurements: ReadonlySet<string>): Promise<void> {
    if (measurements.size === 0) return;
    const { client, signal } = this.exchange;
    const all = await client.rawData.list('Value', { signal });
    const ours = all.filter(({ target }) => measurements.has(target.uuid.split('|')[0] ?? ''));
    for (const batch of batches(ours, BATCH)) await this.add(batch);
  }

  private async add(files: readonly RawDataInformation[]): Promise<void> {
    const { client, archive, progress, signal } = this.exchange;
    const lines: ArchivedFile[] = [];
    for (const { target, key, fileName, mimeType, size } of files) {
      const content = numbered(ENTRIES.files, this.count);
      const { body } = await client.rawData.download(target, key, { signal });
      const passed = new Measured(['md5'], (bytes) => progress.advance(bytes));
      const source = body === null ? Readable.from([]) : Readable.fromWeb(body);
      source.on('error', (error) => passed.destroy(error));
      await archive.addStream(content, source.pipe(passed), PACKED.test(mimeType));
      // The file was replaced while it was read.
      if (passed.bytes !== size)
        throw new CommandError(`The file ${fileName} of ${target.entity} ${target.uuid} was changed while it was read. Try again.`);
      lines.push({ ...target, key, fileName, mimeType, size, md5: passed.digest('md5'), content });
      this.count += 1;
    }
    if (lines.length > 0) await archive.addLines(`${numbered(ENTRIES.fileLists, this.lists++)}.jsonl`, lines);
  }
}
