import type { Language } from '@sinebar/charts';
import {
  STAMP_ATTRIBUTES,
  STANDARD_ATTRIBUTES,
  type AnyAttributeDefinition,
  type AttributeOwner,
  type StandardAttribute,
} from '@sinebar/client';

const BY_KEY: ReadonlyMap<number, StandardAttribute> = new Map(
  [...STANDARD_ATTRIBUTES, ...STAMP_ATTRIBUTES].map((attribute) => [attribute.key, attribute]),
);

/** Finds the standard attribute of a kind of entity with a key. */
export function standardAttribute(owner: AttributeOwner, key: number): StandardAttribute | undefined {
  const found = BY_KEY.get(key);
  return found?.entity === owner ? found : undefined;
}

/** The definition with its name in the reader's language, if it has the name of a standard attribute in another one. */
export function inLanguage<T extends AnyAttributeDefinition>(owner: AttributeOwner, definition: T, language: Language): T {
  const names = standardAttribute(owner, definition.key)?.names;
  const isStandard = names !== undefined && Object.values(names).includes(definition.description);
  return isStandard ? { ...definition, description: names[language] } : definition;
}
