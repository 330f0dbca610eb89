import type { GroupedBy } from '@sinebar/client';
import type { Configuration } from '../attributes/configuration';
import { formatConditions, parseConditions, type ConditionFields } from './condition-text';

/**
 * Adds the condition that an attribute has a value, in place of those on the same attribute.
 * @param condition the parameter `searchCondition`
 */
export function conditionOn(
  condition: string | undefined,
  attribute: GroupedBy,
  value: string,
  configuration: Configuration,
): string | undefined {
  if (typeof attribute !== 'number') return condition;
  const others = (parseConditions(condition ?? '') ?? []).filter(({ field }) => field.kind !== 'attribute' || field.key !== attribute);
  const definition = configuration.byKey.get(attribute);
  const isNumber = definition?.definitionType === 'AttributeDefinition' && definition.type !== 'AlphaNumeric';
  const added: ConditionFields = { field: { kind: 'attribute', key: attribute }, operator: isNumber ? '=' : 'In', values: [value] };
  return formatConditions([...others, added]);
}
