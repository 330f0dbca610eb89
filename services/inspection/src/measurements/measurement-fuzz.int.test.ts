import { randomUUID } from 'node:crypto';
import { describeWith, eventually } from '@sinebar/testing';
import { oneOfEachKind } from '@sinebar/testing/wire-requests';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { expectErrorBody, goodRequests, randomRequests, RequestSender, type RequestFields } from '../plan/random-requests.fixture.ts';
import { malformedRequests } from './malformed-measurements.fixture.ts';
import { MALFORMED_DEFINITIONS, type MalformedContext } from './malformed-texts.fixture.ts';
import { MeasurementClient, plainValues } from './measurement-client.fixture.ts';

const RUNS = size({ short: 125, long: 10_000 });
const MS_PER_RUN = 60;
/** Most characters of an error body. */
const MAX_MESSAGE_LENGTH = 5000;

describeWith(['postgres'], 'malformed requests about measurements', () => {
  let inspection: RunningInspection;
  let context: MalformedContext;
  const sender = new RequestSender(() => inspection);
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(inspection, ...MALFORMED_DEFINITIONS);
    const [part = '', otherPart = '', a = '', b = '', c = '', otherCharacteristic = ''] = await plan.create(
      'P:/a/',
      'P:/b/',
      'PC:/a/x/',
      'PC:/a/y/',
      'PCC:/a/y/z/',
      'PC:/b/x/',
    );
    const measurements = Array.from({ length: 3 }, () => randomUUID());
    await client
      .post(
        'values',
        measurements.map((uuid, i) => ({
          uuid,
          partUuid: part,
          attributes: { 7001: 'kept' },
          characteristics: plainValues({ [a]: `${i}.50` }),
        })),
      )
      .expect(201);
    context = { part, otherPart, otherCharacteristic, characteristics: [a, b, c], measurements };
  });
  afterAll(async () => {
    sender.close();
    await inspection.stop();
  });

  /** Reads everything that a request about measurements could change. */
  const stored = async () => ({
    measurements: await sql(inspection, 'SELECT * FROM measurement ORDER BY id'),
    operations: await sql(inspection, 'SELECT * FROM pending_operation'),
    events: await inspection.envelopes(),
  });
  const expectHealthy = async () => {
    await eventually(() => inspection.database.poolUsage().requests.used === 0 && inspection.database.poolUsage().streams.used === 0);
    await plan.get(`values?partUuids={${context.part}}`).expect(200);
  };

  it(
    `get a 4xx with a message and change nothing (${RUNS} requests) [D2.2]`,
    async () => {
      const before = await stored();
      const seen = new Map<string, number>();
      const malformed = malformedRequests(context);
      await fc.assert(
        fc.asyncProperty(malformed, async (sent) => {
          const answer = await sender.send(sent);
          const route = `${sent.method} ${sent.path.split(/[/?]/)[2]} ${answer.status}`;
          seen.set(route, (seen.get(route) ?? 0) + 1);
          if (!sent.statuses.includes(answer.status))
            throw new Error(`${sent.mistake}: ${answer.status} instead of ${sent.statuses.join()}: ${answer.text.slice(0, 1000)}`);
          expectErrorBody(answer);
          expect(answer.text.length).toBeLessThan(MAX_MESSAGE_LENGTH);
        }),
        { numRuns: RUNS, endOnFailure: true, examples: oneOfEachKind(malformed) },
      );
      expect(await stored()).toEqual(before);
      // Guards against a generator whose requests all fail at the same check.
      const reading = ['GET measurements', 'GET values', 'GET distinctMeasurementAttributeValues', 'GET pendingOperations'];
      const writing = ['POST measurements', 'POST values', 'PUT measurements', 'PUT values', 'DELETE measurements'];
      for (const route of [...reading, ...writing]) expect([route, seen.has(`${route} 400`)]).toEqual([route, true]);
      const statuses = new Set([...seen.keys()].map((route) => Number(route.slice(-3))));
      expect([...statuses]).toEqual(expect.arrayContaining([400, 404, 405, 415]));
      await expectHealthy();
    },
    180_000 + RUNS * MS_PER_RUN,
  );

  it(
    `from random parts never get 500 (${RUNS} requests)`,
    async () => {
      const seen = new Map<number, number>();
      const fields = randomFields(context);
      await fc.assert(
        fc.asyncProperty(randomRequests(fields), async (sent) => {
          const answer = await sender.send(sent);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status < 200 || answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          if (answer.status >= 400 && sent.method !== 'HEAD') expectErrorBody(answer);
        }),
        { numRuns: RUNS, endOnFailure: true, examples: goodRequests(fields) },
      );
      for (const status of [200, 201, 400, 404]) expect([status, (seen.get(status) ?? 0) > 0]).toEqual([status, true]);
      await expectHealthy();
    },
    180_000 + RUNS * MS_PER_RUN,
  );
});

