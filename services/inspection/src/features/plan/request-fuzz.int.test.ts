import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startInspection, type RunningInspection } from '../../running-inspection.test-case.js';
import { define, PlanClient } from './plan-client.test-case.js';
import { expectConsistentPlan } from './plan-consistency.test-case.js';

const RUNS = Number(process.env['SINEBAR_FUZZ_RUNS'] ?? 500);
const MS_PER_RUN = 60;

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const [PART, CHARACTERISTIC, CATALOG] = [randomUUID(), randomUUID(), randomUUID()];
const UUIDS = [PART, CHARACTERISTIC, CATALOG, ROOT_PART_UUID, randomUUID()];

/** Requests that would be right, by resource: what is mutated. */
const GOOD: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', ''],
  ['GET', '/serviceInformation'],
  ...['parts', 'characteristics', 'inspectionPlanItems'].flatMap((resource): [string, string][] => [
    ['GET', `/${resource}`],
    ['GET', `/${resource}/count`],
    ['GET', `/${resource}/${PART}`],
    ['GET', `/${resource}/${CHARACTERISTIC}`],
  ]),
  ['POST', '/parts', [{ uuid: PART, path: 'P:/a/', attributes: { 1001: 'x', 1002: 5 }, comment: 'c' }]],
  [
    'POST',
    '/parts',
    [
      { uuid: randomUUID(), path: 'PP:/a/b\\/c/', attributes: null },
      { uuid: randomUUID(), path: 'P:/d/' },
    ],
  ],
  ['PUT', '/parts', [{ uuid: PART, path: 'P:/A/', attributes: { 1001: null, 1003: 1.5, 1004: '2024-01-31' }, comment: null }]],
  ['POST', '/characteristics', [{ uuid: CHARACTERISTIC, path: 'PC:/a/x/', attributes: { 2001: '0' } }]],
  ['PUT', '/characteristics', [{ uuid: CHARACTERISTIC, path: 'PC:/a/y/', attributes: {} }]],
  ['DELETE', '/parts'],
  ['DELETE', `/parts/${PART}`],
  ['DELETE', '/characteristics'],
  ['DELETE', `/characteristics/${CHARACTERISTIC}`],
  ['POST', `/parts/${PART}/clear`],
  ['GET', '/configuration'],
  [
    'POST',
    '/configuration/part',
    [{ key: 1500, description: 'd', type: 'AlphaNumeric', length: 20, definitionType: 'AttributeDefinition' }],
  ],
  ['PUT', '/configuration/parts', [{ key: 1001, description: 'd', type: 'Float', definitionType: 'AttributeDefinition' }]],
  ['POST', '/configuration/catalog', [{ key: 3001, description: 'd', type: 'Integer', definitionType: 'AttributeDefinition' }]],
  ['POST', '/configuration/value', [{ key: 3100, description: 'd', catalog: CATALOG, definitionType: 'CatalogAttributeDefinition' }]],
  ['DELETE', '/configuration/part/{1500,1501}'],
  ['DELETE', '/configuration/measurement'],
  ['GET', '/catalogs'],
  ['GET', `/catalogs/${CATALOG}`],
  ['POST', '/catalogs', [{ uuid: CATALOG, name: 'n', validAttributes: [3001], catalogEntries: [{ key: -1, attributes: { 3001: '5' } }] }]],
  ['POST', `/catalogs/${CATALOG}`, [{ key: 5, attributes: { 3001: 7 } }]],
  ['PUT', '/catalogs', [{ uuid: CATALOG, name: 'n2', validAttributes: [3001], catalogEntries: [] }]],
  ['DELETE', `/catalogs/${CATALOG}`],
  ['DELETE', `/catalogs/${CATALOG}/`],
  ['DELETE', `/catalogs/${CATALOG}/{5,6}`],
  ['GET', '/attributes/1001/x%2Fy'],
];

const PARAMETERS = [
  ...[
    'partPath',
    'charPath',
    'paths',
    'partUuids',
    'charUuids',
    'itemUuids',
    'parentUuids',
    'depth',
    'withHistory',
    'searchCondition',
    'keep',
  ],
  ...[
    'requestedPartAttributes',
    'requestedCharacteristicAttributes',
    'restrictToEntity',
    'versioningEnabled',
    'unknown',
    'DEPTH',
    '%00',
    '%ff',
    '',
  ],
];
const PARAMETER_VALUES = [
  ...[
    '',
    '/',
    '/a',
    '/a/b\\/c',
    'a//b',
    '\\',
    '{}',
    '{',
    '}',
    '{,}',
    `{${UUIDS.join(',')}}`,
    `{{${PART}}}`,
    PART,
    'true',
    'FALSE',
    '0',
    '1',
    '65535',
    '65536',
    '-1',
    '1e3',
  ],
  ...[
    'All',
    'None',
    '{1001,2001}',
    'Part',
    'Characteristic',
    'CharacteristicWithoutIntermediateParts',
    'subParts',
    '%',
    '%00',
    '%C3%28',
    '%F0%9F%98%80',
    '%ED%A0%80',
    '+',
  ],
  ...[
    '1001=[x]',
    '1001Like[%25_\\]',
    '1002>[5]',
    '1002In[1,2,3]+1001<>[]',
    '1003=[1e10000]',
    '1004>[0001-01-01T00:00:00%2B15:59]',
    '1005=[7]',
    'LastModified>[2024-01-31]',
  ],
  ...[
    "1001In['a,b',c]",
    '2001NotIn[]',
    '9999=[x]',
    '1001=[',
    '1001=[%00]',
    '1002=[99999999999999999999999999999999999999]',
    "1001=['; DROP TABLE plan_item; --]",
    '$1',
    'x'.repeat(3000),
  ],
];
/** What may stand in the place of any value of a body. */
const ODD_VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    65_536,
    2 ** 53,
    '',
    ' ',
    '/',
    'P:/',
    'C:/a/',
    'PC:/a/x/',
    'PP:/a/a/',
    'P:/a',
    ':',
    'P:/\\/',
    [],
    {},
    [[]],
    [null],
    [{}],
  ],
  ...[
    '\u0000',
    '\ud83d',
    'ß',
    'İ',
    '\u202e',
    'x'.repeat(300),
    `P:/${'x'.repeat(255)}/`,
    '__proto__',
    'constructor',
    PART,
    CHARACTERISTIC,
    CATALOG,
    ROOT_PART_UUID,
  ],
  ...[
    '1e400',
    '9223372036854775808',
    '2024-02-30',
    'NaN',
    '{1}',
    { 1001: {} },
    { '-1': 'x' },
    { __proto__: null, toString: 'x' },
    { 1001: 'x', '01001': 'y' },
    { 65535: 'x' },
  ],
];

