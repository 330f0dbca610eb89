import type { IncomingMessage } from 'node:http';
import { abortable } from '@sinebar/concurrency';
import { ServiceError, type ErrorDetail } from '@sinebar/contracts';
import type { z } from 'zod';
import { sendContinue } from '../http-server.ts';
import { nearestName } from '../nearest-name.ts';
import { MAX_PROBLEMS, quoted, withFullStop } from '../parameters.ts';
import type { Route } from '../route.ts';

/** Names of parameters that would select a part of the answer on other servers. */
const PAGING = new Set(['offset', 'skip', 'page']);

/** Reads the query of an address into the documented names. @throws ServiceError 400 naming the parameter. spec: decisions.md 1.2, 1.7 */
export function readQuery(route: Route, search: string): unknown {
  if (!route.query && !route.deletes && route.method !== 'GET') return undefined;
  const names = Object.keys(route.query?.shape ?? {});
  const documented = new Map(names.map((name) => [name.toLowerCase(), name]));
  const values: Record<string, string> = {};
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const written = decode(separator < 0 ? pair : pair.slice(0, separator), 'the name of a parameter');
    const name = documented.get(written.toLowerCase());
    if (name === undefined) {
      if (route.deletes) refuseUnknown(written, names);
      if (separator >= 0 && separator < pair.length - 1) refuseImpossible(route, written, names);
      if (route.method === 'GET') refuseMistaken(written, documented);
      if (route.knowsAllParameters) refuseUnknownOf(written, names);
      continue;
    }
    const value = separator < 0 ? '' : decode(pair.slice(separator + 1), name);
    const mayBeEmpty = route.keepEmpty?.includes(name) ?? false;
    if (name in values) throw invalid('query', [{ field: name, message: 'is given more than once' }]);
    if (value.trim() === '' && route.deletes && !mayBeEmpty) {
      throw invalid('query', [{ field: name, message: 'is empty; leave it out or name what is to be deleted' }]);
    }
    if (value !== '' || mayBeEmpty) values[name] = value;
  }
  return route.query && parseWith(route.query, values, 'query');
}

function refuseImpossible({ refusedParameters = [] }: Route, written: string, names: readonly string[]): void {
  const name = refusedParameters.find((refused) => refused.toLowerCase() === written.toLowerCase());
  if (name !== undefined) throw new ServiceError('InvalidRequest', `Parameter ${name} is not possible here. Use ${names.join(', ')}.`);
}

function refuseUnknownOf(written: string, names: readonly string[]): never {
  const nearest = nearestName(written, names);
  const known = names.length === 0 ? 'This address takes no parameters.' : `This address knows ${names.join(', ')}.`;
  const advice = nearest === undefined ? known : `Did you mean ${nearest}?`;
  throw new ServiceError('InvalidRequest', `Parameter ${quoted(written)} is not known. ${advice}`);
}

/** Refuses a parameter whose author expects an effect that it does not have here; others are ignored. */
function refuseMistaken(written: string, documented: ReadonlyMap<string, string>): void {
  const lower = written.toLowerCase();
  if (PAGING.has(lower)) {
    const known = documented.size === 0 ? 'This address takes no parameters' : `This address knows ${[...documented.values()].join(', ')}`;
    throw new ServiceError('InvalidRequest', `Parameter ${quoted(written)}: there are no pages here. ${known}.`);
  }
  const [, escaped = '', base = '', brackets = ''] = /^((?:amp;)*)(.*?)(\[.*\])?$/s.exec(lower) ?? [];
  const name = documented.get(base);
  if (name === undefined) return;
  const advice = escaped === '' ? '' : ' Separate parameters with & alone, not with &amp;.';
  const list = brackets === '' ? '' : ' A list is one parameter: {a,b}.';
  throw new ServiceError('InvalidRequest', `Parameter ${quoted(written)} is not known. Write ${name}=….${advice}${list}`);
}

/**
 * Refuses a deletion of everything at an address that may have been meant for one item: `"…/measurements/" + id` with an empty id.
 * @param path path of the address, still encoded. spec: decisions.md 1.4
 */
export function refuseEmptyName({ method, deletes }: Route, path: string, query: unknown): void {
  if (method !== 'DELETE' || deletes === 'item' || !path.endsWith('/')) return;
  const selectedBy = deletes.selectedBy.filter((name) => (query as Record<string, unknown> | undefined)?.[name] !== undefined);
  if (selectedBy.length > 0) return;
  throw new ServiceError(
    'InvalidRequest',
    'The name at the end of the address is empty, so nothing was deleted. Name what is to be deleted, or leave out the slash to delete all.',
  );
}

/**
 * Refuses a body with the selection of a deletion, which would not be read. An empty one is no body.
 * @throws ServiceError 400, the signal's reason. spec: decisions.md 1.7
 */
export async function refuseBody(request: IncomingMessage, signal: AbortSignal): Promise<void> {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (Number(length) === 0 && (coding === undefined || (await isEmpty(request, signal)))) return;
  throw new ServiceError('InvalidRequest', 'A deletion reads no body, so nothing was deleted. Say the selection in the address.');
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
  const subject = { query: 'Parameter', path: 'Part of the address', body: 'Body:' }[where];
  const field = first?.field ? `${first.field}: ` : '';
  return new ServiceError('InvalidRequest', `${subject} ${field}${withFullStop(first?.message ?? 'is invalid')}`, { details });
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

/** Waits for the first byte of a chunked body, or for its end. */
async function isEmpty(request: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  sendContinue(request);
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    return (await abortable(chunks.next(), signal)).done === true;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServiceError('IncompleteBody', 'The body ended before it was complete. Send the request without one.', { cause: error });
  } finally {
    // The rest of the body flows only when nothing reads it any more.
    void chunks.return?.();
  }
}

function refuseUnknown(written: string, names: readonly string[]): never {
  const known = names.length === 0 ? 'This deletion takes no parameters.' : `This deletion knows ${names.join(', ')}.`;
  throw new ServiceError('InvalidRequest', `Parameter ${quoted(written)} is not known, so nothing was deleted. ${known}`);
}
