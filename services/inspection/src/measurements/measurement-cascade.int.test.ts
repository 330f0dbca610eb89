import { randomUUID } from 'node:crypto';
import { PathScope, type Principal } from '@sinebar/access-control';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient, sql } from '../plan/plan-client.fixture.ts';
import { announcedDeletions, storedAmong, storeMeasurements } from './stored-measurements.fixture.ts';

describeWith(['postgres'], 'measurements of deleted parts', () => {
  let inspection: RunningInspection;
  let careful: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const carefulPlan = new PlanClient(() => careful);
  beforeAll(async () => {
    inspection = await startInspection();
    careful = await startInspection({ SINEBAR_DELETE_PARTS_WITH_MEASUREMENTS: false });
  });
  afterAll(async () => {
    await inspection.stop();
    await careful.stop();
  });
  afterEach(() => sql(inspection, 'DELETE FROM outbox'));

  const name = () => `t${randomUUID()}`;
  const setsOf = (running: RunningInspection, part: string) =>
    sql(running, 'SELECT FROM characteristic_set WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)', [part]);

  it('are deleted with the part and the parts below, and announced before the parts [I111, D7.3]', async () => {
    const t = name();
    const [part, sub, other, x] = (await plan.create(`P:/${t}/`, `PP:/${t}/sub/`, `P:/${t}2/`, `PC:/${t}/x/`)) as [
      string,
      string,
      string,
      string,
    ];
    const [ofPart, ofSub, ofOther] = (await storeMeasurements(
      inspection,
      { part, values: { [x]: 1 } },
      { part: sub },
      { part: other },
    )) as [string, string, string];
    await sql(inspection, 'DELETE FROM outbox');
    await plan.delete(`parts/${part}`).expect(200);
    expect(await storedAmong(inspection, [ofPart, ofSub, ofOther])).toEqual([ofOther]);
    expect((await inspection.announced()).map(({ type }) => type)).toEqual([
      'MeasurementDeleted',
      'MeasurementDeleted',
      'CharacteristicDeleted',
      'PartDeleted',
      'PartDeleted',
    ]);
    expect(await announcedDeletions(inspection)).toEqual([ofSub, ofPart]);
    const [first] = await inspection.envelopes();
    expect(first).toMatchObject({
      type: 'MeasurementDeleted',
      sinebarpart: sub,
      sinebarpath: `p${t}/psub/`,
      subject: ofSub,
      data: { events: [{ PartUuid: sub, CharacteristicUuid: sub, MeasurementUuid: ofSub }] },
    });
    const orphans = await sql(inspection, 'SELECT FROM characteristic_set WHERE part_id NOT IN (SELECT id FROM plan_item)');
    expect(orphans).toEqual([]);
  });

  it('are announced in messages of at most 1,000 events of one part [D7.3]', async () => {
    const t = name();
    const [part] = (await plan.create(`P:/${t}/`)) as [string];
    await sql(inspection, 'DELETE FROM outbox');
    await sql(
      inspection,
      `INSERT INTO measurement (uuid, part_id, last_modified, created, aggregation, attributes)
       SELECT gen_random_uuid(), id, now(), now(), false, '{}' FROM plan_item, generate_series(1, 2001) WHERE plan_item.uuid = $1`,
      [part],
    );
    await plan.delete(`parts?partUuids={${part}}`).expect(200);
    const envelopes = await inspection.envelopes();
    expect(envelopes.map(({ data }) => data.events.length)).toEqual([1000, 1000, 1, 1]);
    expect(envelopes.map(({ subject }) => subject).slice(0, 2)).toEqual([part, part]);
    expect(new Set(await announcedDeletions(inspection)).size).toBe(2001);
  });

  it('are deleted when a part is cleared, those of sub parts unless these are kept [I112, I113, D4.8]', async () => {
    const t = name();
    const [part, sub, x] = (await plan.create(`P:/${t}/`, `PP:/${t}/sub/`, `PC:/${t}/x/`)) as [string, string, string];
    const [own, below] = (await storeMeasurements(inspection, { part, values: { [x]: 1 } }, { part: sub })) as [string, string];
    await request(inspection.server).post(`/dataServiceRest/parts/${part}/clear?keep=subParts`).expect(200);
    expect(await storedAmong(inspection, [own, below])).toEqual([below]);
    expect(await setsOf(inspection, part)).toEqual([]);
    const [again] = (await storeMeasurements(inspection, { part })) as [string];
    await request(inspection.server).post(`/dataServiceRest/parts/${part}/clear`).expect(200);
    expect(await storedAmong(inspection, [again, below])).toEqual([]);
    const [last] = (await storeMeasurements(inspection, { part })) as [string];
    await request(inspection.server).post(`/dataServiceRest/parts/${part}/clear`).expect(200);
    expect(await announcedDeletions(inspection)).toEqual([own, below, again, last]);
  });

  it('are kept when characteristics are deleted [I128]', async () => {
    const t = name();
    const [part, x] = (await plan.create(`P:/${t}/`, `PC:/${t}/x/`)) as [string, string];
    const stored = await storeMeasurements(inspection, { part, values: { [x]: 1 } });
    await plan.delete(`characteristics/${x}`).expect(200);
    expect(await storedAmong(inspection, stored)).toEqual(stored);
    expect(await announcedDeletions(inspection)).toEqual([]);
  });

  it('are deleted only for users who may change measurements there [D8.2]', async () => {
    const t = name();
    const [part, measured, bare, x, y, z, xOfBare] = (await plan.create(
      `P:/${t}/`,
      `PP:/${t}/measured/`,
      `PP:/${t}/bare/`,
      `PPC:/${t}/measured/x/`,
      `PPC:/${t}/measured/y/`,
      `PPC:/${t}/measured/z/`,
      `PPC:/${t}/bare/x/`,
    )) as [string, string, string, string, string, string, string];
    const stored = await storeMeasurements(inspection, { part: measured, values: { [x]: 1 }, extras: { [y]: { 5: 'only this' } } });
    await sql(inspection, 'DELETE FROM outbox');
    const own = PathScope.below(`p${t}/`);
    const planner = (measurements: PathScope): Principal => ({
      name: 'planner',
      rightsKey: 'planner',
      scopeOf: (right) => (right === 'plan:write' ? own : right === 'measurement:write' ? measurements : PathScope.NOTHING),
      holds: () => false,
    });
    const clear = (uuid: string, query = '') => request(inspection.server).post(`/dataServiceRest/parts/${uuid}/clear${query}`);
    await inspection.as(planner(PathScope.below(`p${t}/pbare/`)), async () => {
      for (const uuid of [part, measured]) await plan.delete(`parts/${uuid}`).expect(403);
      await plan.delete(`parts?partUuids={${bare},${measured}}`).expect(403);
      for (const uuid of [x, y]) await plan.delete(`characteristics?charUuids={${uuid},${z}}`).expect(403);
      await clear(part).expect(403);
      for (const query of ['', '?keep=subParts']) await clear(measured, query).expect(403);
    });
    expect(await plan.tree(`/${t}`)).toHaveLength(7);
    expect(await storedAmong(inspection, stored)).toEqual(stored);
    expect(await inspection.announced()).toEqual([]);
    await inspection.as(planner(PathScope.NOTHING), async () => {
      await plan.delete(`characteristics/${z}`).expect(200);
      await plan.delete(`characteristics/${xOfBare}`).expect(200);
      await clear(part, '?keep=subParts').expect(200);
      await plan.delete(`parts/${bare}`).expect(200);
    });
    expect(await storedAmong(inspection, stored)).toEqual(stored);
    await inspection.as(planner(PathScope.below(`p${t}/pmeasured/`)), async () => {
      await plan.delete(`characteristics/${x}`).expect(200);
      await plan.delete(`parts/${part}`).expect(200);
    });
    expect(await announcedDeletions(inspection)).toEqual(stored);
  });

  it('prevent the deletion of the whole request when the setting forbids it [I110, I187, I201, D4.8]', async () => {
    const t = name();
    const [empty, part, sub] = (await carefulPlan.create(`P:/${t}e/`, `P:/${t}/`, `PP:/${t}/sub/`)) as [string, string, string];
    const stored = await storeMeasurements(careful, { part: sub });
    const { body } = (await carefulPlan.delete(`parts?partUuids=${empty},${part}`).expect(409)) as { body: ErrorBody };
    expect(body.message).toContain(sub);
    expect(body.details).toEqual([{ field: 'uuid', message: `The part ${part} has measurements, itself or below it.` }]);
    const cleared = await carefulPlan.refused(request(careful.server).post(`/dataServiceRest/parts/${part}/clear`));
    expect(cleared[0]).toBe(409);
    expect(await carefulPlan.tree(`/${t}`)).toHaveLength(2);
    expect(await carefulPlan.tree(`/${t}e`)).toHaveLength(1);
    expect(await storedAmong(careful, stored)).toEqual(stored);
    await request(careful.server).post(`/dataServiceRest/parts/${sub}/clear`).expect(200);
    await carefulPlan.delete(`parts?partUuids=${empty},${part}`).expect(200);
  });
});

