import {
  ROOT_PART_UUID,
  SinebarError,
  type AnyAttributeDefinition,
  type Catalog,
  type CatalogEntry,
  type RawDataInformation,
  type SinebarClient,
} from '@sinebar/client';
import type { Progress } from '../../command-line/progress.ts';
import type { ArchiveReader } from './archive.ts';
import type { Conflicts } from './conflicts.ts';
import { isForbidden } from './forbidden.ts';
import { readCharacteristics, EVERYTHING_BELOW } from './plan-below.ts';
import {
  batches,
  catalogsSchema,
  configurationOf,
  configurationSchema,
  ENTRIES,
  fileSchema,
  itemSchema,
  measurementSchema,
  OWNERS,
  sameAttributes,
  unmarked,
  type ArchivedConfiguration,
  type ArchivedFile,
  type ArchivedMeasurement,
  type Item,
} from './content.ts';

const BATCH = 100;

export interface Import {
  client: SinebarClient;
  archive: ArchiveReader;
  conflicts: Conflicts;
  progress: Progress;
  signal: AbortSignal;
}

export interface NewConfiguration {
  definitions: ArchivedConfiguration;
  catalogs: Catalog[];
  /** Entries that existing catalogs of the server lack. */
  entries: { catalog: string; entries: CatalogEntry[] }[];
}

/** Finds configuration and catalogs that the server lacks. Existing descriptions and names stay. */
export async function checkConfiguration({ client, archive, conflicts, signal }: Import): Promise<NewConfiguration> {
  const wanted = await archive.json<ArchivedConfiguration>(ENTRIES.configuration, configurationSchema);
  const present = configurationOf(await client.configuration.get({ signal }));
  const known = new Map(OWNERS.flatMap((owner) => present[owner].map((definition) => [definition.key, { owner, definition }] as const)));
  const definitions = Object.fromEntries(
    OWNERS.map((owner) => [
      owner,
      wanted[owner].filter((definition) => {
        const other = known.get(definition.key);
        if (other && (other.owner !== owner || typeText(other.definition) !== typeText(definition))) {
          conflicts.add(
            'configuration',
            `attribute ${definition.key}: ${owner} ${typeText(definition)} here, ${other.owner} ${typeText(other.definition)} there`,
          );
        }
        return !other;
      }),
    ]),
  ) as unknown as ArchivedConfiguration;
  const catalogsThere = new Map((await client.catalogs.list({ signal })).map((catalog) => [catalog.uuid, catalog]));
  const catalogs: Catalog[] = [];
  const entries: NewConfiguration['entries'] = [];
  for (const catalog of await archive.json(ENTRIES.catalogs, catalogsSchema)) {
    const other = catalogsThere.get(catalog.uuid);
    if (!other) {
      catalogs.push(catalog);
      continue;
    }
    const missing = missingEntries(catalog, other, conflicts);
    if (missing.length > 0) entries.push({ catalog: catalog.uuid, entries: missing });
  }
  return { definitions, catalogs, entries };
}

function typeText(definition: AnyAttributeDefinition): string {
  if (definition.definitionType === 'CatalogAttributeDefinition') return `of catalog ${definition.catalog}`;
  return `${definition.type}${definition.length === undefined ? '' : ` of ${definition.length}`}`;
}

function missingEntries(catalog: Catalog, other: Catalog, conflicts: Conflicts): CatalogEntry[] {
  const unknown = catalog.validAttributes.filter((key) => !other.validAttributes.includes(key));
  if (unknown.length > 0)
    conflicts.add('configuration', `catalog ${other.name}: its entries have no attribute ${unknown.join(', ')} there`);
  const there = new Map(other.catalogEntries.map((entry) => [entry.key, entry]));
  return catalog.catalogEntries.filter((entry) => {
    const same = there.get(entry.key);
    if (same && !sameAttributes(same.attributes, entry.attributes))
      conflicts.add('configuration', `catalog ${other.name}: entry ${entry.key} is another one there`);
    return !same;
  });
}

type ExistingItem = Pick<Item, 'uuid' | 'path' | 'attributes'>;

export interface NewPlan {
  parts: Item[];
  characteristics: Item[];
  /** Root part with its attributes, when the whole plan is imported and the server's root has none. */
  root: Item | undefined;
}

/** Finds the parts and characteristics that the server lacks. Parts above the imported one only need to exist. */
export async function checkPlan(work: Import): Promise<NewPlan> {
  const { client, archive, conflicts, progress, signal } = work;
  progress.stage('Comparing the inspection plan', 'parts and characteristics');
  const parts: Item[] = [];
  for await (const item of archive.lines(ENTRIES.above, itemSchema)) {
    if ((await client.parts.list({ partPath: unmarked(item.path), depth: 0, signal })).length > 0) continue;
    if (await isHidden(client, item.uuid, signal)) continue;
    const [elsewhere] = await client.parts.list({ partUuids: [item.uuid], signal });
    if (elsewhere) conflicts.add('plan', `part ${item.path} is ${elsewhere.path} there`);
    parts.push(item);
  }
  const partPath = unmarked(archive.manifest.path);
  const there = await client.parts.list({ partPath, depth: EVERYTHING_BELOW, signal });
  let root: Item | undefined;
  const list = (uuids: string[]) => client.parts.list({ partUuids: uuids, signal });
  const newParts = await newItems(work, ENTRIES.parts, there, list, (item, other) => {
    const fillsRoot = item.uuid === ROOT_PART_UUID && Object.keys(other.attributes).length === 0;
    if (fillsRoot && Object.keys(item.attributes).length > 0) root = item;
    return fillsRoot;
  });
  const characteristicsThere: ExistingItem[] = [];
  for await (const ofPart of readCharacteristics(client, there, signal)) characteristicsThere.push(...ofPart);
  const characteristics = await newItems(work, ENTRIES.characteristics, characteristicsThere, (uuids) =>
    client.characteristics.list({ charUuids: uuids, signal }),
  );
  return { parts: [...parts, ...newParts], characteristics, root };
}

