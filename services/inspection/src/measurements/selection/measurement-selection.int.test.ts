import { randomUUID } from 'node:crypto';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import type { AttributeType } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { evaluateSelection, expectedAnswer, type TestQuery, type TestServer } from '../measurement-evaluation.fixture.ts';
import { insertMeasurements, type TestMeasurement } from '../reading/measurement-rows.fixture.ts';

const RUNS = size({ short: 75, long: 10_000 });
const SAMPLED = 2000;
const MS_PER_RUN = 100;
const MEASUREMENTS = 240;
const ENTRIES = [0, 1, 2, 10];

/** Few values, so that many are equal or nearly equal. */
const VALUES: Readonly<Record<AttributeType, readonly string[]>> = {
  AlphaNumeric: ['', 'a', 'A', 'b', 'ab', 'ä', 'Ä', "O'Brien", 'a,b', '10', '9', '\uff21', '😀'],
  Integer: ['0', '-0', '007', '7', '-7', '10', '9223372036854775807', '9223372036854775806'],
  Float: ['0', '0.0', '.5', '0.5', '5e-1', '1e308', '-2.5', '0.1', '0.10000000000000001'],
  DateTime: [
    '2024-01-31',
    '2024-01-31T00:00:00Z',
    '2024-01-31T01:00:00+01:00',
    '2024-01-30T23:59:59.9999999Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31',
  ],
  Catalog: ENTRIES.map(String),
};
const MEASURED = [
  ...[
    '0',
    '-0',
    '0.0',
    '1',
    '1.0',
    '1.50',
    '1.5',
    '0.1',
    '0.10000000000000001',
    '1e-7',
    '0.0000001',
    '0.00000010',
    '-2.5',
    '+7',
    '7',
    '.5',
  ],
  ...['1e21', '1e+21', '1E3', '1000', '1e15', '1000000000000000', '123456789012345678901', '5e-324', '1e-400', '1.7976931348623157e308'],
];
const TIMES = [
  '2024-05-01T10:00:00Z',
  '2024-05-01T12:00:00+02:00',
  '2024-05-01T10:00:00.0000009Z',
  '2024-05-01',
  '2023-01-01',
  '1969-12-31T23:59:59.5',
  '0001-01-01',
];
const MODIFIED = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-01-02T03:04:05.678Z', '2026-02-01T00:00:00.000Z'];

const MEASUREMENT_TYPES = new Map<number, AttributeType>([
  [4, 'DateTime'],
  [99, 'Integer'],
  [5001, 'AlphaNumeric'],
  [5002, 'Integer'],
  [5003, 'Float'],
  [5004, 'DateTime'],
  [5005, 'Catalog'],
]);
const VALUE_TYPES = new Map<number, AttributeType>([
  [1, 'Float'],
  [6001, 'AlphaNumeric'],
  [6002, 'Float'],
  [6003, 'DateTime'],
  [6005, 'Catalog'],
]);
const UNDEFINED_KEY = 4711;
const KEYS = [...MEASUREMENT_TYPES.keys(), ...VALUE_TYPES.keys(), UNDEFINED_KEY];
const OPERATORS = ['=', '<>', '<', '>', '<=', '>=', 'In', 'NotIn', 'Like'];

const PARTS = ['P:/a/', 'PP:/a/b/', 'PPP:/a/b/c/', 'P:/d/', 'P:/ab/'];
const PATHS = ['pa/', 'pa/pb/', 'pa/pb/pc/', 'pd/', 'pab/'];
/** Scopes: everything, or some subtrees, which may be nested or the whole plan. */
const readableOf: fc.Arbitrary<PathScope> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(PathScope.EVERYTHING) },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(fc.constantFrom('', ...PATHS), { minLength: 1, maxLength: 3 }).map((prefixes) => PathScope.of(prefixes)),
  },
);

