import { joinSql, rawSql, sql, type Sql } from '@sinebar/database';
import type { Comparison, Filter } from './filter-parser.ts';

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
const MAX_SIZE = 2n ** 63n - 1n;

/** Translates a filter into a condition on `object`; every value is a parameter. */
export function filterCondition(filter: Filter): Sql {
  switch (filter.kind) {
    case 'constant':
      return truth(filter.value);
    case 'not':
      return sql`NOT ${filterCondition(filter.filter)}`;
    case 'and':
    case 'or':
      if (filter.filters.length === 0) return truth(filter.kind === 'and');
      return sql`(${joinSql(filter.filters.map(filterCondition), filter.kind === 'and' ? ' AND ' : ' OR ')})`;
    case 'text':
      if (filter.value === null) return againstNull(filter.operator);
      return textCondition(filter.attribute, filter.operator, filter.value);
    case 'like':
      return sql`(${rawSql(COLUMNS[filter.attribute])} LIKE lower(${likePattern(filter.pattern)}::text))`;
    case 'textList':
      return textListCondition(
        filter.attribute,
        filter.values.filter((value) => value !== null),
      );
    case 'date':
      if (filter.value === null) return againstNull(filter.operator);
      return sql`(${rawSql(`${COLUMNS[filter.attribute]} ${OPERATORS[filter.operator]}`)} ${filter.value}::timestamptz)`;
    case 'length':
      if (filter.value === null) return againstNull(filter.operator);
      return lengthCondition(filter.operator, filter.value);
    case 'md5': {
      if (filter.digests.length === 0) return truth(false);
      const digests = filter.digests.map((digest) => sql`decode(${digest}, 'hex')`);
      return sql`(object.md5 IN (${joinSql(digests, ', ')}))`;
    }
    case 'md5Like': {
      const pattern = likePattern(filter.pattern).toLowerCase();
      const forms = MD5_FORMS.map((form) => sql`${rawSql(form)} LIKE ${pattern}::text`);
      return sql`(${joinSql(forms, ' OR ')})`;
    }
  }
}

function truth(value: boolean): Sql {
  return value ? sql`TRUE` : sql`FALSE`;
}

function textCondition(attribute: 'fileName' | 'mimeType', operator: Comparison, value: string): Sql {
  const whole = sql`${rawSql(`${COLUMNS[attribute]} ${OPERATORS[operator]}`)} lower(${value}::text)`;
  if (attribute === 'mimeType' || operator === 'ne') return sql`(${whole})`;
  return sql`(${rawSql(`${NAME_START} ${START_OPERATORS[operator]}`)} left(lower(${value}::text), 100) AND ${whole})`;
}

/** One parameter per value: the planner cannot estimate how many rows an array parameter selects. */
function textListCondition(attribute: 'fileName' | 'mimeType', values: readonly string[]): Sql {
  if (values.length === 0) return truth(false);
  const among = (column: string, item: (value: string) => Sql) => sql`${rawSql(column)} IN (${joinSql(values.map(item), ', ')})`;
  const whole = among(COLUMNS[attribute], (value) => sql`lower(${value}::text)`);
  return attribute === 'mimeType'
    ? sql`(${whole})`
    : sql`(${among(NAME_START, (value) => sql`left(lower(${value}::text), 100)`)} AND ${whole})`;
}

/** Sizes are whole numbers, and a comparison with anything else uses no index. */
function lengthCondition(operator: Comparison, number: string): Sql {
  const floor = floorOf(number);
  const isWhole = !/\.\d*[1-9]/.test(number);
  if (floor > MAX_SIZE) return truth(operator === 'lt' || operator === 'le' || operator === 'ne');
  if (!isWhole && (operator === 'eq' || operator === 'ne')) return truth(operator === 'ne');
  // Between two whole numbers: above the lower one, or at most that.
  const whole = isWhole ? operator : operator === 'lt' ? 'le' : operator === 'ge' ? 'gt' : operator;
  return sql`(object.size_bytes ${rawSql(OPERATORS[whole])} ${String(floor < 0n ? -1n : floor)}::bigint)`;
}

function floorOf(number: string): bigint {
  const [whole = '0', fraction = ''] = number.replace(/^\+/, '').split('.');
  const isBelow = whole.startsWith('-') && /[1-9]/.test(fraction);
  return BigInt(whole) - (isBelow ? 1n : 0n);
}

function againstNull(operator: Comparison): Sql {
  return truth(operator === 'ne');
}

/** Translates a pattern: `*` any characters, `?` one; a backslash escapes a wildcard and itself and is otherwise literal. */
export function likePattern(pattern: string): string {
  return pattern.replace(/\\([*?\\])|[*?%_\\]/g, (written, masked: string | undefined) => {
    if (masked !== undefined) return masked === '\\' ? '\\\\' : masked;
    if (written === '*') return '%';
    return written === '?' ? '_' : `\\${written}`;
  });
}
