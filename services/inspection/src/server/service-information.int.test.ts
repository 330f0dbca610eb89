import { randomUUID } from 'node:crypto';
import { ServiceError, type ServiceInformation } from '@sinebar/contracts';
import { createHttpApp } from '@sinebar/http';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { sql } from '../plan/plan-client.fixture.ts';
import { serviceInformationRoutes } from './service-information-routes.ts';
import { StatisticsJob } from './statistics-job.ts';

const BASE = '/dataServiceRest';

describeWith(['postgres'], 'service information', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection();
    // The job counts once at the start, and must not run during the test.
    await eventually(async () => (await sql(inspection, 'SELECT FROM statistics')).length === 1);
  });
  afterAll(() => inspection.stop());

  const read = async () => (await request(inspection.server).get(`${BASE}/serviceInformation`).expect(200)).body as ServiceInformation;
  const counts = async () => {
    const { partCount, characteristicCount, measurementCount, valueCount } = await read();
    return [partCount, characteristicCount, measurementCount, valueCount];
  };
  const post = (path: string, body: object) => request(inspection.server).post(`${BASE}/${path}`).send(body).expect(201);

  it.each(['/oAuthServiceRest/serviceInformation', '/OAUTHSERVICEREST/ServiceInformation/'])(
    'answers the same at %s [D8.1]',
    async (path) => {
      expect((await request(inspection.server).get(path).expect(200)).body).toEqual(await read());
    },
  );

  it('has exactly the documented members of the present release [I18, I20-I24, I26, I71, I203, D5.13]', async () => {
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(await read()).toEqual({
      serverName: 'test',
      version: '1.2.3',
      securityEnabled: false,
      edition: expect.any(String),
      partCount: expect.any(Number),
      characteristicCount: expect.any(Number),
      measurementCount: expect.any(Number),
      valueCount: expect.any(Number),
      featureList: [
        'MeasurementAggregation',
        'DistinctMeasurementSearch',
        'MergeAttributes',
        'MergeConditions',
        'CharacteristicsBelowRoot',
        'CatalogAttributesUpdate',
        'MeasurementLimitResultInt32',
      ],
      inspectionPlanTimestamp: time,
      measurementTimestamp: time,
      configurationTimestamp: time,
      catalogTimestamp: time,
    });
  });

  it('counts in the background: -1 before the first count, then the number of that time, at most 32 bits [I25, I194, D3.7]', async () => {
    await sql(inspection, 'DELETE FROM statistics');
    expect(await counts()).toEqual([-1, -1, -1, -1]);
    const part = randomUUID();
    await post('parts', [{ uuid: part, path: 'P:/counted/' }]);
    await post('characteristics', [
      { uuid: randomUUID(), path: 'PC:/counted/x/' },
      { uuid: randomUUID(), path: 'PC:/counted/y/' },
    ]);
    const job = new StatisticsJob(inspection.database, createLogger({ service: 'test', level: 'error' }));
    await job.step(new AbortController().signal);
    expect(await counts()).toEqual([2, 2, 0, 0]);
    await request(inspection.server).delete(`${BASE}/parts/${part}`).expect(200);
    expect(await counts()).toEqual([2, 2, 0, 0]);
    await job.step(new AbortController().signal);
    expect(await counts()).toEqual([1, 0, 0, 0]);
    await sql(inspection, 'UPDATE statistics SET value_count = 3000000000');
    expect(await counts()).toEqual([1, 0, 0, 2_147_483_647]);
  });

  it.each<[keyof ServiceInformation, () => PromiseLike<unknown>]>([
    ['inspectionPlanTimestamp', () => post('parts', [{ uuid: randomUUID(), path: `P:/${randomUUID()}/` }])],
    ['inspectionPlanTimestamp', () => post('characteristics', [{ uuid: randomUUID(), path: `C:/${randomUUID()}/` }])],
    [
      'configurationTimestamp',
      () =>
        post('configuration/part', [
          { key: 1001, description: '', type: 'AlphaNumeric', length: 9, definitionType: 'AttributeDefinition' },
        ]),
    ],
    ['catalogTimestamp', () => post('catalogs', [{ uuid: randomUUID(), name: 'c', validAttributes: [] }])],
  ])('updates only %s after a change of its kind [I27, I29, I30, I200]', async (moved, change) => {
    const before = await read();
    await eventually(() => Date.now() > Date.parse(String(before[moved])));
    const begun = Date.now();
    await change();
    const after = await read();
    expect(after).toEqual({ ...before, [moved]: after[moved] });
    expect(Date.parse(String(after[moved]))).toBeGreaterThanOrEqual(begun);
  });

  it('needs no sign-in, and reports whether other routes do [I22, I71, I167, I168, D8.1]', async () => {
    const server = { serverName: 'plant 7', version: '1', securityEnabled: true };
    const app = createHttpApp({
      routes: serviceInformationRoutes(inspection.database, server),
      log: createLogger({ service: 'test', level: 'silent' }),
      authenticate: () => Promise.reject(new ServiceError('Unauthenticated', 'sign in first')),
    });
    await request(app).get(BASE).expect(200);
    expect((await request(app).get(`${BASE}/serviceInformation?any=filter`).expect(200)).body).toMatchObject(server);
  });
});
