import type { Formats } from '@sinebar/charts';
import type { AnyAttributeDefinition, Catalog } from '@sinebar/client';

/** A formatted attribute value; the note is what identifies a catalog entry besides its name. */
export interface AttributeText {
  text: string;
  note?: string;
}

/** Most significant digits that a number of JavaScript holds exactly. */
const EXACT_DIGITS = 15;

/** Formats a number text with the digits that it was written with; other texts stay. */
export function numberText(text: string, formats: Pick<Formats, 'number'>): string {
  const match = /^[+-]?(\d+)(?:\.(\d*))?$/.exec(text.trim());
  const [, whole = '', fraction = ''] = match ?? [];
  if (!match || whole.length + fraction.length > EXACT_DIGITS) return text;
  return formats.number(Number(text), fraction.length);
}

/** Formats the value of an attribute by the type of its definition; without a definition the text stays. */
export function attributeText(
  definition: AnyAttributeDefinition | undefined,
  text: string,
  catalogs: ReadonlyMap<string, Catalog>,
  definitions: ReadonlyMap<number, AnyAttributeDefinition>,
  formats: Pick<Formats, 'number' | 'dateTimeSeconds'>,
): AttributeText {
  if (definition === undefined) return { text };
  if (definition.definitionType === 'CatalogAttributeDefinition') {
    return entryText(catalogs.get(definition.catalog), text, definition.description, definitions);
  }
  if (definition.type === 'DateTime') return { text: dateText(text, formats) };
  if (definition.type === 'AlphaNumeric') return { text };
  return { text: numberText(text, formats) };
}

function dateText(text: string, formats: Pick<Formats, 'dateTimeSeconds'>): string {
  return Number.isNaN(Date.parse(text)) ? text : formats.dateTimeSeconds(text);
}

/**
 * Names an entry by the attribute that is called like the one that uses the catalog, else by its first text.
 * @param key key of the entry, as attributes store it
 */
export function entryText(
  catalog: Catalog | undefined,
  key: string,
  description: string,
  definitions: ReadonlyMap<number, AnyAttributeDefinition>,
): AttributeText {
  const entry = catalog?.catalogEntries.find((each) => String(each.key) === key);
  if (!catalog || !entry) return { text: key };
  const named = catalog.validAttributes.find((each) => definitions.get(each)?.description === description && entry.attributes[each]);
  const first = catalog.validAttributes.find((each) => entry.attributes[each]);
  const text = entry.attributes[named ?? first ?? ''];
  return text === undefined ? { text: key } : { text, note: key };
}