const some = <T>(values: readonly T[], maxLength: number) => fc.uniqueArray(fc.constantFrom(...values), { maxLength });
const present = <T extends object>(record: T) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Record<string, string>;
const valueOf = (key: number) => {
  if (key === 1) return fc.constantFrom(...MEASURED);
  if (key === 4) return fc.constantFrom(...TIMES);
  return fc.constantFrom(...VALUES[MEASUREMENT_TYPES.get(key) ?? VALUE_TYPES.get(key) ?? 'AlphaNumeric']);
};
const attributesOf = (keys: readonly number[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [String(key), valueOf(key)])), { requiredKeys: [] }).map(present);

function measurementOf(parts: readonly { uuid: string; characteristics: readonly string[] }[]): fc.Arbitrary<TestMeasurement> {
  const keys = [...MEASUREMENT_TYPES.keys()].filter((key) => key !== 99);
  const aggregation = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant({ 99: '1' }) });
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...MEASURED).map((text) => ({ 1: text })) },
    { weight: 1, arbitrary: attributesOf([...VALUE_TYPES.keys()]).filter((values) => Object.keys(values).length > 0) },
  );
  return fc.constantFrom(...parts).chain(({ uuid: part, characteristics }) =>
    fc.record({
      uuid: fc.constant(0).map(() => randomUUID() as string),
      part: fc.constant(part),
      attributes: fc
        .tuple(attributesOf(keys), aggregation)
        .map(([attributes, mark]): Record<string, string> => ({ ...attributes, ...mark })),
      characteristics: some(characteristics, characteristics.length).chain((uuids) =>
        fc.record(Object.fromEntries(uuids.map((uuid) => [uuid, value as fc.Arbitrary<Record<string, string>>]))),
      ),
      lastModified: fc.constantFrom(...MODIFIED),
      created: fc.constantFrom(...MODIFIED),
      ownSet: fc.boolean(),
    }),
  );
}

const conditionOf = fc.constantFrom(...KEYS, ...KEYS, 1, 1, 1).chain((key) => {
  const value = fc.oneof(
    { weight: 8, arbitrary: valueOf(key) },
    { weight: 1, arbitrary: fc.constantFrom('2.5', '1e400', ' 7 ', '-1', 'x', 'a%', '2024-05-01T10:00:00Z') },
  );
  const list = fc.array(value, { maxLength: 4 }).map((values) => values.map((text) => `'${text.replaceAll("'", "''")}'`).join());
  return fc
    .constantFrom(...OPERATORS)
    .chain((operator) => (operator.endsWith('In') ? list : value).map((text) => `${key}${operator}[${text}]`));
});
const timeCondition = fc
  .tuple(fc.constantFrom('LastModified', 'Created'), fc.constantFrom('=', '<>', '<', '>=', '>'), fc.constantFrom(...MODIFIED))
  .map(([field, operator, value]) => `${field}${operator}[${value}]`);

