import type { ServiceInformation } from '@sinebar/contracts';
import { createLogger } from '@sinebar/runtime';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { storeMeasurements } from '../measurements/stored-measurements.fixture.ts';
import { PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { StatisticsJob } from './statistics-job.ts';

describeWith(['postgres'], 'service information about measurements', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await eventually(async () => (await sql(inspection, 'SELECT FROM statistics')).length === 1);
  });
  afterAll(() => inspection.stop());

  const information = async () =>
    (await request(inspection.server).get('/dataServiceRest/serviceInformation').expect(200)).body as ServiceInformation;
  const counts = async () => {
    await new StatisticsJob(inspection.database, createLogger({ service: 'test', level: 'error' })).step(new AbortController().signal);
    const { measurementCount, valueCount } = await information();
    return [measurementCount, valueCount] as const;
  };

  it('updates the time of the last change when measurements are deleted, and only then [I28]', async () => {
    const time = async () => Date.parse((await information()).measurementTimestamp);
    const [part] = (await plan.create('P:/timed/')) as [string];
    await storeMeasurements(inspection, { part });
    const stored = await time();
    await eventually(() => Date.now() > stored);
    await request(inspection.server).delete('/dataServiceRest/measurements?partPath=/timed').expect(200);
    const deleted = await time();
    expect(deleted).toBeGreaterThan(stored);
    await request(inspection.server).delete('/dataServiceRest/measurements?partPath=/timed').expect(200);
    expect(await time()).toBe(deleted);
  });

  it('counts few measurements exactly and many approximately [I18, I25]', async () => {
    const [part, x, y] = (await plan.create('P:/a/', 'PC:/a/x/', 'PC:/a/y/')) as [string, string, string];
    await storeMeasurements(inspection, { part, values: { [x]: 1, [y]: 2 } }, { part, values: { [x]: 1 } }, { part });
    expect(await counts()).toEqual([3, 3]);
    await sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, last_modified, created, characteristic_set_id, aggregation, attributes, "values")
       SELECT gen_random_uuid(), part_id, now(), now(), characteristic_set_id, false, '{}', "values" FROM measurement, generate_series(1, 20000)`,
    );
    const close = (values: readonly [number, number]) => {
      expect(Math.abs(values[0] / 60_003 - 1)).toBeLessThan(0.05);
      expect(Math.abs(values[1] / 60_003 - 1)).toBeLessThan(0.1);
    };
    close(await counts());
    await inspection.database.read({ signal: AbortSignal.timeout(10_000), statementTimeoutMs: 10_000 }, (session) =>
      session.query('ANALYZE measurement'),
    );
    const analysed = await counts();
    close(analysed);
    expect(await counts()).toEqual(analysed);
    await sql(inspection, 'TRUNCATE measurement');
    expect(await counts()).toEqual([0, 0]);
  });
});
