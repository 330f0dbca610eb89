import { batchConflict, invalidField, ServiceError } from '@sinebar/contracts';
import type { WorkOptions, WriteSession, Session } from '@sinebar/database';
import { checkAttributes, refuseUnlessStored, typeProblem, type OutdatedValue, type RawAttributes } from '../attribute-values.ts';
import type { Configuration, ConfigurationReader } from '../configuration.ts';
import { ConfigurationStore } from '../configuration-store.ts';
import { STORED_ATTRIBUTES } from '../stored-attributes.ts';
import type { PlanWrites } from '../../shared/plan-lock.ts';
import { CatalogStore, findCatalogs, readCatalogs, type Catalog, type CatalogEntry, type CatalogWithEntries } from './catalogs-store.ts';
import { entryKeysOf } from './entry-keys.ts';

export interface EntryBody {
  /** Key of the entry, or `NEXT_FREE_KEY`. */
  key: number;
  attributes?: RawAttributes | undefined;
}

export interface NewCatalogBody extends Catalog {
  catalogEntries?: readonly EntryBody[] | undefined;
}

/** Members that are left out stay unchanged, and so do the attributes of an entry without them. */
export interface ChangedCatalogBody {
  uuid: string;
  name?: string | undefined;
  validAttributes?: readonly number[] | undefined;
  catalogEntries?: readonly EntryBody[] | undefined;
}

export interface NamedCatalogs {
  uuids: readonly string[];
  /** Whether the request has a list, in which unknown uuids are ignored. */
  isList: boolean;
}

export interface CatalogsServiceDependencies {
  writes: PlanWrites;
  configurations: ConfigurationReader;
  now: () => Date;
}

const UNDEFINED_VALUE = 'not defined';
const NO_KEYS: ReadonlySet<number> = new Set();

/** Context of a change under the plan lock, with the configuration before the change. */
interface Change {
  session: WriteSession;
  store: CatalogStore;
  configuration: Configuration;
}

/** Reads and changes catalogs; each change is one transaction under the plan lock. spec: inspection-service.md, Catalogs */
export class CatalogsService {
  private readonly deps: CatalogsServiceDependencies;

  constructor(deps: CatalogsServiceDependencies) {
    this.deps = deps;
  }

  list(session: Session): Promise<CatalogWithEntries[]> {
    return readCatalogs(session);
  }

  get(uuid: string, session: Session): Promise<CatalogWithEntries[]> {
    return readCatalogs(session, [uuid]);
  }

  /** @throws ServiceError 404 */
  async refuseUnknown(uuid: string, session: Session): Promise<void> {
    if ((await findCatalogs(session, [uuid])).length === 0) throw unknownCatalog(uuid);
  }

  /**
   * Creates catalogs; one without entries gets its default entry.
   * @throws ServiceError 409 a catalog exists; 400 a catalog or entry key twice, an invalid attribute
   * spec: inspection-service.md, Catalogs, rules 1 and 2; decisions.md 3.6
   */
  async create(bodies: readonly NewCatalogBody[], options: WorkOptions): Promise<void> {
    if (bodies.length === 0) return;
    await this.change(options, async ({ store, configuration }) => {
      refuseRepeated(bodies);
      refuseExisting(bodies, configuration);
      const catalogs = bodies.map((body, index) => {
        refuseUndefined(body.validAttributes, configuration, index);
        const sent = checkedEntries(body, body.catalogEntries ?? [], NO_KEYS, configuration, `[${index}].catalogEntries`);
        return { ...body, catalogEntries: sent.length === 0 ? [defaultEntry(body, configuration)] : sent };
      });
      await store.put(catalogs);
      for (const { uuid, catalogEntries } of catalogs) await store.insertEntries(uuid, catalogEntries);
      return true;
    });
  }

  /** Adds entries to a catalog. @throws ServiceError 404; 409 an entry exists; 400 a key twice, an invalid attribute */
  async addEntries(uuid: string, bodies: readonly EntryBody[], options: WorkOptions): Promise<void> {
    await this.change(options, async ({ session, store, configuration }) => {
      const [catalog] = await findCatalogs(session, [uuid]);
      if (!catalog) throw unknownCatalog(uuid);
      const entries = checkedEntries(catalog, bodies, configuration.entryKeys.get(uuid) ?? NO_KEYS, configuration, '');
      await store.insertEntries(uuid, entries);
      return entries.length > 0;
    });
  }

