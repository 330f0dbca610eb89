import { randomUUID } from 'node:crypto';
import type { Principal } from '@sinebar/access-control';
import { CAUSE_ATTRIBUTE, STANDARD_ATTRIBUTES, STANDARD_CAUSES, type StandardAttribute } from '@sinebar/contracts';
import {
  MEASURED_VALUE_KEY,
  TIME_KEY,
  type AttributeDefinition,
  type AttributeEntity,
  type Configuration,
} from '../../../configuration/configuration.ts';
import type { Catalog } from '../../../configuration/catalogs/catalogs-store.ts';
import type { FileKeys } from './file-keys.ts';

/** Definitions and catalogs that an import creates. */
export interface NewDefinitions {
  definitions: AttributeDefinition[];
  catalogs: Catalog[];
}

export const NO_DEFINITIONS: NewDefinitions = { definitions: [], catalogs: [] };

const BY_KEY = new Map(STANDARD_ATTRIBUTES.map((attribute) => [attribute.key, attribute]));
/** Valid without a definition. spec: decisions.md 2.2 */
const ALWAYS_VALID: ReadonlySet<number> = new Set([MEASURED_VALUE_KEY, TIME_KEY]);

/** Keys of the standard attributes whose values are entries of catalogs. */
export const STANDARD_CATALOG_KEYS: readonly number[] = STANDARD_ATTRIBUTES.flatMap(({ key, type }) => (type === 'Catalog' ? [key] : []));

/**
 * Drafts the standard attributes that a file needs, for kinds of entity without attributes of the plant's own, as far as the caller may
 * define them. spec: decisions.md 11.1
 */
export function neededDefinitions(configuration: Configuration, keys: FileKeys, principal: Principal): NewDefinitions {
  const drafted: NewDefinitions = { definitions: [], catalogs: [] };
  if (!principal.holds('configuration:write')) return drafted;
  const configured = new Set([...configuration.definitions.values()].filter((one) => !isStandard(one)).map(({ entity }) => entity));
  const isFree = ({ key, entity }: StandardAttribute) => !configured.has(entity) && !configuration.definitions.has(key);
  for (const attribute of STANDARD_ATTRIBUTES) {
    const { key, entity } = attribute;
    if (entity === 'catalog' || ALWAYS_VALID.has(key) || !isFree(attribute) || !keys.has(entity, key)) continue;
    if (attribute.catalog === undefined) {
      drafted.definitions.push(definitionOf(attribute, null));
      continue;
    }
    const ofEntries = attribute.catalog.validAttributes.flatMap((one) => {
      const standard = BY_KEY.get(one);
      const isThere = configuration.definitions.get(one)?.entity === 'catalog';
      return standard !== undefined && (isThere || isFree(standard)) ? [{ standard, isThere }] : [];
    });
    if (ofEntries.length === 0 || !principal.holds('catalog:write')) continue;
    const catalog = {
      uuid: randomUUID(),
      name: attribute.catalog.names.en,
      validAttributes: ofEntries.map(({ standard }) => standard.key),
    };
    drafted.catalogs.push(catalog);
    for (const { standard, isThere } of ofEntries) if (!isThere) drafted.definitions.push(definitionOf(standard, null));
    drafted.definitions.push(definitionOf(attribute, catalog.uuid));
  }
  const cause = BY_KEY.get(CAUSE_ATTRIBUTE);
  if (cause && keys.events.size > 0 && isFree(cause) && principal.holds('catalog:write')) {
    drafted.catalogs.push({ uuid: randomUUID(), name: STANDARD_CAUSES.names.en, validAttributes: [CAUSE_ATTRIBUTE] });
    drafted.definitions.push(definitionOf(cause, null));
  }
  return drafted;
}

/** Whether a definition is one of the list, unchanged: it says nothing about what the plant wants to keep. */
function isStandard({ key, entity, type, length, description }: AttributeDefinition): boolean {
  const standard = BY_KEY.get(key);
  return (
    standard?.entity === entity &&
    standard.type === type &&
    (standard.length ?? null) === length &&
    Object.values(standard.names).includes(description)
  );
}

/** The configuration as it is after the definitions were created. */
export function withDefinitions(configuration: Configuration, { definitions, catalogs }: NewDefinitions): Configuration {
  if (definitions.length === 0) return configuration;
  return {
    ...configuration,
    definitions: new Map([...configuration.definitions, ...definitions.map((definition) => [definition.key, definition] as const)]),
    entryKeys: new Map([...configuration.entryKeys, ...catalogs.map(({ uuid }) => [uuid, new Set<number>()] as const)]),
  };
}

/** Definitions by their kind of entity; catalog attributes first, because catalogs refer to them. */
export function byEntity(definitions: readonly AttributeDefinition[]): Map<AttributeEntity, AttributeDefinition[]> {
  const lists = new Map<AttributeEntity, AttributeDefinition[]>([['catalog', []]]);
  for (const definition of definitions) lists.set(definition.entity, [...(lists.get(definition.entity) ?? []), definition]);
  return lists;
}

function definitionOf({ key, entity, names, type, length }: StandardAttribute, catalog: string | null): AttributeDefinition {
  return { key, entity, description: names.en, type, length: length ?? null, catalog };
}
