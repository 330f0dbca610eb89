import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { MeasurementClient } from './measurements/measurement-client.fixture.ts';
import { define, PlanClient } from './plan/plan-client.fixture.ts';
import { startInspection, type RunningInspection } from './running-inspection.fixture.ts';

interface ReadMeasurement {
  uuid: string;
  partUuid: string;
  attributes: Record<string, string>;
  lastModified: string;
  created: string;
  comment?: string;
  characteristics?: Record<string, Record<string, string>>;
  status?: { id: string; count: number; uuid?: string[] }[];
  noLimits?: { count: number; uuid?: string[] };
}

/** Tests statements of the documents on measurements and values, from writing to reading over HTTP. */
describeWith(['postgres'], 'documented measurements', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  const client = new MeasurementClient(() => inspection);
  let [part, sub, x, y, group, inner, ofSub]: string[] = [];
  const list = async (query: string, resource = 'measurements') =>
    (await plan.get(`${resource}?${query}`).expect(200)).body as ReadMeasurement[];
  const one = async (uuid: string, resource = 'measurements', query = '') =>
    (await plan.get(`${resource}/${uuid}?${query}`).expect(200)).body as ReadMeasurement;
  const uuidsOf = (measurements: readonly ReadMeasurement[]) => measurements.map(({ uuid }) => uuid);
  /** Creates a new part with the given measurements. @returns their uuids, the part first */
  const measured = async (...attributes: Record<string, unknown>[]): Promise<[string, ...string[]]> => {
    const [own = ''] = await plan.create(`P:/${randomUUID()}/`);
    const items = attributes.map((of) => ({ uuid: randomUUID(), partUuid: own, attributes: of }));
    // One after another, so that each is newer than the one before.
    for (const item of items) await client.post('measurements', [item]).expect(201);
    return [own, ...items.map(({ uuid }) => uuid)];
  };

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 5, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 6, entity: 'measurement', type: 'Integer' },
      { key: 7, entity: 'measurement', type: 'Catalog', entries: [1, 2, 10] },
      { key: 8, entity: 'measurement', type: 'DateTime' },
      { key: 99, entity: 'measurement', type: 'Integer' },
      { key: 20, entity: 'value', type: 'AlphaNumeric' },
      ...[2101, 2110, 2111, 2112, 2113, 8014, 8015].map((key) => ({ key, entity: 'characteristic' as const, type: 'Float' as const })),
    );
    [part, sub, x, y, group, inner, ofSub] = await plan.create(
      'P:/a/',
      'PP:/a/sub/',
      'PC:/a/x/',
      'PC:/a/y/',
      'PC:/a/group/',
      'PCC:/a/group/inner/',
      'PPC:/a/sub/z/',
    );
  });
  afterAll(() => inspection.stop());

  it('are written as arrays, created with 201, and replaced and deleted with 200 [I6, I7, I183, I184]', async () => {
    for (const resource of ['measurements', 'values'] as const) {
      const item = { uuid: randomUUID(), partUuid: part };
      for (const body of [item, 'text', null]) {
        expect(await plan.refused(client.post(resource, JSON.stringify(body)))).toEqual([400, expect.stringContaining('array')]);
        expect(await plan.refused(client.put(resource, JSON.stringify(body)))).toEqual([400, expect.stringContaining('array')]);
      }
      await client.post(resource, [item]).expect(201);
      await client.put(resource, [item]).expect(200);
      await plan.delete(`measurements/${item.uuid}`).expect(200);
      await plan.get(`${resource}/${item.uuid}`).expect(404);
    }
  });

  it('have exactly the documented members, and values only when values are requested [I17, I55-I58, I60, I132, I162]', async () => {
    const uuid = randomUUID();
    const begun = new Date().toISOString();
    const sent = {
      uuid,
      partUuid: part,
      attributes: { 4: '2024-05-06T07:08:09+02:00', 5: 'red' },
      characteristics: { [x as string]: { 1: '1.50', 20: 'by hand' } },
    };
    await client
      .post('values', [{ ...sent, comment: 'why', lastModified: '0001-01-01T00:00:00', created: '0001-01-01T00:00:00' }])
      .expect(201);
    const { lastModified, created, ...read } = await one(uuid, 'values');
    expect(read).toEqual(sent);
    for (const time of [lastModified, created]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(time >= begun).toBe(true);
    }
    const { characteristics: _values, ...head } = sent;
    expect(await one(uuid)).toEqual({ ...head, lastModified, created });
    expect(await list(`measurementUuids=${uuid}`)).toEqual([{ ...head, lastModified, created }]);
    expect(await list(`measurementUuids=${uuid}`, 'values')).toEqual([{ ...sent, lastModified, created }]);
  });

  it('are created without values by /measurements, even if values are sent [I155, I165]', async () => {
    const uuid = randomUUID();
    await client.post('measurements', [{ uuid, partUuid: part, characteristics: { [x as string]: { 1: '1' } } }]).expect(201);
    expect((await one(uuid, 'values')).characteristics).toEqual({});
  });

  it('accept values only of characteristics of their part, including nested ones [I17, D5.2]', async () => {
    const uuid = randomUUID();
    const values = { [inner as string]: { 1: '1' }, [group as string]: { 1: '2' }, [x as string]: { 1: '3' } };
    await client.post('values', [{ uuid, partUuid: part, characteristics: values }]).expect(201);
    expect((await one(uuid, 'values')).characteristics).toEqual(values);
    for (const [owner, foreign] of [
      [part, ofSub],
      [sub, x],
    ]) {
      const answer = client.post('values', [{ uuid: randomUUID(), partUuid: owner, characteristics: { [foreign as string]: { 1: '1' } } }]);
      expect(await plan.refused(answer)).toEqual([400, expect.stringContaining(foreign as string)]);
    }
  });

  it('are replaced completely, but keep part, creation date and kind [I58, I156, I166, D5.5]', async () => {
    const uuid = randomUUID();
    await client
      .post('values', [
        {
          uuid,
          partUuid: part,
          attributes: { 5: 'old', 6: 1 },
          characteristics: { [x as string]: { 1: '1', 20: 'a' }, [y as string]: { 1: '2' } },
        },
      ])
      .expect(201);
    const before = await one(uuid, 'values');
    await client.put('measurements', [{ uuid, attributes: { 5: 'new' } }]).expect(200);
    const changed = await one(uuid, 'values');
    expect(changed).toEqual({ ...before, attributes: { 5: 'new' }, lastModified: changed.lastModified });
    expect(changed.lastModified > before.lastModified).toBe(true);
    await client
      .put('values', [{ uuid, partUuid: part, attributes: { 6: 2 }, characteristics: { [x as string]: { 1: '3' } } }])
      .expect(200);
    const replaced = await one(uuid, 'values');
    expect(replaced).toEqual({
      ...before,
      attributes: { 6: '2' },
      characteristics: { [x as string]: { 1: '3' } },
      lastModified: replaced.lastModified,
    });
    expect(await plan.refused(client.put('values', [{ uuid, partUuid: sub }]))).toEqual([400, expect.stringContaining('another part')]);
  });

  it('have time and measured value on a new server and after their definitions are deleted [D1.6, D2.2]', async () => {
    const own = await startInspection();
    try {
      const [ownPlan, ownClient] = [new PlanClient(() => own), new MeasurementClient(() => own)];
      const [p, c] = (await ownPlan.create('P:/a/', 'PC:/a/x/')) as [string, string];
      const [first, second] = [randomUUID(), randomUUID()];
      const item = { partUuid: p, attributes: { 4: '2024-01-01T00:00:00Z' }, characteristics: { [c]: { 1: '1.0' } } };
      await ownClient.post('values', [{ ...item, uuid: first }]).expect(201);
      for (const [entity, definition] of [
        ['Measurements', { key: 4, description: 'time', type: 'DateTime' }],
        ['value', { key: 1, description: 'value', type: 'Float' }],
        ['measurement', { key: 5, description: 'batch', type: 'AlphaNumeric', length: 10 }],
        ['VALUES', { key: 20, description: 'note', type: 'AlphaNumeric', length: 10 }],
      ] as const) {
        await request(own.server)
          .post(`/dataServiceRest/configuration/${entity}`)
          .send([{ ...definition, definitionType: 'AttributeDefinition' }])
          .expect(201);
      }
      await ownClient
        .post('values', [{ ...item, uuid: second, attributes: { 4: '2024-01-02', 5: 'B' }, characteristics: { [c]: { 1: '2', 20: 'n' } } }])
        .expect(201);
      await ownPlan.delete('configuration').expect(200);
      const { body } = (await ownPlan.get('values?order=4 asc').expect(200)) as { body: unknown };
      expect(body).toMatchObject([item, { attributes: { 4: '2024-01-02' }, characteristics: { [c]: { 1: '2' } } }]);
      expect((body as ReadMeasurement[])[1]?.attributes).toEqual({ 4: '2024-01-02' });
    } finally {
      await own.stop();
    }
  });

  it('are sorted by time, newest first; without time last, equal times by latest change [I137, D5.8]', async () => {
    const [own, early, none, late, alike] = await measured({ 4: '2024-01-01' }, {}, { 4: '2024-01-02' }, { 4: '2024-01-02T00:00:00Z' });
    expect(uuidsOf(await list(`partUuids=${own}`))).toEqual([alike, late, early, none]);
    expect(uuidsOf(await list(`partUuids=${own}&order=4 desc`))).toEqual([alike, late, early, none]);
    expect(uuidsOf(await list(`partUuids=${own}&order=4 asc`))).toEqual([early, alike, late, none]);
    expect(uuidsOf(await list(`partUuids=${own}&order=${encodeURIComponent('lastModified ASC')}`))).toEqual([early, none, late, alike]);
  });

  it.each([
    ['numbers', 6, ['10', '9', '-1']],
    ['catalog entries by their key', 7, ['10', '2', '1']],
    ['texts without case', 5, ['b', 'Ab', 'aa']],
    ['instants', 8, ['2024-01-01T00:30:00+01:00', '2023-12-31T23:00:00Z', '2023-12-31T23:59:00+01:00']],
  ])('are sorted by %s, and by several attributes [I137, D5.8]', async (_type, key, falling) => {
    const [own, ...uuids] = await measured(...falling.map((value) => ({ [key]: value })), { 4: '2024-01-01', [key]: falling[2] }, {});
    const [high, middle, low, lowToo, none] = uuids;
    expect(uuidsOf(await list(`partUuids=${own}&order=${key} desc,4 asc`))).toEqual([high, middle, lowToo, low, none]);
    expect(uuidsOf(await list(`partUuids=${own}&order=${key} asc, 4 asc`))).toEqual([lowToo, low, middle, high, none]);
  });

  it('are found with parameters and keywords in any case [D1.2]', async () => {
    const [own, uuid] = await measured({ 4: '2024-01-01', 5: 'red', 6: 1, 99: 1 });
    const read = await list(
      `PARTUUIDS={${own.toUpperCase()}}&Deep=True&ORDER=${encodeURIComponent('4 Desc,6 ASC')}&requestedmeasurementattributes={4}&AGGREGATION=aggregationmeasurements&Statistics=SIMPLE`,
    );
    expect(read).toMatchObject([{ uuid, attributes: { 4: '2024-01-01' } }]);
    expect(read[0]?.attributes).toEqual({ 4: '2024-01-01' });
    expect(read[0]?.status).toHaveLength(3);
  });

  it('are limited in total and per part [I141, I142, I192, D5.8]', async () => {
    const [first, a1, a2, a3] = await measured({ 4: '2024-01-01' }, { 4: '2024-01-03' }, { 4: '2024-01-05' });
    const [second, b1, b2] = await measured({ 4: '2024-01-02' }, { 4: '2024-01-04' });
    const both = `partUuids={${first},${second}}`;
    expect(uuidsOf(await list(both))).toEqual([a3, b2, a2, b1, a1]);
    expect(uuidsOf(await list(`${both}&limitResult=3`))).toEqual([a3, b2, a2]);
    expect(uuidsOf(await list(`${both}&limitResultPerPart=1`))).toEqual([a3, b2]);
    expect(uuidsOf(await list(`${both}&limitResultPerPart=2&limitResult=3`))).toEqual([a3, b2, a2]);
    expect(uuidsOf(await list(`${both}&limitResultPerPart=1&order=4 asc`))).toEqual([a1, b1]);
    expect(await list(`${both}&limitResult=0`)).toEqual([]);
    expect(uuidsOf(await list(`${both}&limitResult=-1`))).toHaveLength(5);
    expect(uuidsOf(await list(`${both}&limitResult=2147483647`))).toHaveLength(5);
  });

  it('compare texts as the setting says unless the request says otherwise [I139, D1.5]', async () => {
    const strict = await startInspection({ SINEBAR_SEARCH_CASE_SENSITIVE: true });
    try {
      await define(strict, { key: 5, entity: 'measurement', type: 'AlphaNumeric' });
      const [strictPlan, strictClient] = [new PlanClient(() => strict), new MeasurementClient(() => strict)];
      const [own] = (await strictPlan.create('P:/a/')) as [string];
      await strictClient.post('measurements', [{ uuid: randomUUID(), partUuid: own, attributes: { 5: 'Red' } }]).expect(201);
      const found = async (query: string) =>
        ((await strictPlan.get(`measurements?searchCondition=5=[red]${query}`).expect(200)).body as unknown[]).length;
      expect(await found('')).toBe(0);
      expect(await found('&caseSensitive=true')).toBe(0);
      expect(await found('&caseSensitive=false')).toBe(1);
    } finally {
      await strict.stop();
    }
    const [lax, uuid] = await measured({ 5: 'Red' });
    const found = async (query: string) => uuidsOf(await list(`partUuids=${lax}&searchCondition=5=[red]${query}`));
    expect(await found('')).toEqual([uuid]);
    expect(await found('&caseSensitive=true')).toEqual([]);
    expect(await found('&caseSensitive=false')).toEqual([uuid]);
  });

  it('return only the requested attributes, in lists and single answers [I143, I154, D5.10]', async () => {
    const [own, uuid = ''] = await measured({ 4: '2024-01-01', 5: 'red', 6: 1 });
    for (const [selection, attributes] of [
      ['{5,6}', { 5: 'red', 6: '1' }],
      ['6, 4711', { 6: '1' }],
      ['All', { 4: '2024-01-01', 5: 'red', 6: '1' }],
      ['None', {}],
      ['{}', {}],
      ['', {}],
    ] as const) {
      const query = `requestedMeasurementAttributes=${encodeURIComponent(selection)}`;
      for (const resource of ['measurements', 'values']) {
        expect((await one(uuid, resource, query)).attributes).toEqual(attributes);
        expect((await list(`partUuids=${own}&${query}`, resource)).map((read) => read.attributes)).toEqual([attributes]);
      }
    }
  });

  it('are returned by the requested aggregation [I145, I157, D5.6]', async () => {
    const [own, plain, aggregated] = await measured({ 4: '2024-01-02' }, { 4: '2024-01-01', 99: 1 });
    const kinds = async (query: string) => uuidsOf(await list(`partUuids=${own}${query}`, 'values'));
    expect(await kinds('')).toEqual([plain]);
    for (const word of ['Measurements', 'Default']) expect(await kinds(`&aggregation=${word}`)).toEqual([plain]);
    expect(await kinds('&aggregation=AggregationMeasurements')).toEqual([aggregated]);
    expect(await kinds('&aggregation=All')).toEqual([plain, aggregated]);
    await plan.delete(`measurements?partUuids=${own}&aggregation=Default`).expect(200);
    expect(await kinds('&aggregation=All')).toEqual([aggregated]);
  });

  it('lose the values of a deleted characteristic and of those below it at once [I128]', async () => {
    const t = randomUUID();
    const [own, gone, below, kept] = await plan.create(`P:/${t}/`, `PC:/${t}/gone/`, `PCC:/${t}/gone/below/`, `PC:/${t}/kept/`);
    const uuid = randomUUID();
    const characteristics = { [gone as string]: { 1: '7', 20: 'a' }, [below as string]: { 1: '8' }, [kept as string]: { 1: '9' } };
    await client.post('values', [{ uuid, partUuid: own, characteristics }]).expect(201);
    const found = async (search: string) => (await list(`partUuids=${own}&searchCondition=${encodeURIComponent(search)}`)).length;
    for (const search of ['1=[7]', '1=[8]', '20=[a]']) expect([search, await found(search)]).toEqual([search, 1]);
    await plan.delete(`characteristics?charUuids=${gone}`).expect(200);
    expect((await one(uuid, 'values')).characteristics).toEqual({ [kept as string]: { 1: '9' } });
    for (const search of ['1=[7]', '1=[8]', '20=[a]']) expect([search, await found(search)]).toEqual([search, 0]);
    expect(await found('1=[9]')).toBe(1);
    expect((await one(uuid, 'measurements', 'statistics=Simple')).status?.map(({ count }) => count)).toEqual([1, 0, 0]);
  });

  it('lose only references to entries that an update removes from a catalog [I93, D3.5]', async () => {
    const catalog = randomUUID();
    const entries = (...keys: number[]) => [
      { uuid: catalog, name: 'machines', validAttributes: [], catalogEntries: keys.map((key) => ({ key, attributes: {} })) },
    ];
    const api = (method: 'post' | 'put', path: string, body: object) =>
      request(inspection.server)[method](`/dataServiceRest/${path}`).send(body);
    await api('post', 'catalogs', entries(1, 2)).expect(201);
    for (const [entity, key] of [
      ['measurement', 30],
      ['value', 31],
    ] as const) {
      await api('post', `configuration/${entity}`, [
        { key, description: '', catalog, definitionType: 'CatalogAttributeDefinition' },
      ]).expect(201);
    }
    const uuids = [randomUUID(), randomUUID()];
    const items = uuids.map((uuid, i) => ({
      uuid,
      partUuid: part,
      attributes: { 30: String(i + 1) },
      characteristics: { [x as string]: { 1: '1', 31: String(i + 1) } },
    }));
    await client.post('values', items).expect(201);
    await api('put', 'catalogs', entries(2, 3)).expect(200);
    const [first, second] = await Promise.all(uuids.map((uuid) => one(uuid, 'values')));
    expect(first?.attributes).toEqual({});
    expect(first?.characteristics?.[x as string]).toEqual({ 1: '1' });
    expect(second).toMatchObject({ attributes: { 30: '2' }, characteristics: { [x as string]: { 1: '1', 31: '2' } } });
  });

  it('match all conditions of a search [I138]', async () => {
    const [own, red] = await measured({ 5: 'red', 6: 1 }, { 5: 'red', 6: 2 }, { 5: 'blue', 6: 1 });
    expect(uuidsOf(await list(`partUuids=${own}&searchCondition=${encodeURIComponent('5=[red]+6<[2]')}`))).toEqual([red]);
  });

  describe('with statistics', () => {
    let [own, uuid]: string[] = [];
    const values: Record<string, string> = {};
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      const root = randomUUID();
      const limits: Record<string, [Record<string, number>, string]> = {
        within: [{ 2110: 0, 2111: 10, 8014: 1, 8015: 9 }, '5'],
        onTheWarning: [{ 2110: 0, 2111: 10, 8014: 1, 8015: 9 }, '9'],
        warned: [{ 2110: 0, 2111: 10, 8014: 1, 8015: 9 }, '9.5'],
        onTheLimit: [{ 2110: 0, 2111: 10 }, '10'],
        above: [{ 2110: 0, 2111: 10, 8014: 1, 8015: 9 }, '10.5'],
        byDeviation: [{ 2101: 10, 2112: -0.5, 2113: 0.5 }, '9.4'],
        limitsBeforeDeviation: [{ 2101: 10, 2110: 9, 2112: -0.5, 2113: 0.5 }, '9.4'],
        withoutLimits: [{}, '99'],
      };
      [own = ''] = await plan.create(`P:/${root}/`);
      for (const [name, [attributes, value]] of Object.entries(limits)) {
        const characteristic = randomUUID();
        await plan.post('characteristic', [{ uuid: characteristic, path: `PC:/${root}/${name}/`, attributes }]).expect(201);
        ids[name] = characteristic;
        values[characteristic] = value;
      }
      uuid = randomUUID();
      const characteristics = Object.fromEntries(Object.entries(values).map(([characteristic, value]) => [characteristic, { 1: value }]));
      await client.post('values', [{ uuid, partUuid: own, characteristics }]).expect(201);
    });

    it('count values inside limits, out of warning limits and out of tolerance [I144, I154, D5.4]', async () => {
      const simple = [
        { id: 'Green', count: 5 },
        { id: 'Yellow', count: 1 },
        { id: 'Red', count: 2 },
      ];
      expect((await one(uuid ?? '', 'measurements', 'statistics=Simple')).status).toEqual(simple);
      expect((await list(`partUuids=${own}&statistics=Simple`))[0]?.status).toEqual(simple);
      expect(await one(uuid ?? '', 'measurements', 'statistics=None')).not.toHaveProperty('status');
      expect(await one(uuid ?? '')).not.toHaveProperty('status');
    });

    it('list the characteristics in detail [I144, D5.4]', async () => {
      const { status } = await one(uuid ?? '', 'measurements', 'statistics=Detailed');
      expect(
        status?.map(({ id, count, uuid: of }) => [
          id,
          count,
          of?.map((characteristic) => Object.keys(ids).find((name) => ids[name] === characteristic)).sort(),
        ]),
      ).toEqual([
        ['Green', 5, ['limitsBeforeDeviation', 'onTheLimit', 'onTheWarning', 'within', 'withoutLimits']],
        ['Yellow', 1, ['warned']],
        ['Red', 2, ['above', 'byDeviation']],
      ]);
    });

    it('tell which values in Green have no limits [D5.4]', async () => {
      expect((await one(uuid ?? '', 'measurements', 'statistics=Simple')).noLimits).toEqual({ count: 1 });
      const { noLimits } = await one(uuid ?? '', 'measurements', 'statistics=Detailed');
      expect(noLimits).toEqual({ count: 1, uuid: [ids['withoutLimits']] });
    });
  });
});