  /**
   * Replaces name, valid attributes and entries. A catalog may become empty: only creation adds the default entry.
   * References to removed entry keys are removed; references to remaining keys stay.
   * @throws ServiceError 404 a catalog does not exist; 400 as for `create`
   * spec: inspection-service.md, Catalogs, rule 3; decisions.md 3.5
   */
  async update(bodies: readonly ChangedCatalogBody[], options: WorkOptions): Promise<void> {
    if (bodies.length === 0) return;
    await this.change(options, async (change) => {
      const { session, store, configuration } = change;
      refuseRepeated(bodies);
      const uuids = bodies.map(({ uuid }) => uuid);
      const existing = new Map((await readCatalogs(session, uuids)).map((catalog) => [catalog.uuid, catalog]));
      const catalogs = bodies.map((body, index) => {
        const before = existing.get(body.uuid);
        if (!before) throw new ServiceError('NotFound', `[${index}]: There is no catalog ${body.uuid}.`);
        const validAttributes = body.validAttributes ?? before.validAttributes;
        refuseUndefined(validAttributes, configuration, index);
        const catalog = { uuid: body.uuid, name: body.name ?? before.name, validAttributes };
        const { catalogEntries: stored } = before;
        const sent = body.catalogEntries ?? stored;
        return { ...catalog, catalogEntries: checkedEntries(catalog, sent, NO_KEYS, configuration, `[${index}].catalogEntries`, stored) };
      });
      await store.put(catalogs);
      for (const { uuid, catalogEntries } of catalogs) {
        await store.deleteEntries(uuid);
        await store.insertEntries(uuid, catalogEntries);
        await removeReferences(change, uuid, new Set(catalogEntries.map(({ key }) => key)));
      }
      return true;
    });
  }

  /**
   * Deletes catalogs with their entries.
   * @param named all catalogs when left out
   * @throws ServiceError 404 a single catalog does not exist; 409 an attribute refers to one of them
   * spec: decisions.md 2.6, 3.4
   */
  async delete(options: WorkOptions, named?: NamedCatalogs): Promise<void> {
    await this.change(options, async ({ session, store, configuration }) => {
      const catalogs = named ? await existingCatalogs(session, named) : await findCatalogs(session);
      const names = new Map(catalogs.map(({ uuid, name }) => [uuid, name]));
      refuseReferences(names, configuration);
      await store.delete([...names.keys()]);
      return catalogs.length > 0;
    });
  }

  /** Deletes all entries of catalogs; the catalogs stay. @throws ServiceError 404 as for `delete` */
  async deleteAllEntries(named: NamedCatalogs, options: WorkOptions): Promise<void> {
    await this.change(options, async (change) => {
      const catalogs = await existingCatalogs(change.session, named);
      for (const { uuid } of catalogs) {
        await change.store.deleteEntries(uuid);
        await removeReferences(change, uuid, NO_KEYS);
      }
      return catalogs.length > 0;
    });
  }

  /** Deletes entries; keys that do not exist are ignored. @throws ServiceError 404 the catalog does not exist */
  async deleteEntries(uuid: string, keys: readonly number[], options: WorkOptions): Promise<void> {
    await this.change(options, async (change) => {
      const before = change.configuration.entryKeys.get(uuid);
      if (!before) throw unknownCatalog(uuid);
      const toDelete = new Set(keys);
      const left = new Set([...before].filter((key) => !toDelete.has(key)));
      if (left.size === before.size) return false;
      await change.store.deleteEntries(uuid, keys);
      await removeReferences(change, uuid, left);
      return true;
    });
  }

  /**
   * Increments the catalog version. The revision of the plan and the versions of its items stay as they are.
   * @param work returns whether it has changed anything
   */
  private change(options: WorkOptions, work: (change: Change) => Promise<boolean>): Promise<void> {
    const { writes, configurations, now } = this.deps;
    return writes.write(options, async (session) => {
      const configuration = await configurations.read(session);
      if (await work({ session, store: new CatalogStore(session), configuration }))
        await new ConfigurationStore(session).catalogsChanged(now());
    });
  }
}

async function existingCatalogs(session: WriteSession, { uuids, isList }: NamedCatalogs): Promise<Catalog[]> {
  const catalogs = await findCatalogs(session, uuids);
  const [only] = uuids;
  if (catalogs.length === 0 && !isList && only !== undefined) throw unknownCatalog(only);
  return catalogs;
}

