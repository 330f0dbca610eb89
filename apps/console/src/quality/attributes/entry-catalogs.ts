import type { Language } from '@sinebar/charts';
import { STANDARD_ATTRIBUTES, type Catalog, type SinebarClient, type StandardCatalog } from '@sinebar/client';
import type { Configuration } from './configuration';
import { catalogIn } from './define-standard-attributes';

/** An entry that a note or an alarm may name. */
export interface ChosenEntry {
  readonly key: number;
  readonly text: string;
}

/** Finds the catalog whose entries have this attribute, as the server does: of several, the earliest. */
export function entryCatalog({ catalogs }: Pick<Configuration, 'catalogs'>, { attribute }: StandardCatalog): Catalog | undefined {
  return [...catalogs.values()].find(({ validAttributes }) => validAttributes.includes(attribute));
}

/** Lists the entries of a catalog in the order of their keys, in the reader's language. */
export function entriesOf({ validAttributes, catalogEntries }: Catalog, standard: StandardCatalog, language: Language): ChosenEntry[] {
  return catalogEntries
    .map(({ key, attributes }) => {
      const texts = [standard.attribute, ...validAttributes].map((attribute) => attributes[attribute]);
      const text = texts.find((each) => each !== undefined && each !== null) ?? String(key);
      return { key, text: entryText(text, standard, language) };
    })
    .sort((a, b) => a.key - b.key);
}

/** A standard entry in the reader's language; others as the plant has written them. */
export function entryText(text: string, { entries }: StandardCatalog, language: Language): string {
  return entries.find((names) => Object.values(names).includes(text))?.[language] ?? text;
}

/**
 * Creates a catalog with its standard entries, and the attribute of its entries where that is missing.
 * @throws SinebarError 403 without the rights, 409 where another user was faster
 */
export async function createEntryCatalog(
  client: SinebarClient,
  { byKey }: Pick<Configuration, 'byKey'>,
  catalog: StandardCatalog,
  language: Language,
): Promise<void> {
  const standard = STANDARD_ATTRIBUTES.find(({ key }) => key === catalog.attribute);
  if (standard?.type === 'AlphaNumeric' && !byKey.has(catalog.attribute)) {
    const { key, names, type, length } = standard;
    await client.configuration.create('catalog', [
      { definitionType: 'AttributeDefinition', key, description: names[language], type, ...(length !== undefined && { length }) },
    ]);
  }
  await client.catalogs.create([catalogIn(catalog, language)]);
}
