import type { ObjectCondition } from '../objects/object-listing.js';
import type { Comparison, Filter } from './filter-parser.js';

const OPERATORS: Readonly<Record<Comparison, string>> = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' };
/** Texts compare without case (spec: decisions.md 1.5), in the order of code points, as in the indexes of migration 0005. */
const COLUMNS = {
  fileName: 'lower(object.file_name) COLLATE "C"',
  mimeType: 'lower(object.mime_type) COLLATE "C"',
  lastModified: 'object.last_modified',
  created: 'object.created',
} as const;
/** The index contains only the start of each name. A comparison of two names also holds for their starts, which may be equal. */
const NAME_START = 'left(lower(object.file_name), 100) COLLATE "C"';
const START_OPERATORS: Readonly<Record<Exclude<Comparison, 'ne'>, string>> = { eq: '=', lt: '<=', le: '<=', gt: '>=', ge: '>=' };
/** Forms in which clients write a checksum: both byte orders, with and without hyphens. */
const DIGEST = `encode(object.md5, 'hex')`;
const GUID_ORDER = String.raw`regexp_replace(${DIGEST}, '^(..)(..)(..)(..)(..)(..)(..)(..)', '\4\3\2\1\6\5\8\7')`;
const MD5_FORMS = [DIGEST, `${DIGEST}::uuid::text`, GUID_ORDER, `${GUID_ORDER}::uuid::text`];
const LARGEST_SIZE = 2n ** 63n - 1n;

/** Compiles a filter to a condition on `object`; every value is a parameter. */
export function filterCondition(filter: Filter): ObjectCondition {
  return (firstPlaceholder) => {
    const values: unknown[] = [];
    const sql = compile(filter, (value) => `$${firstPlaceholder + values.push(value) - 1}`);
    return { sql, values };
  };
}

function compile(filter: Filter, parameter: (value: unknown) => string): string {
  switch (filter.kind) {
    case 'constant':
      return filter.value ? 'TRUE' : 'FALSE';
    case 'not':
      return `NOT ${compile(filter.filter, parameter)}`;
    case 'and':
    case 'or':
      if (filter.filters.length === 0) return filter.kind === 'and' ? 'TRUE' : 'FALSE';
      return `(${filter.filters.map((part) => compile(part, parameter)).join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'text':
      if (filter.value === null) return againstNull(filter.operator);
      return textCondition(filter.attribute, filter.operator, parameter(filter.value));
    case 'like':
      return `(${COLUMNS[filter.attribute]} LIKE lower(${parameter(likePattern(filter.pattern))}::text))`;
    case 'textList': {
      const texts = filter.values.filter((value) => value !== null);
      return textListCondition(filter.attribute, texts.map(parameter));
    }
    case 'date':
      if (filter.value === null) return againstNull(filter.operator);
      return `(${COLUMNS[filter.attribute]} ${OPERATORS[filter.operator]} ${parameter(filter.value)}::timestamptz)`;
    case 'length':
      if (filter.value === null) return againstNull(filter.operator);
      return lengthCondition(filter.operator, filter.value, parameter);
    case 'md5':
      if (filter.digests.length === 0) return 'FALSE';
      return `(object.md5 IN (${filter.digests.map((digest) => `decode(${parameter(digest)}, 'hex')`).join(', ')}))`;
    case 'md5Like': {
      const pattern = parameter(likePattern(filter.pattern).toLowerCase());
      return `(${MD5_FORMS.map((form) => `${form} LIKE ${pattern}::text`).join(' OR ')})`;
    }
  }
}

function textCondition(attribute: 'fileName' | 'mimeType', operator: Comparison, value: string): string {
  const whole = `${COLUMNS[attribute]} ${OPERATORS[operator]} lower(${value}::text)`;
  if (attribute === 'mimeType' || operator === 'ne') return `(${whole})`;
  return `(${NAME_START} ${START_OPERATORS[operator]} left(lower(${value}::text), 100) AND ${whole})`;
}

/** Uses one parameter per value: the planner cannot estimate the rows of an array parameter. */
function textListCondition(attribute: 'fileName' | 'mimeType', values: readonly string[]): string {
  if (values.length === 0) return 'FALSE';
  const among = (column: string, item: (value: string) => string) => `${column} IN (${values.map(item).join(', ')})`;
  const whole = among(COLUMNS[attribute], (value) => `lower(${value}::text)`);
  return attribute === 'mimeType' ? `(${whole})` : `(${among(NAME_START, (value) => `left(lower(${value}::text), 100)`)} AND ${whole})`;
}

/** Rounds the number, because sizes are whole numbers and any other comparison uses no index. */
function lengthCondition(operator: Comparison, number: string, parameter: (value: unknown) => string): string {
  const floor = floorOf(number);
  const isWhole = !/\.\d*[1-9]/.test(number);
  if (floor > LARGEST_SIZE) return operator === 'lt' || operator === 'le' || operator === 'ne' ? 'TRUE' : 'FALSE';
  if (!isWhole && (operator === 'eq' || operator === 'ne')) return operator === 'ne' ? 'TRUE' : 'FALSE';
  // A number between two whole ones compares like the lower one, with "greater" or "less or equal".
  const whole = isWhole ? operator : operator === 'lt' ? 'le' : operator === 'ge' ? 'gt' : operator;
  return `(object.size_bytes ${OPERATORS[whole]} ${parameter(String(floor < 0n ? -1n : floor))}::bigint)`;
}

function floorOf(number: string): bigint {
  const [whole = '0', fraction = ''] = number.replace(/^\+/, '').split('.');
  const isBelow = whole.startsWith('-') && /[1-9]/.test(fraction);
  return BigInt(whole) - (isBelow ? 1n : 0n);
}

function againstNull(operator: Comparison): string {
  return operator === 'ne' ? 'TRUE' : 'FALSE';
}

/** Translates a pattern: `*` any characters, `?` one; a backslash escapes a wildcard and itself and is otherwise literal. */
export function likePattern(pattern: string): string {
  return pattern.replace(/\\([*?\\])|[*?%_\\]/g, (written, masked: string | undefined) => {
    if (masked !== undefined) return masked === '\\' ? '\\\\' : masked;
    if (written === '*') return '%';
    return written === '?' ? '_' : `\\${written}`;
  });
}
