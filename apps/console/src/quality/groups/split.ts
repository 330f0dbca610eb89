import type { AnyAttributeDefinition, GroupedBy } from '@sinebar/client';
import { oneOf, whole } from '../../server/search-parameters';

const timeGroup = oneOf(['shift', 'day', 'week']);
const attributeKey = whole(0, 65_535);

/** Reads what values are split by from an address: the key of a measurement attribute, or shift, day or week. */
export const splitBy = (value: unknown): GroupedBy | undefined => timeGroup(value) ?? attributeKey(value);

/** Whether values of an attribute make groups: entries of catalogs, texts and whole numbers do. */
export function makesGroups(definition: AnyAttributeDefinition): boolean {
  if (definition.definitionType === 'CatalogAttributeDefinition') return true;
  return definition.type === 'AlphaNumeric' || definition.type === 'Integer';
}
