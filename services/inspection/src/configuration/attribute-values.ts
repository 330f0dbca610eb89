import { invalidField, type ServiceError } from '@sinebar/contracts';
import { fitsDouble, isAttributeKey, parseDateTime, parseFloatText, parseIntegerText } from '@sinebar/query-language';
import { DecimalText, MAX_PROBLEMS, quoted } from '@sinebar/http';
import { z } from 'zod';
import {
  MEASURED_VALUE_KEY,
  TIME_KEY,
  type AttributeDefinition,
  type AttributeEntity,
  type AttributeType,
  type Configuration,
} from './configuration.ts';

/** Attribute values as sent; `null` means absent (spec: decisions.md 2.1). */
export type RawAttributes = Readonly<Record<string, string | number | boolean | DecimalText | null>>;

/** Number of possible attribute keys. */
const MAX_ATTRIBUTES = 65_536;

/** Schema for attributes of a body; `null` means no attributes. */
export const rawAttributesSchema = z
  .unknown()
  .transform((sent, context): RawAttributes => {
    const attributes = readRawAttributes(sent, (path, message) => context.addIssue({ code: 'custom', path, message }));
    return attributes ?? z.NEVER;
  })
  .meta({ type: ['object', 'null'], additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } });

/**
 * Reads attributes like {@link rawAttributesSchema}, several times as fast, for the many values of one request.
 * @param problem called at most {@link MAX_PROBLEMS} times
 * @returns `undefined` after a problem
 */
export function readRawAttributes(sent: unknown, problem: (path: string[], message: string) => void): RawAttributes | undefined {
  if (sent === null) return {};
  if (typeof sent !== 'object' || Array.isArray(sent) || sent instanceof DecimalText) {
    problem([], 'must be an object of attribute keys and values');
    return undefined;
  }
  // Ignores `__proto__`, like other unknown members.
  const attributes = Object.hasOwn(sent, '__proto__')
    ? Object.fromEntries(Object.entries(sent).filter(([key]) => key !== '__proto__'))
    : sent;
  const keys = Object.keys(attributes);
  if (keys.length > MAX_ATTRIBUTES) {
    problem([], `has ${keys.length} attributes; there are only ${MAX_ATTRIBUTES} keys`);
    return undefined;
  }
  let problems = 0;
  for (const key of keys) {
    const value = (attributes as Record<string, unknown>)[key];
    if (value === null || typeof value !== 'object' || value instanceof DecimalText) continue;
    problem([key], 'must be a text, a number, true, false or null');
    problems += 1;
    if (problems === MAX_PROBLEMS) break;
  }
  return problems > 0 ? undefined : (attributes as RawAttributes);
}

/** The parts of a definition that restrict values. */
export type AttributeRule = Pick<AttributeDefinition, 'type' | 'length' | 'catalog'>;

const MEASURED_VALUE: AttributeRule = { type: 'Float', length: null, catalog: null };
const TIME: AttributeRule = { type: 'DateTime', length: null, catalog: null };

/** Finds the rule for a key of an entity type, also for the two keys that are valid without a definition. */
export function ruleOf(configuration: Configuration, entity: AttributeEntity, key: number): AttributeRule | undefined {
  const definition = configuration.definitions.get(key);
  if (definition) return definition.entity === entity ? definition : undefined;
  if (entity === 'value' && key === MEASURED_VALUE_KEY) return MEASURED_VALUE;
  if (entity === 'measurement' && key === TIME_KEY) return TIME;
  return undefined;
}

/** A value that fits its type but may not be written any more, unless it is sent back as it is stored. */
export interface OutdatedValue {
  key: string;
  text: string;
  refusal: ServiceError;
}

/**
 * Checks attributes against their definitions and converts them to the stored form.
 * Texts stay as sent, numbers get their shortest decimal form, absent ones are left out.
 * @param where names the position in the request, for example `[3]`
 * @param about a sentence behind the message that names the item
 * @param outdated called for each value that may be written only where it is stored already; without it such a value is refused
 * @throws ServiceError 400 that names entity type, key and value. spec: decisions.md 2.1, 2.2
 */
export function checkAttributes(
  entity: AttributeEntity,
  raw: RawAttributes,
  configuration: Configuration,
  where: string,
  { about = '', outdated }: { about?: string; outdated?: ((value: OutdatedValue) => void) | undefined } = {},
): Record<string, string> {
  const errorOf = (key: string, message: string) =>
    invalidField(`${where}.attributes.${key}`, message, `${where}.attributes: ${message}${about}`);
  return checkEachAttribute(entity, raw, configuration, errorOf, outdated);
}

