import type { ObjectCondition } from '../objects/object-store.js';
import type { Comparison, Filter } from './filter-parser.js';

const OPERATORS: Readonly<Record<Comparison, string>> = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' };
/** Text compares without case (spec: decisions.md 1.5), in the order of code points. */
const COLUMNS = {
  fileName: 'lower(object.file_name) COLLATE "C"',
  mimeType: 'lower(object.mime_type) COLLATE "C"',
  lastModified: 'object.last_modified',
  created: 'object.created',
} as const;

/** A filter as a condition on `object`; every value is a parameter. */
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
      return `(${COLUMNS[filter.attribute]} ${OPERATORS[filter.operator]} lower(${parameter(filter.value)}::text))`;
    case 'like':
      return `(${COLUMNS[filter.attribute]} LIKE lower(${parameter(likePattern(filter.pattern))}::text))`;
    case 'textList': {
      const texts = filter.values.filter((value) => value !== null);
      return `(${COLUMNS[filter.attribute]} IN (SELECT lower(item) FROM unnest(${parameter(texts)}::text[]) AS item))`;
    }
    case 'date':
      if (filter.value === null) return againstNull(filter.operator);
      return `(${COLUMNS[filter.attribute]} ${OPERATORS[filter.operator]} ${parameter(filter.value)}::timestamptz)`;
    case 'length':
      if (filter.value === null) return againstNull(filter.operator);
      return `(object.size_bytes ${OPERATORS[filter.operator]} ${parameter(filter.value)}::numeric)`;
    case 'md5':
      return `(encode(object.md5, 'hex') = ANY(${parameter(filter.digests)}::text[]))`;
  }
}

function againstNull(operator: Comparison): string {
  return operator === 'ne' ? 'TRUE' : 'FALSE';
}

/** `*` any characters, `?` one; a backslash masks a wildcard and itself and otherwise stands for itself. */
export function likePattern(pattern: string): string {
  return pattern.replace(/\\([*?\\])|[*?%_\\]/g, (written, masked: string | undefined) => {
    if (masked !== undefined) return masked === '\\' ? '\\\\' : masked;
    if (written === '*') return '%';
    return written === '?' ? '_' : `\\${written}`;
  });
}
