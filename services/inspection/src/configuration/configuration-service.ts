import { batchConflict, invalidField, ROOT_PART_UUID, type PendingChange } from '@sinebar/contracts';
import type { WorkOptions, WriteSession } from '@sinebar/database';
import { parseEntryKey, typeProblem } from './attribute-values.ts';
import type { PlanWrites } from '../shared/plan-lock.ts';
import type { AttributePurgeJob } from './attribute-purge-job.ts';
import { AttributePurgeStore } from './attribute-purge-store.ts';
import {
  ATTRIBUTE_ENTITIES,
  MEASURED_VALUE_KEY,
  TIME_KEY,
  type AttributeDefinition,
  type AttributeEntity,
  type Configuration,
  type ConfigurationReader,
} from './configuration.ts';
import { ConfigurationStore } from './configuration-store.ts';
import { STORED_ATTRIBUTES } from './stored-attributes.ts';

/** A definition of a request; the path of the request has its entity type. */
export type DefinitionBody = Omit<AttributeDefinition, 'entity'>;

export interface ConfigurationServiceDependencies {
  writes: PlanWrites;
  configurations: ConfigurationReader;
  purge: AttributePurgeJob;
  now: () => Date;
}

/** Definitions that the storage of measured values and times needs; deleting them keeps the values (spec: decisions.md 2.2, 3.2). */
const FIXED: ReadonlyMap<number, Pick<AttributeDefinition, 'entity' | 'type'>> = new Map([
  [MEASURED_VALUE_KEY, { entity: 'value', type: 'Float' }],
  [TIME_KEY, { entity: 'measurement', type: 'DateTime' }],
]);

/**
 * Reads and changes attribute definitions; each change is one transaction under the plan lock. spec: inspection-service.md, Configuration
 */
export class ConfigurationService {
  private readonly deps: ConfigurationServiceDependencies;

  constructor(deps: ConfigurationServiceDependencies) {
    this.deps = deps;
  }

  /**
   * Creates definitions, after removing remaining values of deleted attributes with the same keys.
   * @throws ServiceError 409 a key exists; 400 a key twice, or a catalog that does not exist
   * spec: decisions.md 3.1, 3.2, 3.4
   */
  async create(entity: AttributeEntity, definitions: readonly DefinitionBody[], options: WorkOptions): Promise<void> {
    await this.change(entity, definitions, options, (_session, configuration) => {
      const conflicts = definitions.flatMap(({ key }, index) => {
        const existing = configuration.definitions.get(key);
        if (!existing) return [];
        return { field: `[${index}]`, message: `The attribute key ${key} already exists for the entity type ${existing.entity}.` };
      });
      const [first] = conflicts;
      if (first) throw batchConflict('AlreadyExists', `${first.field}: ${first.message}`, conflicts);
      return Promise.resolve();
    });
  }

  /**
   * Changes definitions and creates those whose key does not exist.
   * A definition of another entity type is moved here, and its stored values are deleted.
   * @throws ServiceError 400 as for `create`, or when a stored value does not fit the new type
   * spec: decisions.md 3.1, 3.3
   */
  async update(entity: AttributeEntity, definitions: readonly DefinitionBody[], options: WorkOptions): Promise<void> {
    await this.change(entity, definitions, options, async (session, configuration) => {
      for (const [index, definition] of definitions.entries()) {
        const before = configuration.definitions.get(definition.key);
        if (before?.entity === entity) await refuseMisfits(session, before, definition, configuration, `[${index}]`);
      }
      await this.requestPurge(session, definitionsMovedTo(entity, definitions, configuration));
    });
    this.deps.purge.wake();
  }

  /**
   * Deletes definitions with all their stored values, and removes them from the valid attributes of catalogs.
   * Ignores unknown keys.
   * @param entity all entity types when left out
   * @param keys all attributes of the entity type when left out
   * spec: decisions.md 3.2
   */
  async delete(options: WorkOptions, entity?: AttributeEntity, keys?: readonly number[]): Promise<void> {
    await this.deps.writes.write(options, async (session) => {
      const { definitions } = await this.deps.configurations.read(session);
      const wanted = keys && new Set(keys);
      const toDelete = [...definitions.values()].filter(
        (definition) => (entity === undefined || definition.entity === entity) && (wanted?.has(definition.key) ?? true),
      );
      if (toDelete.length === 0) return;
      const store = new ConfigurationStore(session);
      await store.delete(toDelete.map(({ key }) => key));
      await this.requestPurge(session, toDelete);
      await store.configurationChanged(this.deps.now());
      session.announce([configurationModified(toDelete)]);
    });
    this.deps.purge.wake();
  }

