import type { Language } from '@sinebar/charts';
import {
  STANDARD_ATTRIBUTES,
  STANDARD_ENTRY_CATALOGS,
  type AnyAttributeDefinition,
  type AttributeOwner,
  type SinebarClient,
  type StandardAttribute,
  type StandardCatalog,
  type WrittenCatalog,
} from '@sinebar/client';
import { newUuid } from '../../server/new-uuid';
import type { Configuration } from './configuration';

/** Attributes that entries of catalogs carry come before the catalogs, and these before what refers to them. */
const OTHER_OWNERS: readonly AttributeOwner[] = ['part', 'characteristic', 'measurement', 'value'];

/** Standard attributes whose keys the server has not yet. Those of catalogs are left out where the reader may not create catalogs. */
export function missingStandardAttributes(configuration: Configuration, mayCreateCatalogs: boolean): StandardAttribute[] {
  const needsCatalog = ({ key, type }: StandardAttribute) => type === 'Catalog' || STANDARD_ENTRY_CATALOGS.has(key);
  return STANDARD_ATTRIBUTES.filter(
    (attribute) => !configuration.byKey.has(attribute.key) && (mayCreateCatalogs || !needsCatalog(attribute)),
  );
}

/**
 * Defines attributes with their names in a language, the catalogs that they refer to, and those of causes and actions.
 * May be repeated after a failure with those that are still missing.
 * @throws SinebarError 403, 409
 */
export async function defineStandardAttributes(
  server: SinebarClient,
  { catalogs }: Configuration,
  missing: readonly StandardAttribute[],
  language: Language,
): Promise<void> {
  const byName = new Map([...catalogs.values()].map(({ name, uuid }) => [name, uuid]));
  const definitionsOf = (owner: AttributeOwner) =>
    missing.filter(({ entity }) => entity === owner).map((attribute) => definitionOf(attribute, byName, language));
  const create = async (owner: AttributeOwner) => {
    const definitions = definitionsOf(owner);
    if (definitions.length > 0) await server.configuration.create(owner, definitions);
  };
  await create('catalog');
  const created: WrittenCatalog[] = missing.flatMap(({ key, catalog }) => {
    // No attribute refers to it; notes and alarms do.
    const entries = STANDARD_ENTRY_CATALOGS.get(key);
    if (entries) return catalogIn(entries, language);
    if (catalog === undefined || uuidIn(byName, catalog) !== undefined) return [];
    const { names, validAttributes } = catalog;
    return { uuid: newUuid(), name: names[language], validAttributes: [...validAttributes] };
  });
  if (created.length > 0) await server.catalogs.create(created);
  for (const { name, uuid } of created) byName.set(name, uuid);
  for (const owner of OTHER_OWNERS) await create(owner);
}

/** A catalog with its first entries, as a new plant gets it. */
export function catalogIn({ attribute, names, entries }: StandardCatalog, language: Language): WrittenCatalog {
  return {
    uuid: newUuid(),
    name: names[language],
    validAttributes: [attribute],
    catalogEntries: entries.map((text, i) => ({ key: i + 1, attributes: { [attribute]: text[language] } })),
  };
}

function definitionOf(
  { key, names, type, length, catalog }: StandardAttribute,
  catalogs: ReadonlyMap<string, string>,
  language: Language,
): AnyAttributeDefinition {
  const named = { key, description: names[language] };
  if (type !== 'Catalog') return { definitionType: 'AttributeDefinition', ...named, type, ...(length !== undefined && { length }) };
  return { definitionType: 'CatalogAttributeDefinition', ...named, catalog: (catalog && uuidIn(catalogs, catalog)) ?? '' };
}

function uuidIn(catalogs: ReadonlyMap<string, string>, { names }: NonNullable<StandardAttribute['catalog']>): string | undefined {
  return catalogs.get(names.en) ?? catalogs.get(names.de);
}
