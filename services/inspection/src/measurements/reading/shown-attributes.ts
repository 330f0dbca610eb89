import type { AttributeSelection } from '@sinebar/query-language';
import { ruleOf } from '../../configuration/attribute-values.ts';
import type { AttributeEntity, Configuration } from '../../configuration/configuration.ts';

/**
 * Builds a predicate for the keys of an entity type that an answer shows: requested ones, and while values of deleted definitions are still
 * stored, defined ones. `undefined` when every stored key is shown.
 * spec: decisions.md 3.2
 */
export function shownKeys(
  entity: AttributeEntity,
  selection: AttributeSelection,
  configuration: Configuration,
): ((key: string) => boolean) | undefined {
  const purging = configuration.purging.has(entity);
  if (selection === 'all' && !purging) return undefined;
  const wanted = selection === 'all' ? undefined : new Set(selection);
  return (key) => (wanted?.has(Number(key)) ?? true) && (!purging || ruleOf(configuration, entity, Number(key)) !== undefined);
}

/** Filters stored attributes, given and returned as JSON text. */
export function attributesText(isShown: ((key: string) => boolean) | undefined, stored: string): string {
  if (isShown === undefined) return stored;
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(stored) as Record<string, string>).filter(([key]) => isShown(key))));
}