function queryOf(server: TestServer): fc.Arbitrary<TestQuery> {
  const uuids = [...server.parts.keys(), randomUUID()];
  const optional = <T>(arbitrary: fc.Arbitrary<T>, nil = 4) => fc.option<T, undefined>(arbitrary, { freq: nil, nil: undefined });
  const rarely = (arbitrary: fc.Arbitrary<string>) =>
    fc.integer({ min: 0, max: 6 }).chain((dice) => (dice === 0 ? arbitrary : fc.constant(undefined)));
  const often = (arbitrary: fc.Arbitrary<string>) => optional(arbitrary);
  const limit = fc.constantFrom('0', '1', '2', '3', '5', '20', '-1');
  const keyList = (keys: readonly number[]) =>
    fc.oneof(
      some(keys, 4).map((chosen) => `{${chosen.join()}}`),
      fc.constantFrom('All', 'none'),
    );
  const order = fc
    .uniqueArray(fc.constantFrom('LastModified', 'Created', ...KEYS.map(String)), { minLength: 1, maxLength: 3 })
    .chain((fields) =>
      fc
        .array(fc.constantFrom('asc', 'desc', 'DESC'), { minLength: fields.length, maxLength: fields.length })
        .map((directions) => fields.map((field, i) => `${field} ${directions[i] ?? 'asc'}`).join(', ')),
    );
  const merge = fc.record({
    mergeAttributes: fc.constantFrom(...MEASUREMENT_TYPES.keys(), UNDEFINED_KEY).map(String),
    mergeCondition: often(fc.constantFrom('none', 'MeasurementsInAtLeastTwoParts', 'MeasurementsInAllParts')),
    mergeMasterPart: rarely(fc.constantFrom(...uuids)),
  });
  return fc
    .record({
      measurementUuids: rarely(
        some(
          server.measurements.map(({ uuid }) => uuid),
          20,
        ).map((list) => `{${list.join()}}`),
      ),
      partUuids: often(some(uuids, 4).map((list) => `{${list.join()}}`)),
      partPath: rarely(fc.constantFrom('/', '/a', '/A/B/', '/d/', '/none/')),
      deep: often(fc.constantFrom('true', 'false', 'True')),
      order: often(fc.oneof(order, fc.constantFrom('4 asc', '4 asc', 'LastModified desc', `4 desc, ${UNDEFINED_KEY} asc`))),
      searchCondition: often(
        fc
          .array(fc.oneof({ weight: 5, arbitrary: conditionOf }, { weight: 1, arbitrary: timeCondition }), { minLength: 1, maxLength: 2 })
          .map((list) => list.join('+')),
      ),
      caseSensitive: often(fc.constantFrom('true', 'false')),
      fromModificationDate: rarely(fc.constantFrom(...MODIFIED)),
      toModificationDate: rarely(fc.constantFrom(...MODIFIED)),
      limitResult: often(limit),
      limitResultPerPart: rarely(limit),
      requestedMeasurementAttributes: often(keyList([...MEASUREMENT_TYPES.keys()])),
      requestedValueAttributes: often(keyList([...VALUE_TYPES.keys()])),
      characteristicUuids: rarely(some([...server.characteristics.keys()], 6).map((list) => `{${list.join()}}`)),
      statistics: often(fc.constantFrom('None', 'Simple', 'detailed')),
      aggregation: often(fc.constantFrom('All', 'Default', 'Measurements', 'aggregationMeasurements')),
      merge: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: merge }),
    })
    .map(({ merge: merging, ...others }) => present({ ...others, ...merging }));
}

const addressOf = (resource: string, query: TestQuery) =>
  `${resource}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&')}`;

const sortedStatus = (answer: Record<string, unknown>) => {
  const status = answer['status'] as { uuid?: string[] }[] | undefined;
  status?.forEach(({ uuid }) => uuid?.sort());
  return answer;
};