describeWith(['postgres'], 'moving characteristics that have values', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const setUp = async () => {
    const t = `t${randomUUID()}`;
    const [part, , group, x, empty, other] = (await plan.create(
      `P:/${t}/`,
      `P:/${t}2/`,
      `PC:/${t}/group/`,
      `PCC:/${t}/group/x/`,
      `PC:/${t}/empty/`,
      `PC:/${t}/other/`,
    )) as [string, string, string, string, string, string];
    return { t, part, group, x, empty, other };
  };

  it.each(['measured', 'only extras'])('is allowed only within their part, also for those above them (%s) [D4.6]', async (kind) => {
    const { t, part, group, x, empty } = await setUp();
    await storeMeasurements(
      inspection,
      kind === 'measured' ? { part, values: { [x]: 0 } } : { part, values: {}, extras: { [x]: { 5: 'a' } } },
    );
    const [status, message] = await plan.refused(plan.put('characteristic', [{ uuid: x, path: `PC:/${t}2/x/` }]));
    expect(status).toBe(400);
    expect(message).toContain('[0].path');
    expect((await plan.refused(plan.put('characteristic', [{ uuid: group, path: `PC:/${t}2/group/` }])))[0]).toBe(400);
    expect(await plan.tree(`/${t}2`)).toHaveLength(1);
    await plan.put('characteristic', [{ uuid: x, path: `PC:/${t}/x/` }]).expect(200);
    await plan.put('characteristic', [{ uuid: group, path: `PC:/${t}2/group/` }]).expect(200);
    await plan.put('characteristic', [{ uuid: empty, path: `PC:/${t}2/empty/` }]).expect(200);
  });

  it('is allowed when the children with values stay in the part by the same request [D4.6]', async () => {
    const { t, part, group, x } = await setUp();
    await storeMeasurements(inspection, { part, values: { [x]: 1 } });
    await plan
      .put('characteristic', [
        { uuid: group, path: `PC:/${t}2/group/` },
        { uuid: x, path: `PC:/${t}/x/` },
      ])
      .expect(200);
    expect((await plan.one('characteristic', x)).path).toBe(`PC:/${t}/x/`);
  });
});
