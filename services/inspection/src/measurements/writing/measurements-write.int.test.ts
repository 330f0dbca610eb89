import { randomUUID } from 'node:crypto';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID, type ErrorBody } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { MeasurementClient, plainValues } from '../measurement-client.fixture.ts';

describeWith(['postgres'], 'writing measurements', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  const refused = async (answer: PromiseLike<{ status: number; body: unknown }>) => plan.refused(answer);
  let [part, other, a, b, c, ofOther] = ['', '', '', '', '', ''];

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 6, entity: 'measurement', type: 'AlphaNumeric', length: 5 },
      { key: 99, entity: 'measurement', type: 'Integer' },
      { key: 7, entity: 'measurement', type: 'Catalog', entries: [0, 3] },
      { key: 8, entity: 'value', type: 'AlphaNumeric' },
      { key: 9, entity: 'value', type: 'Integer' },
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
    );
    [part = '', other = '', a = '', b = '', c = '', ofOther = ''] = await plan.create(
      'P:/Door/',
      'P:/Roof/',
      'PC:/Door/a/',
      'PCC:/Door/a/b/',
      'PC:/Door/c/',
      'PC:/Roof/x/',
    );
  });
  afterAll(() => inspection.stop());

  const eventsOf = async (run: () => PromiseLike<unknown>) => {
    const before = (await inspection.envelopes()).length;
    await run();
    return (await inspection.envelopes()).slice(before);
  };

  it.each(['measurements', 'values'] as const)(
    'creates them by %s with attributes, time and flag, without a comment while versioning is off [I7, I17, I59, I155, I164, I183]',
    async (resource) => {
      const uuid = randomUUID();
      const envelopes = await eventsOf(() =>
        client
          .post(resource, [
            {
              uuid: uuid.toUpperCase(),
              PartUuid: `{${part}}`,
              attributes: { 4: '2024-05-06T07:08:09.1234567+02:00', 6: 'Grün', 7: 3, 99: 12 },
              comment: 'why',
              lastModified: '0001-01-01T00:00:00',
              version: 'junk',
            },
          ])
          .expect(201),
      );
      expect(await client.stored(uuid)).toMatchObject({
        partUuid: part,
        attributes: { 4: '2024-05-06T07:08:09.1234567+02:00', 6: 'Grün', 7: '3', 99: '12' },
        measuredAt: '2024-05-06 05:08:09.123456+00',
        aggregation: true,
        comment: null,
        setId: null,
        characteristics: {},
      });
      expect(envelopes).toMatchObject([
        {
          type: 'MeasurementCreated',
          subject: uuid,
          sinebarpath: 'pdoor/',
          sinebarpart: part,
          data: { events: [{ CharacteristicUuid: part, PartUuid: part, MeasurementUuid: uuid }] },
        },
      ]);
    },
  );

  it('creates them at the root part, and nothing for an empty list [I56]', async () => {
    const uuid = randomUUID();
    await client.post('values', [{ uuid, partUuid: ROOT_PART_UUID }]).expect(201);
    expect(await client.stored(uuid)).toMatchObject({ partUuid: ROOT_PART_UUID, measuredAt: null, aggregation: false });
    expect(await eventsOf(() => client.post('values', ' [ ] ').expect(201))).toEqual([]);
  });

  it('returns each value as it was sent, with its further attributes [I17, I60, I164]', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const body = `[{"uuid":"${first}","partUuid":"${part}","characteristics":{
        "${c}":{"1":"1.50"},"{${a.toUpperCase()}}":{"1":-0,"8":"x","9":7},"${b}":{"1":12345678901234567890}}},
      {"uuid":"${second}","partUuid":"${part}","characteristics":{"${b}":{"8":"no value"},"${c}":{"1":"-0.0"},"${a}":{"1":null}}}]`;
    await client.post('values', body).expect(201);
    expect(await client.texts(first)).toEqual({ [a]: { 1: '-0', 8: 'x', 9: '7' }, [b]: { 1: '12345678901234567890' }, [c]: { 1: '1.50' } });
    expect(await client.texts(second)).toEqual({ [b]: { 8: 'no value' }, [c]: { 1: '-0.0' } });
    const [one, two] = await Promise.all([client.stored(first), client.stored(second)]);
    expect(one?.setId).toBe(two?.setId);
  });

  it.each([
    ['0.1', '0.1'],
    ['"1e3"', '1e3'],
    ['1e3', '1000'],
    ['"5e-324"', '5e-324'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['"0.3000000000000000444"', '0.3000000000000000444'],
    ['0.3000000000000000444', '0.3000000000000000444'],
    ['"+.5"', '+.5'],
    ['"00012.500"', '00012.500'],
    ['-0', '-0'],
    ['-0.0', '-0'],
    ['-0e5', '-0'],
    ['"-0"', '-0'],
    ['1e-400', '1e-400'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['"1000000000000000"', '1000000000000000'],
    ['1e15', '1000000000000000'],
    ['0.00001', '0.00001'],
  ])('returns %s as %s', async (sent, read) => {
    const uuid = randomUUID();
    await client
      .post('values', `[{"uuid":"${uuid}","partUuid":"${part}","characteristics":{"${a}":{"1":${sent}},"${b}":{"1":2},"${c}":{"1":3}}}]`)
      .expect(201);
    expect(await client.texts(uuid)).toEqual({ [a]: { 1: read }, [b]: { 1: '2' }, [c]: { 1: '3' } });
  });

  it.each(['1e400', '"NaN"', '"Infinity"', '"1,5"', 'true', '""', '"0x10"'])(
    'refuses %s as a measured value and names measurement, characteristic and value [D2.2]',
    async (value) => {
      const uuid = randomUUID();
      const [status, message] = await refused(
        client.post('values', `[{"uuid":"${uuid}","partUuid":"${part}","characteristics":{"${b}":{"1":2},"${a}":{"1":${value}}}}]`),
      );
      expect(status).toBe(400);
      for (const named of ['[0]', uuid, a, '"1"', value.replaceAll('"', '')]) expect(message).toContain(named);
      expect(await client.stored(uuid)).toBeUndefined();
    },
  );

  it('refuses all measurements of a request when one is invalid, and names the position [I55-I57, I155, I164, D2.2, D5.2]', async () => {
    const good = { uuid: randomUUID(), partUuid: part };
    const bad = (item: object) => refused(client.post('values', [good, { uuid: randomUUID(), partUuid: part, ...item }]));
    const cases: [object, string][] = [
      [{ partUuid: undefined }, '[1].partUuid'],
      [{ partUuid: null }, 'needs the uuid of its part'],
      [{ partUuid: a }, `There is no part ${a}`],
      [{ partUuid: randomUUID() }, 'There is no part'],
      [{ uuid: undefined }, '[1].uuid'],
      [{ uuid: 'x' }, '[1].uuid'],
      [{ uuid: good.uuid }, 'stands in [0] already'],
      [{ attributes: { 5: 'x' } }, '"5"'],
      [{ attributes: { 1001: 'x' } }, 'not defined for the entity type measurement'],
      [{ attributes: { 4: 'yesterday' } }, '"yesterday"'],
      [{ attributes: { 6: 'longer' } }, 'longer than 5'],
      [{ attributes: { 7: 1 } }, 'no entry'],
      [{ attributes: [] }, 'attributes'],
      [{ characteristics: plainValues({ [ofOther]: 1 }) }, ofOther],
      [{ characteristics: plainValues({ [part]: 1 }) }, part],
      [{ characteristics: plainValues({ [randomUUID()]: 1 }) }, 'There is no characteristic'],
      [{ characteristics: plainValues({ x: 1 }) }, 'not the uuid of a characteristic'],
      [{ characteristics: { [a]: { 6: 'x' } } }, 'The value attribute "6"'],
      [{ characteristics: { [a]: { 9: 'x' } } }, '"x"'],
      [{ characteristics: { [a]: { 1: {} } } }, 'characteristics'],
      [{ characteristics: { [a]: { 1: 1 }, [a.toUpperCase()]: { 1: 2 } } }, 'two spellings'],
      [{ characteristics: [1] }, 'characteristics'],
    ];
    for (const [item, sentence] of cases) {
      const [status, message] = await bad(item);
      expect([status, message]).toEqual([400, expect.stringContaining(sentence)]);
    }
    expect(await client.stored(good.uuid)).toBeUndefined();
  });

  it('answers 409 for a uuid that exists and names it [I55]', async () => {
    const [fresh, uuid] = [randomUUID(), randomUUID()];
    await client.post('values', [{ uuid, partUuid: part }]).expect(201);
    const [status, message] = await refused(
      client.post('measurements', [
        { uuid: fresh, partUuid: part },
        { uuid, partUuid: other },
      ]),
    );
    expect([status, message]).toEqual([409, expect.stringContaining(uuid)]);
    expect(await client.stored(fresh)).toBeUndefined();
  });

  it.each(['values', 'measurements'] as const)(
    'names up to 100 uuids that exist, in the order of the body of %s [D2.6]',
    async (resource) => {
      const sent = Array.from({ length: 250 }, () => ({ uuid: randomUUID(), partUuid: part }));
      const stored = sent.filter((_, i) => i % 2 === 1);
      await client.post(resource, stored).expect(201);
      const { message, details } = (await client.post(resource, sent).expect(409)).body as ErrorBody;
      const sentence = (i: number) => `There is already a measurement with the uuid ${sent[i]?.uuid}.`;
      expect(message).toBe(`[1].uuid: ${sentence(1)}`);
      expect(details).toEqual(Array.from({ length: 100 }, (_, i) => ({ field: `[${2 * i + 1}].uuid`, message: sentence(2 * i + 1) })));
    },
  );

  it('ignores values sent to /measurements [I155, I165]', async () => {
    const uuid = randomUUID();
    await client.post('measurements', [{ uuid, partUuid: part, characteristics: { [ofOther]: 7 } }]).expect(201);
    expect(await client.stored(uuid)).toMatchObject({ setId: null, characteristics: {} });
  });

  it('replaces attributes and values, and lists characteristics without values in the event [I166, I184, D5.5]', async () => {
    const uuid = randomUUID();
    await client
      .post('values', [
        { uuid, partUuid: part, attributes: { 6: 'old', 99: 1 }, characteristics: plainValues({ [a]: 1, [b]: '2.0', [c]: 3 }) },
      ])
      .expect(201);
    const before = await client.stored(uuid);
    const envelopes = await eventsOf(() =>
      client.put('values', [{ uuid, attributes: { 4: '2024-01-01' }, characteristics: { [b]: { 8: 'only this' } } }]).expect(200),
    );
    const after = await client.stored(uuid);
    expect(after).toMatchObject({
      partUuid: part,
      attributes: { 4: '2024-01-01' },
      aggregation: false,
      created: before?.created,
      characteristics: { [b]: { 8: 'only this' } },
    });
    expect(after?.lastModified.getTime()).toBeGreaterThan(before?.lastModified.getTime() ?? Infinity);
    expect(envelopes).toMatchObject([
      { type: 'MeasurementModified', subject: uuid, sinebarpath: 'pdoor/', data: { events: [{ MeasurementUuid: uuid }] } },
    ]);
    expect([...(envelopes[0]?.data.removedCharacteristics ?? [])].sort()).toEqual([a, c].sort());
    expect(envelopes[0]?.data.valuesVersion).toBe(1);

    const [again] = await eventsOf(() =>
      client.put('values', [{ uuid, partUuid: part, characteristics: plainValues({ [a]: 1, [b]: 1, [c]: 1 }) }]).expect(200),
    );
    expect(again?.data).not.toHaveProperty('removedCharacteristics');
    expect(again?.data).not.toHaveProperty('valuesVersion');
    const [emptied] = await eventsOf(() => client.put('values', [{ uuid }]).expect(200));
    expect(emptied?.data.removedCharacteristics).toHaveLength(3);
    expect(emptied?.data.valuesVersion).toBe(3);
    expect(await client.stored(uuid)).toMatchObject({ characteristics: {}, setId: null, attributes: {} });
  });

  it.each([null, undefined])('takes members that are %p for none: a measurement is a whole object [D2.1]', async (none) => {
    const uuid = randomUUID();
    const whole = { uuid, partUuid: part, attributes: { 6: 'x' }, comment: 'c', characteristics: plainValues({ [a]: 1, [b]: 2 }) };
    await client.post('values', [whole]).expect(201);
    await client
      .put('values', [
        { uuid, partUuid: none, attributes: { 6: 'y' }, comment: none, characteristics: { [a]: { 1: none }, [b]: { 1: 3 } } },
      ])
      .expect(200);
    expect(await client.stored(uuid)).toMatchObject({ attributes: { 6: 'y' }, characteristics: { [b]: { 1: '3' } } });
    await client.put('measurements', [{ uuid, attributes: none }]).expect(200);
    expect(await client.stored(uuid)).toMatchObject({ attributes: {}, characteristics: { [b]: { 1: '3' } } });
    await client.put('values', [{ uuid, characteristics: none }]).expect(200);
    expect(await client.texts(uuid)).toEqual({});
  });

  it('reads null members alike on the fast path and with the general parser [D2.1]', async () => {
    const bodies = [
      '"attributes":null',
      '"attributes":null,"Attributes":{"6":"x"}',
      '"characteristics":null',
      '"comment":null',
      `"characteristics":{"${a}":null}`,
    ];
    for (const members of bodies) {
      const [fast, general] = [randomUUID(), randomUUID()];
      await client.post('values', `[{"uuid":"${fast}","partUuid":"${part}",${members}}]`).expect(201);
      await client.post('values', `[{"Uuid":"${general}","PartUuid":"${part}",${members}}]`).expect(201);
      const texts = async (uuid: string) => {
        const { attributes, characteristics } = (await client.stored(uuid)) ?? {};
        return { attributes, characteristics };
      };
      expect(await texts(fast)).toEqual(await texts(general));
    }
  });

  it('replaces attributes by PUT /measurements and keeps the values [I156]', async () => {
    const uuid = randomUUID();
    await client
      .post('values', [{ uuid, partUuid: part, attributes: { 6: 'old' }, characteristics: plainValues({ [a]: '1.10' }) }])
      .expect(201);
    const envelopes = await eventsOf(() =>
      client.put('measurements', [{ uuid, attributes: { 4: '2024-01-01', 99: 1 }, characteristics: 'junk' }]).expect(200),
    );
    expect(await client.stored(uuid)).toMatchObject({
      attributes: { 4: '2024-01-01', 99: '1' },
      measuredAt: '2024-01-01 00:00:00+00',
      aggregation: true,
      characteristics: { [a]: { 1: '1.10' } },
    });
    expect(envelopes.map(({ type }) => type)).toEqual(['MeasurementModified']);
  });

  it.each(['measurements', 'values'] as const)(
    'refuses a replacement by %s of measurements that are missing, in another part or sent twice [I156]',
    async (resource) => {
      const uuid = randomUUID();
      const missing = randomUUID();
      await client.post('values', [{ uuid, partUuid: part, attributes: { 6: 'old' } }]).expect(201);
      expect(await refused(client.put(resource, [{ uuid, attributes: {} }, { uuid: missing }]))).toEqual([
        404,
        `[1]: There is no measurement ${missing}.`,
      ]);
      expect(await refused(client.put(resource, [{ uuid, partUuid: other }]))).toEqual([400, expect.stringContaining('another part')]);
      expect(await refused(client.put(resource, [{ uuid }, { uuid }]))).toEqual([400, expect.stringContaining('stands in [0] already')]);
      expect(await refused(client.put(resource, [{ uuid, attributes: { 5: 'x' } }]))).toEqual([400, expect.stringContaining(uuid)]);
      expect((await client.stored(uuid))?.attributes).toEqual({ 6: 'old' });
    },
  );

  it('refuses writing without the right', async () => {
    const uuid = randomUUID();
    await client.post('values', [{ uuid, partUuid: other }]).expect(201);
    const doorOnly: Principal = {
      ...EVERYONE,
      rightsKey: 'door',
      scopeOf: (right) => (right === 'measurement:write' ? PathScope.below('pdoor/') : PathScope.NOTHING),
    };
    await inspection.as(doorOnly, async () => {
      expect(
        (
          await refused(
            client.post('values', [
              { uuid: randomUUID(), partUuid: part },
              { uuid: randomUUID(), partUuid: other },
            ]),
          )
        )[0],
      ).toBe(403);
      expect((await refused(client.put('values', [{ uuid }])))[0]).toBe(403);
      await client.post('values', [{ uuid: randomUUID(), partUuid: part }]).expect(201);
    });
    await inspection.as({ ...EVERYONE, scopeOf: () => PathScope.NOTHING }, async () => {
      expect((await refused(client.post('measurements', [])))[0]).toBe(403);
    });
  });

  it('writes with a new set after the plan has changed, and keeps old rows unchanged', async () => {
    const [own, x] = await plan.create('P:/Growing/', 'PC:/Growing/x/');
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await client.post('values', [{ uuid: first, partUuid: own, characteristics: plainValues({ [x as string]: 1 }) }]).expect(201);
    const [y] = await plan.create('PC:/Growing/y/');
    await client.post('values', [{ uuid: second, partUuid: own, characteristics: plainValues({ [x as string]: 2 }) }]).expect(201);
    await client.post('values', [{ uuid: third, partUuid: own, characteristics: plainValues({ [y as string]: '3.0' }) }]).expect(201);
    expect(await Promise.all([first, second, third].map((uuid) => client.texts(uuid)))).toEqual([
      { [x as string]: { 1: '1' } },
      { [x as string]: { 1: '2' } },
      { [y as string]: { 1: '3.0' } },
    ]);
    await plan.delete(`characteristics/${x}`).expect(200);
    expect(
      await refused(client.post('values', [{ uuid: randomUUID(), partUuid: own, characteristics: plainValues({ [x as string]: 1 }) }])),
    ).toEqual([400, expect.stringContaining(x as string)]);
    // A characteristic created again under its uuid is a new one: earlier values do not belong to it.
    await plan.post('characteristic', [{ uuid: x, path: 'PC:/Growing/x/' }]).expect(201);
    const fourth = randomUUID();
    await client
      .post('values', [{ uuid: fourth, partUuid: own, characteristics: plainValues({ [x as string]: '4', [y as string]: '5' }) }])
      .expect(201);
    expect(await client.texts(fourth)).toEqual({ [x as string]: { 1: '4' }, [y as string]: { 1: '5' } });
    expect((await client.texts(first))?.[x as string]).toBeUndefined();
  });

  it('reports the time of the last change of measurements [I28]', async () => {
    const read = async () =>
      ((await plan.get('serviceInformation').expect(200)).body as { measurementTimestamp: string }).measurementTimestamp;
    const uuid = randomUUID();
    const start = new Date().toISOString();
    await client.post('values', [{ uuid, partUuid: part }]).expect(201);
    const first = await read();
    expect(first >= start).toBe(true);
    await eventually(() => Date.now() > Date.parse(first));
    await client.put('measurements', [{ uuid }]).expect(200);
    expect((await read()) > first).toBe(true);
  });

  it('stores limits of characteristics as numbers, with the exact sum of nominal value and deviation [I144, D5.4]', async () => {
    await define(
      inspection,
      ...[2101, 2110, 2111, 2112, 2113, 8014, 8015].map((key) => ({
        key,
        entity: 'characteristic' as const,
        type: 'AlphaNumeric' as const,
        length: 500,
      })),
    );
    const limits = async (attributes: Record<string, unknown>) => {
      const uuid = randomUUID();
      await plan.post('characteristic', [{ uuid, path: `PC:/Door/${uuid}/`, attributes }]).expect(201);
      const read = async () =>
        (
          await sql<Record<string, number | null>>(
            inspection,
            'SELECT lower_tolerance, upper_tolerance, lower_warning, upper_warning FROM plan_item WHERE uuid = $1',
            [uuid],
          )
        )[0];
      return { uuid, read, values: Object.values((await read()) ?? {}) };
    };
    expect((await limits({ 2101: '10.1', 2112: '-0.2', 2113: '0.2', 8014: 10, 8015: '+10.2' })).values).toEqual([9.9, 10.3, 10, 10.2]);
    expect((await limits({ 2101: 1, 2110: '.5', 2112: '-9', 2113: '1e-3' })).values).toEqual([0.5, 1.001, null, null]);
    expect((await limits({ 2112: '-9', 2111: '5.' })).values).toEqual([null, 5, null, null]);
    expect((await limits({ 2110: 'none', 2111: '1e400', 8014: '9'.repeat(400), 8015: '-' })).values).toEqual([null, null, null, null]);
    const { uuid, read } = await limits({ 2110: 1 });
    await plan.put('characteristic', [{ uuid, attributes: { 2111: 2 } }]).expect(200);
    expect(await read()).toMatchObject({ lower_tolerance: null, upper_tolerance: 2 });
    await plan.delete('configuration/characteristic/2111').expect(200);
    await eventually(async () => expect(await read()).toMatchObject({ upper_tolerance: null }));
  });
});

describeWith(['postgres'], 'comments of measurements', () => {
  it.each([
    ['on', 'why'],
    ['client', 'why'],
  ] as const)('are stored with versioning %s, and not kept by the next change [I59]', async (versioning, stored) => {
    const inspection = await startInspection({ SINEBAR_VERSIONING: versioning });
    try {
      const client = new MeasurementClient(() => inspection);
      const uuid = randomUUID();
      await client.post('values', [{ uuid, partUuid: ROOT_PART_UUID, comment: 'why' }]).expect(201);
      expect((await client.stored(uuid))?.comment).toBe(stored);
      await client.put('measurements', [{ uuid }]).expect(200);
      expect((await client.stored(uuid))?.comment).toBeNull();
    } finally {
      await inspection.stop();
    }
  });
});
