import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../plan-client.fixture.ts';

describeWith(['postgres'], 'attributes in updates of the plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
      { key: 1002, entity: 'part', type: 'Integer' },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
    );
  });
  afterAll(() => inspection.stop());

  it.each<[string, object, Record<string, string>]>([
    ['left out', {}, { 1001: 'a', 1002: '5' }],
    ['replaced', { attributes: { 1001: 'b' } }, { 1001: 'b' }],
    ['emptied', { attributes: {} }, {}],
    ['null', { attributes: null }, { 1001: 'a', 1002: '5' }],
    ['with a null value', { attributes: { 1001: null, 1002: 7 } }, { 1002: '7' }],
  ])('are kept or replaced: %s [I103, D4.6]', async (_name, sent, expected) => {
    const uuid = randomUUID();
    await plan.post('part', [{ uuid, path: `P:/${randomUUID()}/`, attributes: { 1001: 'a', 1002: 5 } }]).expect(201);
    await plan.put('part', [{ uuid, ...sent }]).expect(200);
    expect((await plan.one('part', uuid)).attributes).toEqual(expected);
  });

  it('announces Moved before Modified when a request does both, item by item [D7.3]', async () => {
    const t = randomUUID();
    const [a, b, x] = await plan.create(`P:/${t}a/`, `P:/${t}b/`, `PC:/${t}a/x/`);
    const events = await plan.eventsOf(() =>
      plan
        .put('part', [
          { uuid: b, path: `P:/${t}b2/`, attributes: { 1001: 'x' } },
          { uuid: a, attributes: { 1001: 'y' } },
        ])
        .expect(200),
    );
    expect(events).toEqual([
      { type: 'PartMoved', PartUuid: b, FromPath: `P:/${t}b/`, ToPath: `P:/${t}b2/` },
      { type: 'PartModified', PartUuid: b },
      { type: 'PartModified', PartUuid: a },
    ]);
    expect(
      await plan.eventsOf(() => plan.put('characteristic', [{ uuid: x, path: `PC:/${t}a/X/`, attributes: { 2001: 'é' } }]).expect(200)),
    ).toEqual([
      { type: 'CharacteristicMoved', CharacteristicUuid: x, FromPath: `PC:/${t}a/x/`, ToPath: `PC:/${t}a/X/` },
      { type: 'CharacteristicModified', CharacteristicUuid: x, ParentPartUuid: a },
    ]);
  });

  it('keeps what is null, in any spelling, and removes an attribute that is null [D2.1, D4.6]', async () => {
    await define(inspection, { key: 1901, entity: 'part', type: 'AlphaNumeric' }, { key: 1902, entity: 'part', type: 'AlphaNumeric' });
    const [uuid] = await plan.create(`P:/${randomUUID()}/`);
    const { path } = await plan.one('part', uuid as string);
    const attributes = { 1901: 'a', 1902: 'b' };
    await plan.put('part', [{ uuid, attributes }]).expect(200);
    const before = await plan.one('part', uuid as string);
    for (const nothing of [
      { attributes: null },
      { ATTRIBUTES: null, path: null, comment: null },
      { attributes: null, Attributes: attributes },
    ])
      await plan.put('part', [{ uuid, ...nothing }]).expect(200);
    expect(await plan.one('part', uuid as string)).toEqual(before);
    await plan.put('part', [{ uuid, path, attributes: { 1901: null, 1902: 'b' } }]).expect(200);
    expect((await plan.one('part', uuid as string)).attributes).toEqual({ 1902: 'b' });
    await plan.put('part', [{ uuid, attributes: {} }]).expect(200);
    expect((await plan.one('part', uuid as string)).attributes).toEqual({});
    await plan.put('part', [{ uuid: null, attributes: {} }]).expect(400);
  });

  it('creates no version and no event when nothing changes [I51]', async () => {
    const t = randomUUID();
    const uuid = randomUUID();
    await plan.post('part', [{ uuid, path: `P:/${t}/`, attributes: { 1001: 'a', 1002: '05' } }]).expect(201);
    const [sub] = await plan.create(`PP:/${t}/sub/`);
    const revision = async () => (await sql(inspection, 'SELECT revision FROM server_state'))[0];
    const whole = await plan.one('part', uuid);
    const before = await revision();
    const unchanged = [
      [{ uuid }],
      [whole],
      [{ uuid, path: `P:/${t}/`, attributes: { 1002: '05', 1001: 'a' } }],
      [{ uuid, comment: 'nothing done' }],
      [{ uuid: sub, path: `PP:/${t.toUpperCase()}/sub/` }],
      [{ uuid: ROOT_PART_UUID, path: '/', attributes: {} }],
    ];
    for (const body of unchanged) expect(await plan.eventsOf(() => plan.put('part', body).expect(200))).toEqual([]);
    expect(await plan.one('part', uuid)).toEqual(whole);
    expect(await revision()).toEqual(before);
    // The same number in another notation is another text.
    expect(await plan.eventsOf(() => plan.put('part', [{ uuid, attributes: { 1001: 'a', 1002: 5 } }]).expect(200))).toHaveLength(1);
  });

  it('change at the root part', async () => {
    await plan.put('part', [{ uuid: ROOT_PART_UUID, path: '/', attributes: { 1001: 'all' } }]).expect(200);
    expect((await plan.one('part', ROOT_PART_UUID)).attributes).toEqual({ 1001: 'all' });
  });
});
