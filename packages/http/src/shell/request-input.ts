import { ServiceError, type ErrorDetail } from '@sinebar/contracts';
import type { z } from 'zod';
import { MAX_PROBLEMS, quoted } from '../parameters.js';
import type { Route } from '../route.js';

/** Reads the query of an address into the documented names. @throws ServiceError 400 naming the parameter. spec: decisions.md 1.2, 1.7 */
export function readQuery(route: Route, search: string): unknown {
  if (!route.query) {
    if (route.method === 'DELETE' && search !== '') refuseUnknown(search.split('=')[0] ?? '', []);
    return undefined;
  }
  const names = Object.keys(route.query.shape);
  const documented = new Map(names.map((name) => [name.toLowerCase(), name]));
  const strict = route.method === 'DELETE';
  const values: Record<string, string> = {};
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const written = decode(separator < 0 ? pair : pair.slice(0, separator), 'the name of a parameter');
    const name = documented.get(written.toLowerCase());
    if (name === undefined) {
      if (strict) refuseUnknown(written, names);
      continue;
    }
    const value = separator < 0 ? '' : decode(pair.slice(separator + 1), name);
    if (name in values) throw invalid('query', [{ field: name, message: 'is given more than once' }]);
    if (value.trim() === '' && strict) {
      throw invalid('query', [{ field: name, message: 'is empty; leave it out or name what is to be deleted' }]);
    }
    if (value !== '' || route.keepEmpty?.includes(name)) values[name] = value;
  }
  return parseWith(route.query, values, 'query');
}

export function readParams(route: Route, params: unknown): unknown {
  return route.params ? parseWith(route.params, params, 'path') : params;
}

/** @throws ServiceError 400 whose details name each field */
export function parseWith(schema: z.ZodType, value: unknown, where: 'query' | 'path' | 'body'): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => ({ field: fieldOf(issue.path), message: issue.message }));
  throw invalid(where, details);
}

function invalid(where: 'query' | 'path' | 'body', details: ErrorDetail[]): ServiceError {
  const [first] = details;
  const place = { query: 'Parameter', path: 'Part of the address', body: 'Body:' }[where];
  const field = first?.field ? `${first.field}: ` : '';
  return new ServiceError('InvalidRequest', `${place} ${field}${withFullStop(first?.message ?? 'is invalid')}`, { details });
}

function withFullStop(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
}

function decode(text: string, name: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replace(/\+/g, ' '));
  } catch (error) {
    throw new ServiceError('InvalidRequest', `Parameter ${name}: ${quoted(text)} is not percent-encoded UTF-8.`, { cause: error });
  }
  if (decoded.includes('\0')) throw new ServiceError('InvalidRequest', `Parameter ${name} contains the character U+0000.`);
  return decoded;
}

function refuseUnknown(written: string, names: readonly string[]): never {
  const known = names.length === 0 ? 'This deletion takes no parameters.' : `This deletion knows ${names.join(', ')}.`;
  throw new ServiceError('InvalidRequest', `Parameter ${quoted(written)} is not known, so nothing was deleted. ${known}`);
}
