import { z } from 'zod';
import { LIST_ITEMS } from '../parameters.ts';

export type JsonSchema = Record<string, unknown>;

/** Schemas that others refer to, by name. */
export type SchemaComponents = Record<string, JsonSchema>;

const DEFINITIONS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/**
 * Converts a schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1.
 * @param direction `input`: sent by clients, before parsing; `output`: sent to clients, without additional members
 * @param components receives the schemas that have an `id` in their metadata
 */
export function jsonSchemaOf(schema: z.ZodType, direction: 'input' | 'output', components: SchemaComponents): JsonSchema {
  // The schema is wrapped so that one with an id becomes a reference too.
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

/** Rewrites references to the components of the document and removes members that only the generator needs. */
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
