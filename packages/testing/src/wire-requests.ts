import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import fc from 'fast-check';

/** A request as sent over the network. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Building blocks of {@link randomWireRequests}. */
export interface RequestFields {
  /** Valid requests below the base address, which are mutated. */
  good: readonly (readonly [method: string, path: string, body?: unknown])[];
  parameters: readonly string[];
  parameterValues: readonly string[];
  /** Values that may replace any value of a body. */
  oddValues: readonly unknown[];
  uuids: readonly string[];
}

export function randomWireRequests(base: string, fields: RequestFields): fc.Arbitrary<WireRequest> {
  const query = queryOf(fields);
  return fc.constantFrom(...fields.good).chain(([method, path, body]) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 12, arbitrary: fc.constant(method) },
          { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS') },
        ),
        path: mutatedPath(path, fields.uuids),
        query: fc.oneof({ weight: body === undefined ? 1 : 6, arbitrary: fc.constant('') }, { weight: 3, arbitrary: query }),
        headers: fc.oneof({ weight: 8, arbitrary: fc.constant({ 'Content-Type': 'application/json' }) }, { weight: 2, arbitrary: headers }),
        body: body === undefined ? fc.constant(undefined) : mutatedBody(body, fields.oddValues),
      })
      .map((sent) => ({
        ...sent,
        headers: { ...sent.headers },
        path: asSent(`${base}${sent.path}${sent.query && `?${sent.query}`}`),
      })),
  );
}

/** Number of generated requests in which {@link oneOfEachKind} looks for kinds; each expected status is that of at least one in 50. */
const SAMPLE = 2000;

/**
 * Returns one generated request of each kind as examples of the property, so that a short run also meets the rare ones.
 * Requests of one kind have the same method and resource, and expect the same statuses.
 */
export function oneOfEachKind<T extends WireRequest & { statuses: readonly number[] }>(requests: fc.Arbitrary<T>): [T][] {
  const found = new Map<string, [T]>();
  for (const sent of fc.sample(requests, SAMPLE)) {
    const kind = `${sent.method} ${sent.path.split(/[/?]/)[2]} ${sent.statuses.join()}`;
    if (!found.has(kind)) found.set(kind, [sent]);
  }
  return [...found.values()];
}

/** Returns the valid requests in order, as examples of the property, so that every run creates and finds something. */
export function goodWireRequests(base: string, { good }: RequestFields): [WireRequest][] {
  return good.map(([method, path, body]) => [
    {
      method,
      path: asSent(`${base}${path}`),
      headers: { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    },
  ]);
}

/** Sends requests unchanged, over a few persistent connections. */
export class WireSender {
  private readonly port: () => number;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4 });

  constructor(port: () => number) {
    this.port = port;
  }

  send({ method, path, headers: sentHeaders, body }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      // Node sends no length with GET and DELETE, and the body would be read as the next request.
      const withLength = body === undefined ? sentHeaders : { ...sentHeaders, 'Content-Length': Buffer.byteLength(body) };
      const client = httpRequest(
        { port: this.port(), agent: this.agent, method, path, headers: withLength, timeout: 30_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('latin1') }),
          );
        },
      );
      client.once('timeout', () => client.destroy(new Error('no answer within 30 s')));
      client.once('error', reject);
      client.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Checks the documented error body, and that its sentence reveals nothing internal. spec: decisions.md 2.5 */
export function expectErrorBody({ headers: received, text }: WireAnswer): void {
  expect(received['content-type']).toBe('application/json; charset=utf-8');
  if (received['content-encoding'] !== undefined) return;
  const { message, Message, requestId } = JSON.parse(text) as Record<string, string>;
  expect(Message).toBe(message);
  expect(requestId).toBe(received['x-request-id']);
  expect(message).not.toMatch(/relation|syntax|column (?!\d)|undefined|\bat .*\.(ts|js):/);
}

/** Characters that no client can send in an address are encoded. */
export function asSent(text: string): string {
  return text.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)).replaceAll('#', '%23');
}

function mutatedJson(value: unknown, oddValues: readonly unknown[]): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom(...oddValues);
  const mutateInside = (inner: unknown): fc.Arbitrary<unknown> => {
    if (Array.isArray(inner) && inner.length > 0) {
      return fc
        .nat(inner.length - 1)
        .chain((at) => fc.oneof(odd, mutateInside(inner[at])).map((item) => inner.map((old: unknown, i) => (i === at ? item : old))));
    }
    if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0) {
      const members = inner as Record<string, unknown>;
      return fc.constantFrom(...Object.keys(members)).chain((key) =>
        fc.oneof(
          fc.oneof(odd, mutateInside(members[key])).map((member): unknown => ({ ...members, [key]: member })),
          fc.constant(Object.fromEntries(Object.entries(members).filter(([name]) => name !== key))),
          odd.map((member) => ({ ...members, [key.toUpperCase()]: member })),
        ),
      );
    }
    return odd;
  };
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(value) },
    { weight: 6, arbitrary: mutateInside(value) },
    { weight: 1, arbitrary: odd },
  );
}

function mutatedBody(good: unknown, oddValues: readonly unknown[]): fc.Arbitrary<string | Buffer | undefined> {
  const text = mutatedJson(good, oddValues).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 1, arbitrary: text.chain((json) => fc.nat(json.length).map((end) => json.slice(0, end))) },
    { weight: 1, arbitrary: text.map((json) => json.replace(/\d+/, '123456789012345678901234567890e5')) },
    { weight: 1, arbitrary: text.map((json) => gzipSync(json)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '['.repeat(40), '\ufeff[]', '[]', 'null', '{}', `[${'{},'.repeat(50)}{}]`) },
  );
}

function mutatedPath(path: string, uuids: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.constant(path) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...uuids, 'x', '{}', '%7B%7D', '1', '-1', '%00', '%ff', '%2F', '..', '{1,2}', '32768')
        .map((part) => `${path}/${part}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('/', '//', '/%20', '/clear', '/count', '/%', ';x=1').map((end) => path + end) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        path.toUpperCase(),
        path.replace(/[^/]+$/, ''),
        path.replace(/[^/]+$/, 'x'.repeat(5000)),
        path.replace(/[^/]+$/, '%2e%2e'),
      ),
    },
  );
}

function queryOf({ parameters, parameterValues }: RequestFields): fc.Arbitrary<string> {
  const pair = fc.tuple(
    fc.constantFrom(...parameters),
    fc.constantFrom('=', '=', '=', ''),
    fc.constantFrom(...parameterValues),
    fc.boolean(),
  );
  return fc
    .array(pair, { maxLength: 3 })
    .map((pairs) =>
      pairs.map(([name, equals, value, encoded]) => name + equals + (encoded ? encodeURIComponent(value) : asSent(value))).join('&'),
    );
}

const headers = fc.record(
  {
    'Content-Type': fc.constantFrom('application/json', 'application/json', 'text/plain', 'application/json; charset=utf-16', ''),
    'Content-Encoding': fc.constantFrom('gzip', 'br', 'identity', 'what'),
    'Accept-Encoding': fc.constantFrom('gzip', 'identity', '*;q=0', ','),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', '"'),
    'X-Request-Id': fc.constantFrom('abc', 'x'.repeat(100), '<script>'),
  },
  { requiredKeys: [] },
);