/** Whether the part exists but is not readable; write access below it is enough for an import. */
async function isHidden(client: SinebarClient, uuid: string, signal: AbortSignal): Promise<boolean> {
  return await client.parts.get(uuid, { signal }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof SinebarError && error.code === 'NotFound') return false;
      if (isForbidden(error)) return true;
      throw error;
    },
  );
}

async function newItems(
  { archive, conflicts, progress }: Import,
  entry: string,
  there: readonly ExistingItem[],
  byUuid: (uuids: string[]) => Promise<readonly ExistingItem[]>,
  isFine: (item: Item, other: ExistingItem) => boolean = () => false,
): Promise<Item[]> {
  const uuidsByPath = new Map(there.map((item) => [item.path.toLowerCase(), item.uuid]));
  const items: Item[] = [];
  for await (const item of archive.lines(entry, itemSchema)) items.push(item);
  const missing: Item[] = [];
  for (const batch of batches(items, BATCH)) {
    const known = new Map((await byUuid(batch.map(({ uuid }) => uuid))).map((item) => [item.uuid, item]));
    for (const item of batch) {
      const other = known.get(item.uuid);
      if (!other) {
        if (uuidsByPath.has(item.path.toLowerCase()))
          conflicts.add('plan', `${item.path} is there under another uuid, ${uuidsByPath.get(item.path.toLowerCase())}`);
        missing.push(item);
      } else if (other.path !== item.path) conflicts.add('plan', `${item.path} is ${other.path} there`);
      else if (!sameAttributes(item.attributes, other.attributes) && !isFine(item, other))
        conflicts.add('plan', `${item.path} has other attributes there`);
    }
    progress.advance(batch.length);
  }
  return missing;
}

/** Compares measurements. @returns the uuids of equal ones on the server */
export async function checkMeasurements({ client, archive, conflicts, progress, signal }: Import): Promise<Set<string>> {
  progress.stage('Comparing measurements', 'measurements', archive.manifest.counts.measurements);
  const present = new Set<string>();
  for await (const batch of archivedMeasurements(archive)) {
    const uuids = batch.map(({ uuid }) => uuid);
    const known = new Map(
      (await client.measurements.searchWithValues({ measurementUuids: uuids, aggregation: 'All', signal })).map((item) => [
        item.uuid,
        item,
      ]),
    );
    for (const measurement of batch) {
      const other = known.get(measurement.uuid);
      if (!other) continue;
      present.add(measurement.uuid);
      if (!sameMeasurement(measurement, other)) conflicts.add('measurements', `measurement ${measurement.uuid} is another one there`);
    }
    progress.advance(batch.length);
  }
  return present;
}

function sameMeasurement(a: ArchivedMeasurement, b: Omit<ArchivedMeasurement, 'comment'>): boolean {
  const values = Object.entries(a.characteristics);
  return (
    a.partUuid === b.partUuid &&
    sameAttributes(a.attributes, b.attributes) &&
    values.length === Object.keys(b.characteristics).length &&
    values.every(([uuid, value]) => sameAttributes(value, b.characteristics[uuid] ?? {}))
  );
}

/** Reads measurements in the batches of the export. */
export async function* archivedMeasurements(archive: ArchiveReader): AsyncGenerator<ArchivedMeasurement[]> {
  for (const name of archive.names(ENTRIES.measurements)) yield await all(archive.lines(name, measurementSchema));
}

export async function* archivedFiles(archive: ArchiveReader): AsyncGenerator<ArchivedFile[]> {
  for (const name of archive.names(ENTRIES.fileLists)) yield await all(archive.lines(name, fileSchema));
}

/** Compares files. @returns entries of the bytes of equal files on the server */
export async function checkFiles({ client, archive, conflicts, progress, signal }: Import): Promise<Set<string>> {
  progress.stage('Comparing files', 'files', archive.manifest.counts.files);
  const present = new Set<string>();
  for await (const batch of archivedFiles(archive)) {
    const known = new Map<string, RawDataInformation>();
    for (const entity of new Set(batch.map((file) => file.entity))) {
      const uuids = [...new Set(batch.filter((file) => file.entity === entity).map(({ uuid }) => uuid))];
      for (const file of await client.rawData.list(entity, { uuids, signal })) known.set(`${entity} ${file.target.uuid} ${file.key}`, file);
    }
    for (const file of batch) {
      const other = known.get(`${file.entity} ${file.uuid} ${file.key}`);
      if (!other) continue;
      present.add(file.content);
      const same = other.fileName === file.fileName && other.mimeType === file.mimeType && hexadecimal(other.md5) === file.md5;
      if (!same) conflicts.add('files', `file ${file.key} of ${file.entity} ${file.uuid} is another one there (${other.fileName})`);
    }
    progress.advance(batch.length);
  }
  return present;
}

/**
 * Converts an MD5 to hexadecimal digits; a server may write it as a .NET GUID with its first three groups reversed. spec:
 * raw-data-service.md, RawDataInformation
 */
function hexadecimal(md5: string): string {
  const turned = /^(..)(..)(..)(..)-(..)(..)-(..)(..)-(....)-(.{12})$/.exec(md5);
  if (!turned) return md5.toLowerCase();
  const [, a, b, c, d, e, f, g, h, rest, last] = turned;
  return `${d}${c}${b}${a}${f}${e}${h}${g}${rest}${last}`.toLowerCase();
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