const mutatedJson = (value: unknown): fc.Arbitrary<unknown> => {
  const odd = fc.constantFrom(...ODD_VALUES);
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
};

const mutatedBody = (good: unknown): fc.Arbitrary<string | Buffer | undefined> => {
  const text = mutatedJson(good).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 1, arbitrary: text.chain((json) => fc.nat(json.length).map((end) => json.slice(0, end))) },
    { weight: 1, arbitrary: text.map((json) => json.replace(/\d+/, '123456789012345678901234567890e5')) },
    { weight: 1, arbitrary: text.map((json) => gzipSync(json)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '['.repeat(40), '\ufeff[]', '[]', 'null', '{}', `[${'{},'.repeat(50)}{}]`) },
  );
};

const mutatedPath = (path: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant(path) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...UUIDS, 'x', '{}', '%7B%7D', '1', '-1', '%00', '%ff', '%2F', '..', '{1,2}', '32768')
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

const query = fc
  .array(fc.tuple(fc.constantFrom(...PARAMETERS), fc.constantFrom('=', '=', '=', ''), fc.constantFrom(...PARAMETER_VALUES), fc.boolean()), {
    maxLength: 3,
  })
  .map((pairs) =>
    pairs.map(([name, equals, value, encoded]) => name + equals + (encoded ? encodeURIComponent(value) : asSent(value))).join('&'),
  );

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

/** Characters that no client can send in an address are encoded. */
function asSent(text: string): string {
  return text.replace(/[^!-~]/gu, (character) => encodeURIComponent(character)).replaceAll('#', '%23');
}

const anyRequest: fc.Arbitrary<Sent> = fc.constantFrom(...GOOD).chain(([method, path, body]) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS') },
      ),
      path: mutatedPath(path),
      query: fc.oneof({ weight: body === undefined ? 1 : 6, arbitrary: fc.constant('') }, { weight: 3, arbitrary: query }),
      headers: fc.oneof({ weight: 8, arbitrary: fc.constant({ 'Content-Type': 'application/json' }) }, { weight: 2, arbitrary: headers }),
      body: body === undefined ? fc.constant(undefined) : mutatedBody(body),
    })
    .map((sent) => ({
      ...sent,
      headers: { ...sent.headers },
      path: asSent(`/dataServiceRest${sent.path}${sent.query && `?${sent.query}`}`),
    })),
);

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

describeWith(['postgres'], 'malformed requests', () => {
  let inspection: RunningInspection;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'client' });
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric', length: 20 },
      { key: 1002, entity: 'part', type: 'Integer' },
      { key: 1003, entity: 'part', type: 'Float' },
      { key: 1004, entity: 'part', type: 'DateTime' },
      { key: 1005, entity: 'part', type: 'Catalog', entries: [0, 7] },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
    );
  });
  afterAll(async () => {
    agent.destroy();
    await inspection.stop();
  });

  const send = ({ method, path, headers: sentHeaders, body }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      const { port } = inspection.server.address() as AddressInfo;
      // Node sends none with GET and DELETE, and the body would be taken for the next request.
      const withLength = body === undefined ? sentHeaders : { ...sentHeaders, 'Content-Length': Buffer.byteLength(body) };
      const client = httpRequest({ port, agent, method, path, headers: withLength, timeout: 10_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('latin1') }),
        );
      });
      client.once('timeout', () => client.destroy(new Error('no answer within 10 s')));
      client.once('error', reject);
      client.end(body);
    });

  it(
    `get an answer that blames the request, never 500 (${RUNS} requests)`,
    async () => {
      const seen = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(anyRequest, async (sent) => {
          const answer = await send(sent);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status < 200 || answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          if (answer.status < 400 || sent.method === 'HEAD') return;
          expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
          if (answer.headers['content-encoding'] !== undefined) return;
          const { message, Message, requestId } = JSON.parse(answer.text) as Record<string, string>;
          expect([Message, requestId]).toEqual([message, answer.headers['x-request-id']]);
          expect(message).not.toMatch(/relation|syntax|column|undefined|\bat .*\.(ts|js):/);
        }),
        { numRuns: RUNS, endOnFailure: false },
      );
      // Requests that are all refused at the door test nothing behind it.
      for (const status of [200, 201, 400, 404]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
      await eventually(() => inspection.database.poolUsage().requests.used === 0 && inspection.database.poolUsage().streams.used === 0);
      await plan.get('serviceInformation').expect(200);
      await expectConsistentPlan(inspection);
    },
    30_000 + RUNS * MS_PER_RUN,
  );
});
