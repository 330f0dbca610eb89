import type { AnyAttributeDefinition } from '@sinebar/client';
import type { ConditionOperator, ItemField } from '@sinebar/query-language';
import type { ConditionFields } from './condition-text';

/** How values of a field are entered and compared. */
export type FieldType = 'text' | 'number' | 'time' | 'catalog';

/** A field that a condition may name. */
export interface ConditionField {
  /** `4`, `LastModified`: as the interface writes it. */
  id: string;
  field: ItemField;
  name: string;
  type: FieldType;
  /** Uuid of the catalog with the possible values. */
  catalog?: string;
}

/** Operators in the order in which they are offered, by type. */
export const OPERATORS: Readonly<Record<FieldType, readonly ConditionOperator[]>> = {
  text: ['In', '=', 'Like', '<>', 'NotIn'],
  number: ['=', '>=', '<=', '>', '<', '<>'],
  time: ['>=', '<', '>', '<='],
  catalog: ['In', 'NotIn'],
};

/** Lists the fields of measurements, and those that the server keeps. spec: decisions.md 1.5 */
export function conditionFields(
  definitions: readonly AnyAttributeDefinition[],
  names: { lastModified: string; created: string },
): ConditionField[] {
  return [
    ...definitions.map((definition): ConditionField => {
      const base = { id: String(definition.key), field: { kind: 'attribute' as const, key: definition.key }, name: definition.description };
      if (definition.definitionType === 'CatalogAttributeDefinition') return { ...base, type: 'catalog', catalog: definition.catalog };
      return { ...base, type: definition.type === 'AlphaNumeric' ? 'text' : definition.type === 'DateTime' ? 'time' : 'number' };
    }),
    { id: 'LastModified', field: { kind: 'LastModified' }, name: names.lastModified, type: 'time' },
    { id: 'Created', field: { kind: 'Created' }, name: names.created, type: 'time' },
  ];
}

/** The field of a condition; one that has no definition is a text with its key as name. */
export function fieldOf({ field }: ConditionFields, fields: readonly ConditionField[]): ConditionField {
  const id = field.kind === 'attribute' ? String(field.key) : field.kind;
  return fields.find((each) => each.id === id) ?? { id, field, name: id, type: 'text' };
}

/** Offers the operators of a field, with the one in use although it is unusual for its type. */
export function operatorsOf(type: FieldType, used: ConditionOperator): readonly ConditionOperator[] {
  return OPERATORS[type].includes(used) ? OPERATORS[type] : [...OPERATORS[type], used];
}
