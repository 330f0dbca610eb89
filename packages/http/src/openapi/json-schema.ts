import { z } from 'zod';
import { LIST_ITEMS } from '../parameters.js';

export type JsonSchema = Record<string, unknown>;

/** Schemas that others refer to, by name. */
export type SchemaComponents = Record<string, JsonSchema>;

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/**
 * A schema as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks.
 * @param direction `input`: what clients send, before it is read; `output`: what they get, with no members but those
 * @param components takes the schemas that have an `id` in their metadata
 */
export function jsonSchemaOf(schema: z.ZodType, direction: 'input' | 'output', components: SchemaComponents): JsonSchema {
  // Inside another schema, so that one with an id becomes a reference, too.
  const { properties, $defs } = z.toJSONSchema(z.object({ whole: schema }), {
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const item = LIST_ITEMS.get(zodSchema);
      if (item) Object.assign(jsonSchema, { type: 'array', items: jsonSchemaOf(item, direction, components) });
    },
  });
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] ??= cleaned(definition) as JsonSchema;
  return cleaned(properties?.['whole']) as JsonSchema;
}

/** Refers to the components of the document, and leaves out what only the generator needs. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' || !('$ref' in value || 'type' in value))
      .map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string' ? member.replace(DEFINITIONS, COMPONENTS) : cleaned(member),
      ]),
  );
}