/** Checks like {@link checkAttributes}; `errorOf` makes the error with the position of the attribute. */
export function checkEachAttribute(
  entity: AttributeEntity,
  raw: RawAttributes,
  configuration: Configuration,
  errorOf: (key: string, message: string) => ServiceError,
  outdated?: (value: OutdatedValue) => void,
): Record<string, string> {
  const checked: Record<string, string> = {};
  const refusalOf = (key: string, text: string, problem: string) =>
    errorOf(key, `The ${entity} attribute ${quoted(key)} with the value ${quoted(text)}: ${problem}.`);
  for (const [key, value] of Object.entries(raw)) {
    if (value === null) continue;
    const text = textOf(value);
    const name = String(Number(key));
    if (Object.hasOwn(checked, name)) throw refusalOf(key, text, 'the key stands there twice, once with leading zeros');
    if (!isAttributeKey(key)) throw refusalOf(key, text, 'an attribute key is a whole number from 0 to 65535');
    const rule = ruleOf(configuration, entity, Number(key));
    const problem = problemOf(text, rule, configuration, entity);
    if (problem !== undefined) throw refusalOf(key, text, problem);
    const limit = rule && limitProblem(text, rule.type);
    if (limit !== undefined) {
      const refusal = refusalOf(key, text, limit);
      if (!outdated) throw refusal;
      outdated({ key: name, text, refusal });
    }
    checked[name] = text;
  }
  return checked;
}

/** @throws ServiceError 400 for a value that is not stored */
export function refuseUnlessStored(outdated: readonly OutdatedValue[], stored: Readonly<Record<string, string>> = {}): void {
  const changed = outdated.find(({ key, text }) => stored[key] !== text);
  if (changed) throw changed.refusal;
}

/** Explains why a value does not follow its rule; `undefined` when it does. */
function problemOf(
  text: string,
  rule: AttributeRule | undefined,
  configuration: Configuration,
  entity: AttributeEntity,
): string | undefined {
  if (!rule) return `this attribute is not defined for the entity type ${entity}`;
  if (rule.type !== 'Catalog') return typeProblem(text, rule.type, rule.length);
  const key = parseEntryKey(text);
  const exists = key !== undefined && rule.catalog !== null && configuration.entryKeys.get(rule.catalog)?.has(key);
  return exists ? undefined : `its catalog ${rule.catalog} has no entry with this key`;
}

/** Explains why a text cannot be a value of the type; for catalog attributes checks its form only. */
export function typeProblem(text: string, type: AttributeType, length: number | null): string | undefined {
  switch (type) {
    case 'AlphaNumeric':
      if (length !== null && isLonger(text, length)) return `it is longer than ${length} characters`;
      return /\p{Surrogate}/u.test(text) ? 'it contains half of a surrogate pair' : undefined;
    case 'Integer':
      return parseIntegerText(text) === undefined ? 'it must be a whole number' : undefined;
    case 'Float':
      if (parseFloatText(text) === undefined) return 'it must be a number such as 1.5 or -2e-3';
      return fitsDouble(text) ? undefined : 'it is too large for a number';
    case 'DateTime':
      return parseDateTime(text) === undefined ? 'it must be a date and time such as 2026-01-31T12:00:00Z' : undefined;
    case 'Catalog':
      return parseEntryKey(text) === undefined ? 'it must be the key of a catalog entry' : undefined;
  }
}

const MAX_INTEGER = 2 ** 31 - 1;
/** Integers with fewer characters are within the limits. */
const SHORT_INTEGER = 10;
const LARGE_OFFSET = /[+-](?:14:(?!00)|15:)\d\d$/;

/**
 * Explains why a value that {@link typeProblem} accepts may not be written any more.
 * Earlier versions stored such values, which stay readable.
 * spec: decisions.md 2.2, 10.4
 */
function limitProblem(text: string, type: AttributeType): string | undefined {
  if (type === 'Integer' && text.length >= SHORT_INTEGER) {
    const number = Number(text);
    if (number > MAX_INTEGER || number < -MAX_INTEGER - 1) return `it must be a whole number from ${-MAX_INTEGER - 1} to ${MAX_INTEGER}`;
  }
  if (type === 'DateTime' && LARGE_OFFSET.test(text)) return 'its offset must be from -14:00 to +14:00';
  return undefined;
}

/** Explains why a text cannot be written as a new value of the type. */
export function newValueProblem(text: string, type: AttributeType, length: number | null): string | undefined {
  return typeProblem(text, type, length) ?? limitProblem(text, type);
}

function isLonger(text: string, length: number): boolean {
  // A code point has at most two UTF-16 units.
  if (text.length <= length) return false;
  if (text.length > 2 * length) return true;
  return [...text].length > length;
}

/** Largest key of a catalog entry (spec: decisions.md 3.6). */
export const MAX_ENTRY_KEY = 32_767;

export function parseEntryKey(text: string): number | undefined {
  if (!/^(0|[1-9]\d{0,4})$/.test(text)) return undefined;
  const key = Number(text);
  return key <= MAX_ENTRY_KEY ? key : undefined;
}

function textOf(value: string | number | boolean | DecimalText): string {
  if (value instanceof DecimalText) return value.text;
  // `String` drops the sign of a negative zero.
  return Object.is(value, -0) ? '-0' : String(value);
}