function unknownCatalog(uuid: string): ServiceError {
  return new ServiceError('NotFound', `There is no catalog ${uuid}.`);
}

function refuseExisting(bodies: readonly { uuid: string }[], { entryKeys }: Configuration): void {
  const conflicts = bodies.flatMap(({ uuid }, index) =>
    entryKeys.has(uuid) ? [{ field: `[${index}]`, message: `The catalog ${uuid} already exists.` }] : [],
  );
  const [first] = conflicts;
  if (first) throw batchConflict('AlreadyExists', `${first.field}: ${first.message}`, conflicts);
}

/** @param names the catalogs to delete, by uuid */
function refuseReferences(names: ReadonlyMap<string, string>, { definitions }: Configuration): void {
  const conflicts = [...definitions.values()].flatMap(({ key, entity, catalog }) => {
    if (catalog === null || !names.has(catalog)) return [];
    const name = `${catalog} ("${names.get(catalog)}")`;
    return { field: 'uuid', message: `The catalog ${name} cannot be deleted, because the ${entity} attribute ${key} refers to it.` };
  });
  const [first] = conflicts;
  if (first) throw batchConflict('InUse', first.message, conflicts);
}

function refuseRepeated(bodies: readonly { uuid: string }[]): void {
  const seen = new Map<string, number>();
  bodies.forEach(({ uuid }, index) => {
    const other = seen.get(uuid);
    if (other !== undefined) throw new ServiceError('InvalidRequest', `[${index}]: The catalog ${uuid} stands in [${other}] already.`);
    seen.set(uuid, index);
  });
}

function refuseUndefined(validAttributes: readonly number[], { definitions }: Configuration, index: number): void {
  for (const key of validAttributes) {
    if (definitions.get(key)?.entity === 'catalog') continue;
    const message = `The key ${key} is not defined for the entity type catalog.`;
    throw invalidField(`[${index}].validAttributes`, message);
  }
}

function checkedEntries(
  { uuid, validAttributes }: Catalog,
  bodies: readonly EntryBody[],
  taken: ReadonlySet<number>,
  configuration: Configuration,
  where: string,
  stored: readonly CatalogEntry[] = [],
): CatalogEntry[] {
  const keys = entryKeysOf(
    bodies.map(({ key }) => key),
    taken,
    where,
  );
  const valid = new Set(validAttributes);
  const before = new Map(stored.map(({ key, attributes }) => [key, attributes]));
  return bodies.map((body, index) => {
    const pointer = `${where}[${index}]`;
    const outdated: OutdatedValue[] = [];
    const sent = body.attributes ?? before.get(body.key) ?? {};
    const attributes = checkAttributes('catalog', sent, configuration, pointer, { outdated: (value) => void outdated.push(value) });
    refuseUnlessStored(outdated, before.get(body.key));
    const foreign = Object.keys(attributes).find((key) => !valid.has(Number(key)));
    if (foreign !== undefined) {
      const keys = [...valid].join(', ') || 'none';
      const message = `The attribute ${foreign} is not one of the valid attributes of the catalog ${uuid} (${keys}).`;
      throw invalidField(`${pointer}.attributes.${foreign}`, message, `${pointer}.attributes: ${message}`);
    }
    // There is one key for each body.
    return { key: keys[index] as number, attributes };
  });
}

/**
 * Leaves out a value that its definition does not allow (a length below that of the text), so that the catalog stays valid when sent back.
 */
function defaultEntry({ validAttributes }: Catalog, { definitions }: Configuration): CatalogEntry {
  const texts = validAttributes.filter((key) => {
    const definition = definitions.get(key);
    return definition?.type === 'AlphaNumeric' && typeProblem(UNDEFINED_VALUE, definition.type, definition.length) === undefined;
  });
  return { key: 0, attributes: Object.fromEntries(texts.map((key) => [String(key), UNDEFINED_VALUE])) };
}

/** Removes the stored references to removed entries of a catalog. spec: decisions.md 3.5 */
async function removeReferences({ session, configuration }: Change, catalog: string, left: ReadonlySet<number>): Promise<void> {
  const vanished = [...(configuration.entryKeys.get(catalog) ?? [])].filter((key) => !left.has(key));
  if (vanished.length === 0) return;
  for (const definition of configuration.definitions.values()) {
    if (definition.catalog !== catalog) continue;
    for (const store of STORED_ATTRIBUTES[definition.entity]) await store.removeReferences(session, definition.key, vanished);
  }
}
