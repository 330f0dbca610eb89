import { STANDARD_ATTRIBUTES, type StandardAttribute, type StandardNames } from '@sinebar/contracts';
import type { NamedAttribute } from '@sinebar/exchange';
import type { AttributeDefinition, Configuration } from '../configuration/configuration.ts';

const STANDARD_BY_KEY: ReadonlyMap<number, StandardAttribute> = new Map(STANDARD_ATTRIBUTES.map((attribute) => [attribute.key, attribute]));
/** Kinds of entity in the order in which a name is looked up. */
const ENTITIES = ['measurement', 'characteristic', 'part'] as const;
const NUMBERS: ReadonlySet<string> = new Set(['Integer', 'Float']);

/** Names of an attribute: the one of the server, and those of the standard attribute where it has one of these. */
function namesOf({ key, entity, description }: AttributeDefinition): string[] {
  const standard = STANDARD_BY_KEY.get(key);
  const names = standard?.entity === entity ? [standard.names.en, standard.names.de] : [];
  return names.includes(description) ? [description, ...names] : [description];
}

/** Name of an attribute in a language, where the server has a standard name for it. */
export function nameIn(definition: AttributeDefinition, language: keyof StandardNames): string {
  const standard = STANDARD_BY_KEY.get(definition.key);
  return namesOf(definition).length > 1 && standard ? standard.names[language] : definition.description;
}

/** Names by which columns of tables are found: those of the server's attributes, then those of the standard attributes that it lacks. */
export function namedAttributes({ definitions }: Configuration): NamedAttribute[] {
  return ENTITIES.flatMap((entity) => [
    ...[...definitions.values()]
      .filter((definition) => definition.entity === entity)
      .map((definition) => ({ of: entity, key: definition.key, names: namesOf(definition), isNumber: NUMBERS.has(definition.type) })),
    ...STANDARD_ATTRIBUTES.filter((standard) => standard.entity === entity && !definitions.has(standard.key)).map(
      ({ key, names, type }) => ({
        of: entity,
        key,
        names: [names.en, names.de],
        isNumber: NUMBERS.has(type),
      }),
    ),
  ]);
}