describeWith(['postgres'], 'random selections of measurements', () => {
  let inspection: RunningInspection;
  let server: TestServer;
  const client = new PlanClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      ...[...MEASUREMENT_TYPES]
        .filter(([key]) => key !== 4)
        .map(([key, type]) => ({ key, entity: 'measurement' as const, type, entries: ENTRIES })),
      ...[...VALUE_TYPES].filter(([key]) => key !== 1).map(([key, type]) => ({ key, entity: 'value' as const, type, entries: ENTRIES })),
    );
    const uuids = [ROOT_PART_UUID, ...(await client.create(...PARTS))];
    const parts = await Promise.all(
      uuids.map(async (uuid, i) => {
        const marker = i === 0 ? '' : (PARTS[i - 1] ?? '').split(':')[0];
        const names = i === 0 ? '/' : (PARTS[i - 1] ?? '').split(':')[1];
        return { uuid, characteristics: await client.create(...['x', 'y', 'z', 'w'].map((name) => `${marker}C:${names}${name}/`)) };
      }),
    );
    const characteristics = new Map<string, readonly (number | null)[]>();
    for (const { characteristics: own } of parts) {
      const limits = [
        [0, 5, 0.5, 2],
        [null, 1, null, null],
        [null, null, -1, null],
        [null, null, null, null],
      ];
      for (const [i, uuid] of own.entries()) {
        characteristics.set(uuid, limits[i] ?? []);
        const attributes = [2110, 2111, 8014, 8015].flatMap((key, k) =>
          limits[i]?.[k] == null ? [] : [[key, String(limits[i][k])] as const],
        );
        await sql(inspection, 'UPDATE plan_item SET attributes = $2 WHERE uuid = $1', [
          uuid,
          JSON.stringify(Object.fromEntries(attributes)),
        ]);
      }
    }
    const measurements = fc.sample(measurementOf(parts), MEASUREMENTS);
    await insertMeasurements(inspection, measurements);
    // Deletes one characteristic of some parts; its values are still stored.
    const gone = parts.slice(1, 4).flatMap((part) => part.characteristics.slice(0, 1));
    await sql(
      inspection,
      'UPDATE characteristic_set SET stale = true WHERE characteristic_ids && ARRAY(SELECT id FROM plan_item WHERE uuid = ANY($1::uuid[]))',
      [gone],
    );
    await sql(inspection, 'DELETE FROM plan_item WHERE uuid = ANY($1::uuid[])', [gone]);
    for (const uuid of gone) characteristics.delete(uuid);
    const paths = new Map(uuids.map((uuid, i) => [uuid, i === 0 ? '' : (PATHS[i - 1] ?? '')]));
    server = { parts: paths, characteristics, measurementTypes: MEASUREMENT_TYPES, valueTypes: VALUE_TYPES, measurements };
    await sql(inspection, 'ANALYZE');
  });
  afterAll(async () => inspection.stop());

  it(
    `return what an evaluation in memory returns (${RUNS} requests) [I132-I148, I160-I162, I192, D1.5, D5.1, D5.4, D5.6, D5.8-D5.11, D5.14]`,
    async () => {
      const resource = fc.constantFrom('measurements', 'values', 'distinct' as const, 'count' as const);
      const request = fc.tuple(resource, queryOf(server), readableOf, fc.constantFrom(...KEYS));
      await fc.assert(
        fc.asyncProperty(request, async ([target, sent, readable, key]) => {
          const isDistinct = target === 'distinct';
          const { mergeAttributes: _merged, mergeMasterPart: _master, ...unmerged } = sent;
          const { order: _order, limitResult: _limit, limitResultPerPart: _each, mergeCondition: _condition, ...counted } = unmerged;
          const query = { measurements: sent, values: sent, distinct: unmerged, count: counted }[target];
          const selected = evaluateSelection(server, query, (path) => readable.includes(path));
          const principal: Principal = { ...EVERYONE, rightsKey: JSON.stringify(readable), scopeOf: () => readable };
          await inspection.as(principal, async () => {
            const address = isDistinct
              ? addressOf('distinctMeasurementAttributeValues', { ...query, key: String(key) })
              : addressOf(target === 'count' ? 'measurements/count' : target, query);
            const { status, body } = (await client.get(address)) as { status: number; body: unknown };
            if (selected === 400) {
              expect([status, body]).toEqual([400, expect.anything()]);
              return;
            }
            expect([status, status === 200 ? '' : body]).toEqual([200, '']);
            if (target === 'count') {
              expect(body).toEqual({ count: selected.length });
              return;
            }
            if (isDistinct) {
              const texts = selected.map(({ attributes }) => (MEASUREMENT_TYPES.has(key) ? attributes[key] : undefined) ?? '');
              expect(body).toEqual([...new Set(texts)]);
              return;
            }
            const answers = body as Record<string, unknown>[];
            expect(answers.map(({ uuid }) => uuid)).toEqual(selected.map(({ uuid }) => uuid));
            const expected = selected.map((measurement) => expectedAnswer(server, measurement, query, target === 'values'));
            expect(answers.map(sortedStatus)).toEqual(expected.map(sortedStatus));
          });
        }),
        { numRuns: RUNS },
      );
      // Guards against a generator whose requests are mostly refused or select nothing. The large sample excludes chance.
      const hits = fc.sample(request, SAMPLED).filter(([, query, readable]) => {
        const selected = evaluateSelection(server, query, (path) => readable.includes(path));
        return selected !== 400 && selected.length > 0 && selected.length < MEASUREMENTS / 2;
      });
      expect(hits.length).toBeGreaterThan(SAMPLED / 4);
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});