  /** Repeats the transaction until no value of a deleted attribute with one of the keys is left; the new definition would show it again. */
  private async change(
    entity: AttributeEntity,
    definitions: readonly DefinitionBody[],
    options: WorkOptions,
    prepare: (session: WriteSession, configuration: Configuration) => Promise<void>,
  ): Promise<void> {
    if (definitions.length === 0) return;
    const keys = definitions.map(({ key }) => key);
    for (;;) {
      const pending = await this.deps.writes.write(options, async (session) => {
        const configuration = await this.deps.configurations.read(session);
        refuseInvalid(entity, definitions, configuration);
        const leftovers = await new AttributePurgeStore(session).pendingAmong({ entity, keys });
        if (leftovers.length > 0) return leftovers;
        await prepare(session, configuration);
        const store = new ConfigurationStore(session);
        await store.put(entity, definitions);
        await store.configurationChanged(this.deps.now());
        const moved = definitionsMovedTo(entity, definitions, configuration);
        session.announce([configurationModified([...moved, ...keys.map((key) => ({ entity, key }))])]);
        return [];
      });
      if (pending.length === 0) return;
      await this.deps.purge.finish({ entity, keys: pending }, options);
    }
  }

  /** Requests the removal of the values of attributes that are deleted or moved to another entity type. */
  private async requestPurge(session: WriteSession, definitions: readonly AttributeDefinition[]): Promise<void> {
    const at = this.deps.now();
    const store = new ConfigurationStore(session);
    const purge = new AttributePurgeStore(session);
    for (const entity of ATTRIBUTE_ENTITIES) {
      const keys = definitions.filter((definition) => definition.entity === entity && !FIXED.has(definition.key)).map(({ key }) => key);
      if (keys.length === 0) continue;
      if (entity === 'catalog' && (await store.removeFromCatalogs(keys))) await store.catalogsChanged(at);
      await purge.request(entity, keys, at);
    }
  }
}

/** Returns the present definitions with these keys that belong to another entity type. */
function definitionsMovedTo(
  entity: AttributeEntity,
  definitions: readonly DefinitionBody[],
  configuration: Configuration,
): AttributeDefinition[] {
  return definitions.flatMap(({ key }) => configuration.definitions.get(key) ?? []).filter((before) => before.entity !== entity);
}

/** Makes a message with one event for each entity type. It names the root part, because it concerns the whole server. */
export function configurationModified(changed: readonly Pick<AttributeDefinition, 'entity' | 'key'>[]): PendingChange {
  const events = ATTRIBUTE_ENTITIES.flatMap((entity) => {
    const keys = changed.filter((definition) => definition.entity === entity).map(({ key }) => key);
    return keys.length === 0 ? [] : [{ EntityType: entity, AttributeKeys: keys.sort((a, b) => a - b) }];
  });
  return { type: 'ConfigurationModified', subject: ROOT_PART_UUID, partUuid: ROOT_PART_UUID, path: '', events };
}

function refuseInvalid(entity: AttributeEntity, definitions: readonly DefinitionBody[], configuration: Configuration): void {
  const seen = new Map<number, number>();
  definitions.forEach(({ key, type, catalog }, index) => {
    const refuse = (field: string, message: string): never => {
      throw invalidField(`[${index}].${field}`, message);
    };
    const other = seen.get(key);
    if (other !== undefined) refuse('key', `The attribute key ${key} stands in [${other}] already.`);
    seen.set(key, index);
    const fixed = FIXED.get(key);
    if (fixed && (fixed.entity !== entity || fixed.type !== type)) {
      refuse('key', `The attribute key ${key} is reserved for the entity type ${fixed.entity} with the type ${fixed.type}.`);
    }
    if (catalog === null) return;
    if (entity === 'catalog') refuse('definitionType', `The attribute ${key} of a catalog cannot refer to a catalog itself.`);
    if (!configuration.entryKeys.has(catalog)) refuse('catalog', `There is no catalog ${catalog}.`);
  });
}

/** Refuses a new type that stored values do not fit. The message omits the value, because the caller may not be allowed to read it. */
async function refuseMisfits(
  session: WriteSession,
  before: AttributeDefinition,
  after: DefinitionBody,
  configuration: Configuration,
  where: string,
): Promise<void> {
  const sameType = before.type === after.type && before.catalog === after.catalog;
  if (sameType && (before.length ?? 0) <= (after.length ?? 0)) return;
  const entryKeys = after.catalog === null ? undefined : configuration.entryKeys.get(after.catalog);
  for (const store of STORED_ATTRIBUTES[before.entity]) {
    for await (const values of store.values(session, before.key)) {
      for (const value of values) {
        const problem = typeProblem(value, after.type, after.length) ?? (entryKeys && entryProblem(value, entryKeys));
        if (problem === undefined) continue;
        const attribute = `${before.entity} attribute ${before.key}`;
        const message = `The ${attribute} cannot change its type, because a stored value does not fit: ${problem}.`;
        throw invalidField(where, message);
      }
    }
  }
}

function entryProblem(value: string, entryKeys: ReadonlySet<number>): string | undefined {
  const key = parseEntryKey(value);
  return key !== undefined && entryKeys.has(key) ? undefined : 'the catalog has no entry with this key';
}
