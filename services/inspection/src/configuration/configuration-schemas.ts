import { isAttributeKey, MAX_ATTRIBUTE_KEY, parseList } from '@sinebar/query-language';
import { DecimalText, listOf, members, quoted, uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { ATTRIBUTE_ENTITIES, type AttributeEntity } from './configuration.ts';
import type { DefinitionBody } from './configuration-service.ts';

/** Largest `length`, an unsigned 16-bit number (spec: inspection-service.md, Limits 2). */
const MAX_LENGTH = 65_535;
const PLAIN_TYPES = ['AlphaNumeric', 'Integer', 'Float', 'DateTime'] as const;
const DEFINITION_TYPES = ['AttributeDefinition', 'CatalogAttributeDefinition'] as const;

/** Parses a whole number of a body; some clients send keys as text. */
export function wholeNumber(min: number, max: number) {
  const number = z.unknown().transform((value, context): number => {
    const number = typeof value === 'string' && /^-?\d{1,6}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
    const expected = `must be a whole number from ${min} to ${max}`;
    context.addIssue({ code: 'custom', message: value === undefined ? `is missing; it ${expected}` : `${expected}, not ${shown(value)}` });
    return z.NEVER;
  });
  return number.meta({ type: 'integer', minimum: min, maximum: max });
}

function shown(value: unknown): string {
  return value instanceof DecimalText ? value.text : quoted(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A text that can be stored and returned unchanged. */
export const storableText = z.string('must be a text').refine((text) => !/\p{Surrogate}/u.test(text), 'contains half of a surrogate pair');

export const attributeKey = wholeNumber(0, MAX_ATTRIBUTE_KEY);

/** Parses one of the words in any case (spec: decisions.md 1.2). */
function anyCase<T extends string>(words: readonly T[]): z.ZodType<T> {
  const message = `must be one of ${words.join(', ')}`;
  return z.string(message).transform((text, context) => {
    const word = words.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
    if (word !== undefined) return word;
    context.addIssue({ code: 'custom', message: `${message}, not ${quoted(text)}` });
    return z.NEVER;
  });
}

const plainType = anyCase(PLAIN_TYPES);
const length = wholeNumber(0, MAX_LENGTH);
/** Length of an AlphaNumeric attribute without `length` (spec: decisions.md 2.2). */
const DEFAULT_LENGTH = 255;

/** Parses a definition. Members that its kind or type does not use are ignored, even if they are invalid (spec: decisions.md 3.7). */
const definitionBody = members({
  key: attributeKey,
  description: storableText.nullish(),
  definitionType: anyCase(DEFINITION_TYPES),
  type: z.unknown().optional(),
  length: z.unknown().optional(),
  catalog: z.unknown().optional(),
}).transform((sent, context): DefinitionBody => {
  const read = <T>(schema: z.ZodType<T>, field: 'type' | 'length' | 'catalog'): T => {
    const parsed = schema.safeParse(sent[field]);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', path: [field], message: parsed.error.issues[0]?.message ?? 'is invalid' });
    return z.NEVER;
  };
  const named = { key: sent.key, description: sent.description ?? '' };
  if (sent.definitionType === 'CatalogAttributeDefinition') {
    return { ...named, type: 'Catalog', length: null, catalog: read(uuidParameter, 'catalog') };
  }
  const type = read(plainType, 'type');
  if (type !== 'AlphaNumeric') return { ...named, type, length: null, catalog: null };
  return { ...named, type, length: sent.length == null ? DEFAULT_LENGTH : read(length, 'length'), catalog: null };
});

/** spec: inspection-service.md, Configuration, POST and PUT */
export const definitionsBody = listOf(definitionBody, 'must be an array of attribute definitions');

/** Parses an entity type in singular or plural (spec: decisions.md 1.6). */
export const entityTypeParameter = z.string().transform((text, context): AttributeEntity => {
  const word = text.toLowerCase();
  const entity = ATTRIBUTE_ENTITIES.find((candidate) => word === candidate || word === `${candidate}s`);
  if (entity) return entity;
  context.addIssue({ code: 'custom', message: `${quoted(text)} is no entity type; use ${ATTRIBUTE_ENTITIES.join(', ')}` });
  return z.NEVER;
});

/** Parses the list of keys in the path of a deletion: `{1,2}` with optional braces. An empty list is an error (spec: decisions.md 1.7). */
export function deletedKeys(isKey: (text: string) => boolean, max: number) {
  return z.string().transform((text, context): number[] => {
    const items = parseList(text);
    const bad = items.find((item) => !isKey(item));
    if (bad === undefined && items.length > 0) return [...new Set(items.map(Number))];
    const problem = bad === undefined ? 'the list names no key' : `${quoted(bad)} is no key from 0 to ${max}`;
    context.addIssue({ code: 'custom', message: `${problem}, so nothing was deleted; write a list such as {1,2}` });
    return z.NEVER;
  });
}

export const deletedAttributeKeys = deletedKeys(isAttributeKey, MAX_ATTRIBUTE_KEY);
