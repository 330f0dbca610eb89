import { randomUUID } from 'node:crypto';
import type { ErrorBody } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { MeasurementClient } from '../measurements/measurement-client.fixture.ts';
import { define, PlanClient, sql } from '../plan/plan-client.fixture.ts';

/** Values that earlier versions accepted: an Integer beyond 32 bits, and offsets beyond ±14:00. */
const [LARGE, FAR] = ['9223372036854775807', '2024-01-31T10:00:00+15:59'];

describeWith(['postgres'], 'values that may no longer be written', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  let [part, x, y] = ['', '', ''];
  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 1002, entity: 'part', type: 'Integer' },
      { key: 1004, entity: 'part', type: 'DateTime' },
      { key: 2002, entity: 'characteristic', type: 'Integer' },
      { key: 4, entity: 'measurement', type: 'DateTime' },
      { key: 9, entity: 'measurement', type: 'Integer' },
      { key: 1, entity: 'value', type: 'Float' },
      { key: 19, entity: 'value', type: 'Integer' },
      { key: 4500, entity: 'catalog', type: 'Integer' },
    );
    [part = '', x = '', y = ''] = await plan.create('P:/Door/', 'PC:/Door/x/', 'PC:/Door/y/');
  });
  afterAll(() => inspection.stop());

  const refusal = async (answer: PromiseLike<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return [status, (body as ErrorBody).message];
  };
  const storedPart = async (attributes: object) => {
    const [uuid = ''] = await plan.create(`P:/${randomUUID()}/`);
    await sql(inspection, 'UPDATE plan_item SET attributes = $2 WHERE uuid = $1', [uuid, attributes]);
    return uuid;
  };

  it.each([
    ['1002', ['2147483648', '-2147483649', LARGE, '+2147483648', '00002147483648', 1e15], /whole number from -2147483648 to 2147483647/],
    ['1004', [FAR, '2024-01-31T10:00-14:01', '2024-01-31T10:00:00.5+15:00'], /offset must be from -14:00 to \+14:00/],
  ])('are refused for the attribute %s of a new item [D2.2, D10.4]', async (key, values, message) => {
    for (const value of values) {
      const attributes = { [key]: value };
      expect(await refusal(plan.post('part', [{ uuid: randomUUID(), path: `P:/${randomUUID()}/`, attributes }]))).toEqual([
        400,
        expect.stringMatching(message),
      ]);
      expect(await refusal(plan.put('part', [{ uuid: part, attributes }]))).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it.each([
    ['1002', ['2147483647', '-2147483648', '+2147483647', '0000000000001', -2147483648]],
    ['1004', ['2024-01-31T10:00:00+14:00', '2024-01-31T10:00-14:00', '2024-01-31', '2024-01-31T23:59:59.123456789-13:59']],
  ])('do not include %s with the values %j [D2.2, D10.4]', async (key, values) => {
    for (const value of values) {
      const uuid = randomUUID();
      await plan.post('part', [{ uuid, path: `P:/${uuid}/`, attributes: { [key]: value } }]).expect(201);
    }
  });

  it('stay readable on the plan, may be sent back, and not moved to another item [D2.2, D10.4]', async () => {
    const old = { 1002: LARGE, 1004: FAR };
    const uuid = await storedPart(old);
    const read = await plan.one('part', uuid);
    expect(read.attributes).toEqual(old);
    await plan.put('part', [read]).expect(200);
    await plan.put('part', [{ uuid, path: `P:/${randomUUID()}/`, attributes: old }]).expect(200);
    await plan.put('part', [{ uuid, attributes: { '01002': LARGE } }]).expect(200);
    expect((await plan.one('part', uuid)).attributes).toEqual({ 1002: LARGE });
    expect((await refusal(plan.put('part', [{ uuid, attributes: old }])))[0]).toBe(400);
    expect((await refusal(plan.put('part', [{ uuid, attributes: { 1002: `0${LARGE}` } }])))[0]).toBe(400);
    expect((await refusal(plan.put('part', [{ uuid: part, attributes: { 1002: LARGE } }])))[0]).toBe(400);
    const [, message] = await refusal(
      plan.put('part', [
        { uuid, attributes: { 1002: LARGE } },
        { uuid: part, attributes: { 1002: LARGE } },
      ]),
    );
    expect(message).toMatch(/^\[1\]\.attributes: The part attribute "1002" with the value "9223372036854775807"/);
    expect(await plan.list('part', `depth=0&partUuids={${uuid}}&searchCondition=1002=[${LARGE}]`)).toHaveLength(1);
  });

  it('may be sent back in measurements and values [D2.2, D10.4]', async () => {
    const [uuid, other] = [randomUUID(), randomUUID()];
    const measurement = (id: string) => ({ uuid: id, partUuid: part, characteristics: { [x]: { 1: 1 }, [y]: { 1: 2, 19: 3 } } });
    await client.post('values', [measurement(uuid), measurement(other)]).expect(201);
    await sql(inspection, `UPDATE measurement SET attributes = $2, extras = replace(extras::text, '"3"', $3)::jsonb WHERE uuid = $1`, [
      uuid,
      { 4: FAR, 9: LARGE },
      `"${LARGE}"`,
    ]);
    const [read] = (await plan.get(`values?measurementUuids={${uuid}}`).expect(200)).body as [object];
    expect(read).toMatchObject({ attributes: { 4: FAR, 9: LARGE }, characteristics: { [y]: { 1: '2', 19: LARGE } } });
    const heads = (await plan.get(`measurements?measurementUuids={${uuid}}`).expect(200)).body as object[];
    await client.put('measurements', heads).expect(200);
    await client.put('values', [read]).expect(200);
    await client.put('values', JSON.stringify([read], null, 1)).expect(200);
    expect((await plan.get(`values?measurementUuids={${uuid}}`)).body).toMatchObject([{ attributes: { 4: FAR, 9: LARGE } }]);

    const [, message] = await refusal(client.put('values', [{ ...measurement(uuid), characteristics: { [x]: { 1: 1, 19: LARGE } } }]));
    expect(message).toContain(`characteristics.${x}: The value attribute "19"`);
    for (const resource of ['measurements', 'values'] as const) {
      expect((await refusal(client.put(resource, [{ ...read, uuid: other }])))[0]).toBe(400);
      expect((await refusal(client.post(resource, [{ ...read, uuid: randomUUID() }])))[0]).toBe(400);
    }
    const { characteristics } = (await client.stored(other)) ?? {};
    expect(characteristics).toEqual({ [x]: { 1: '1' }, [y]: { 1: '2', 19: '3' } });
  });

  it('may be sent back in catalogs and stay under a changed definition [D2.2, D3.3]', async () => {
    const uuid = randomUUID();
    const send = (method: 'post' | 'put', rest: string, body: unknown) => {
      const sent = request(inspection.server)[method](`/dataServiceRest/${rest}`);
      return sent.send(body as object);
    };
    const catalog = { uuid, name: 'c', validAttributes: [4500], catalogEntries: [{ key: 1, attributes: { 4500: '5' } }] };
    await send('post', 'catalogs', [catalog]).expect(201);
    await sql(inspection, 'UPDATE catalog_entry SET attributes = $2 WHERE catalog = $1', [uuid, { 4500: LARGE }]);
    const read = (await plan.get(`catalogs/${uuid}`).expect(200)).body as [typeof catalog];
    expect(read[0].catalogEntries).toEqual([{ key: 1, attributes: { 4500: LARGE } }]);
    await send('put', 'catalogs', read).expect(200);
    await send('put', 'catalogs', [{ ...catalog, catalogEntries: [{ key: 2, attributes: { 4500: LARGE } }] }]).expect(400);
    await send('post', `catalogs/${uuid}`, [{ key: 2, attributes: { 4500: LARGE } }]).expect(400);
    const definition = { key: 1002, description: 'other', definitionType: 'AttributeDefinition', type: 'Integer' };
    const old = await storedPart({ 1002: LARGE });
    await send('put', 'configuration/part', [definition]).expect(200);
    expect((await plan.one('part', old)).attributes).toEqual({ 1002: LARGE });
  });
});