/** Valid requests about the measurements, and texts that are valid in one member and invalid in another. */
function randomFields({ part, otherPart, characteristics, measurements }: MalformedContext): RequestFields {
  const [known = '', other = ''] = measurements;
  const [a = '', b = ''] = characteristics;
  const fresh = () => ({
    uuid: randomUUID(),
    partUuid: part,
    attributes: { 4: '2024-05-06', 7001: 'x', 7003: 5 },
    comment: 'c',
    characteristics: { [a]: { 1: '1.50', 7101: 'x' }, [b]: { 1: 2 } },
  });
  return {
    good: [
      ...['measurements', 'values', 'distinctMeasurementAttributeValues?key=4'].map((list) => ['GET', `/${list}`] as const),
      ...['measurements', 'values', 'pendingOperations'].map((list) => ['GET', `/${list}/${known}`] as const),
      ...['measurements', 'values'].flatMap((list) => [
        ['POST', `/${list}`, [fresh()]] as const,
        ['POST', `/${list}`, [fresh(), fresh()]] as const,
        ['PUT', `/${list}`, [{ ...fresh(), uuid: known }]] as const,
      ]),
      ['DELETE', '/measurements'],
      ['DELETE', `/measurements/${other}`],
    ],
    parameters: [
      ...[
        'measurementUuids',
        'partUuids',
        'partPath',
        'deep',
        'order',
        'searchCondition',
        'caseSensitive',
        'limitResult',
        'limitResultPerPart',
      ],
      ...['fromModificationDate', 'toModificationDate', 'requestedMeasurementAttributes', 'requestedValueAttributes', 'statistics', 'key'],
      ...['aggregation', 'mergeAttributes', 'mergeCondition', 'mergeMasterPart', 'characteristicUuids', 'runAsync', 'unknown', '%00', ''],
    ],
    parameterValues: [
      ...[
        '',
        '/',
        '/a',
        '/a//b',
        '{}',
        '{',
        `{${measurements.join()}}`,
        part,
        `${part},${otherPart}`,
        `{{${known}}}`,
        'true',
        'FALSE',
        '0',
        '-1',
      ],
      ...[
        '1',
        '99999',
        '1e3',
        'All',
        'None',
        '{4,7001}',
        'detailed',
        'AggregationMeasurements',
        'DeleteDeep',
        '4',
        '7001',
        '65536',
        '2024-01-31',
      ],
      ...[
        '4 asc',
        '7004 desc, LastModified asc',
        '1 desc',
        '7101 asc, 4 desc',
        'MeasurementsInAtLeastTwoParts',
        '0001-01-01T00:00:00%2B15:59',
      ],
      ...[
        '1>[0.5]',
        '1=[1e308]',
        '7001Like[%25x]',
        '7003In[1,1e2,x]',
        '7004<>[3]',
        '4>[2024-01-31]+7101=[x]',
        '7001=[%00]',
        '1=[',
        '$1',
        '%ff',
      ],
      ...[
        'LastModified>[2024-01-31]',
        "7001In['a,b',c]",
        "7001=['; DROP TABLE measurement; --]",
        '9999=[x]',
        '7002=[99999999999999999999999]',
      ],
    ],
    oddValues: [
      ...[
        null,
        true,
        0,
        -1,
        1.5,
        1e308,
        2 ** 53,
        '',
        ' ',
        [],
        {},
        [[]],
        [null],
        '\u0000',
        '\ud83d',
        'ß',
        '__proto__',
        '1e400',
        'NaN',
        '-0',
      ],
      ...[
        known,
        part,
        a,
        a.toUpperCase(),
        '2024-02-30',
        '00012.500',
        '9'.repeat(400),
        'x'.repeat(5000),
        { 1: 1 },
        { [a]: {} },
        { [a]: { 1: {} } },
      ],
      ...[{ [a]: { 1: '1' }, [a.toUpperCase()]: { 1: '2' } }, { 7001: 'x', '07001': 'y' }, { 4: 'x' }, { '-1': 'x' }, { toString: 'x' }],
    ],
    uuids: [part, known, a, randomUUID()],
  };
}
