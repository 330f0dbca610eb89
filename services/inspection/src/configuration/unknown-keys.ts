import { GrammarError, type SearchCondition } from '@sinebar/query-language';
import { MEASURED_VALUE_KEY, TIME_KEY, type Configuration } from './configuration.ts';

/** Keys that are valid without a definition (spec: decisions.md 2.2). */
const ALWAYS_KNOWN: ReadonlySet<number> = new Set([MEASURED_VALUE_KEY, TIME_KEY]);

/**
 * Refuses a search for an attribute that the configuration does not have: an empty answer would hide a typing error in the key.
 * An attribute of another entity type is no mistake; the search finds nothing.
 * @throws GrammarError with the position of the key
 */
export function refuseUnknownKeys({ conditions }: SearchCondition, { definitions }: Configuration): void {
  for (const { field, position } of conditions) {
    if (field.kind !== 'attribute' || definitions.has(field.key) || ALWAYS_KNOWN.has(field.key)) continue;
    throw new GrammarError(`the configuration has no attribute ${field.key}; see GET /configuration for those that it has`, position);
  }
}
