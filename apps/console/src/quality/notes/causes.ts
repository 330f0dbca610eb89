import type { Language } from '@sinebar/charts';
import { CAUSE_ATTRIBUTE, STANDARD_ATTRIBUTES, STANDARD_CAUSES, type Catalog, type SinebarClient } from '@sinebar/client';
import type { Configuration } from '../attributes/configuration';
import { causeCatalogIn } from '../attributes/define-standard-attributes';

/** A cause that a note may name. */
export interface Cause {
  /** Key of its entry. */
  readonly key: number;
  readonly text: string;
}

/** Finds the catalog of causes as the server does: of several, the earliest. */
export function causeCatalog({ catalogs }: Pick<Configuration, 'catalogs'>): Catalog | undefined {
  return [...catalogs.values()].find(({ validAttributes }) => validAttributes.includes(CAUSE_ATTRIBUTE));
}

/** Lists the causes of a catalog in the order of their keys, in the reader's language. */
export function causesOf({ validAttributes, catalogEntries }: Catalog, language: Language): Cause[] {
  return catalogEntries
    .map(({ key, attributes }) => {
      const texts = [CAUSE_ATTRIBUTE, ...validAttributes].map((attribute) => attributes[attribute]);
      return { key, text: causeText(texts.find((text) => text !== undefined && text !== null) ?? String(key), language) };
    })
    .sort((a, b) => a.key - b.key);
}

/** A standard cause in the reader's language; others as the plant has written them. */
export function causeText(text: string, language: Language): string {
  return STANDARD_CAUSES.entries.find((names) => Object.values(names).includes(text))?.[language] ?? text;
}

/**
 * Creates the catalog of causes with its standard entries, and the attribute of its entries where that is missing.
 * @throws SinebarError 403 without the rights, 409 where another user was faster
 */
export async function createCauses(client: SinebarClient, { byKey }: Pick<Configuration, 'byKey'>, language: Language): Promise<void> {
  const standard = STANDARD_ATTRIBUTES.find(({ key }) => key === CAUSE_ATTRIBUTE);
  if (standard?.type === 'AlphaNumeric' && !byKey.has(CAUSE_ATTRIBUTE)) {
    const { key, names, type, length } = standard;
    await client.configuration.create('catalog', [
      { definitionType: 'AttributeDefinition', key, description: names[language], type, ...(length !== undefined && { length }) },
    ]);
  }
  await client.catalogs.create([causeCatalogIn(language)]);
}
