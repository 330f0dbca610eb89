import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';
import { expectErrorBody, goodRequests, randomRequests, RequestSender } from './random-requests.fixture.ts';

const RUNS = size({ short: 125, long: 10_000 });
const MS_PER_RUN = 60;

const [PART, CHARACTERISTIC, CATALOG] = [randomUUID(), randomUUID(), randomUUID()];
const UUIDS = [PART, CHARACTERISTIC, CATALOG, ROOT_PART_UUID, randomUUID()];

/** Valid requests by resource, which are mutated. */
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
/** Values that replace any value of a body. */
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

const PARTS = {
  good: GOOD,
  parameters: PARAMETERS,
  parameterValues: PARAMETER_VALUES,
  oddValues: ODD_VALUES,
  uuids: UUIDS,
};

describeWith(['postgres'], 'malformed requests', () => {
  let inspection: RunningInspection;
  const sender = new RequestSender(() => inspection);
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
    sender.close();
    await inspection.stop();
  });

  it(
    `get a 4xx answer, never 500 (${RUNS} requests) [D2.5]`,
    async () => {
      const seen = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(randomRequests(PARTS), async (sent) => {
          const answer = await sender.send(sent);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status < 200 || answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          if (answer.status < 400 || sent.method === 'HEAD') return;
          expectErrorBody(answer);
        }),
        { numRuns: RUNS, endOnFailure: false, examples: goodRequests(PARTS) },
      );
      // Guards against a generator whose requests all fail at the same check.
      for (const status of [200, 201, 400, 404]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
      await eventually(() => inspection.database.poolUsage().requests.used === 0 && inspection.database.poolUsage().streams.used === 0);
      await plan.get('serviceInformation').expect(200);
      await expectConsistentPlan(inspection);
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});
