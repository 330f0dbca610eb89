import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EVERYONE, PathScope, type Principal } from '@sinebar/access-control';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../../plan/plan-client.fixture.ts';
import { insertMeasurements, type TestMeasurement } from './measurement-rows.fixture.ts';

const MANY = 2500;

describeWith(['postgres'], 'reading measurements', () => {
  let inspection: RunningInspection;
  const client = new PlanClient(() => inspection);
  let [part, below, other, many] = ['', '', '', ''];
  let characteristics: string[] = [];
  const one: TestMeasurement = {
    uuid: randomUUID(),
    part: '',
    attributes: { 4: '2026-03-01T12:00:00+01:00', 5001: 'say "hé" 😀\u2028', 5002: '007' },
    characteristics: {},
    lastModified: '2026-03-01T11:00:00.120Z',
    created: '2026-02-01T00:00:00.000Z',
    comment: '[me]: "again"',
  };
  const aggregation: TestMeasurement = { ...one, uuid: randomUUID(), attributes: { 99: '1', 4: '2020-01-01' }, characteristics: {} };
  const elsewhere: TestMeasurement = { ...one, uuid: randomUUID(), attributes: {}, characteristics: {} };

  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'client' });
    await define(
      inspection,
      { key: 99, entity: 'measurement', type: 'Integer' },
      { key: 5001, entity: 'measurement', type: 'AlphaNumeric' },
      { key: 5002, entity: 'measurement', type: 'Integer' },
      { key: 6001, entity: 'value', type: 'AlphaNumeric' },
    );
    [part = '', below = '', other = '', many = ''] = await client.create('P:/a/', 'PP:/a/b/', 'P:/c/', 'P:/many/');
    characteristics = await client.create('PC:/a/x/', 'PC:/a/y/', 'PC:/a/z/', 'PC:/many/m/');
    const [x = '', y = '', z = '', m = ''] = characteristics;
    one.part = part;
    one.characteristics = { [x]: { 1: '1.50' }, [y]: { 1: '12345678901234567890.1', 6001: 'say "hé"' }, [z]: { 6001: 'not measured' } };
    aggregation.part = part;
    elsewhere.part = other;
    const crowd = Array.from({ length: MANY }, (_, i) => ({
      ...one,
      uuid: randomUUID(),
      part: many,
      attributes: { 5002: String(i) },
      characteristics: { [m]: { 1: String(i / 8) } },
    }));
    await insertMeasurements(inspection, [
      one,
      aggregation,
      elsewhere,
      { ...elsewhere, uuid: randomUUID(), part: below, attributes: { 5001: 'B' } },
      ...crowd,
    ]);
  });
  afterAll(async () => inspection.stop());

  const uuidsOf = async (query: string, resource = 'measurements') =>
    ((await client.get(`${resource}?${query}`).expect(200)).body as { uuid: string }[]).map(({ uuid }) => uuid);
  const shownOne = () => {
    const { characteristics: _values, part: partUuid, ...shown } = one;
    return { ...shown, partUuid };
  };

  it('returns a single measurement as an object, with values only when requested [I12, I59, I60, I154, D5.3]', async () => {
    const address = one.uuid.toUpperCase();
    const measurement = await client.get(`measurements/{${address}}`).expect(200);
    expect(measurement.body).toEqual(shownOne());
    expect(measurement.headers['content-type']).toMatch(/^application\/json/);
    expect((await client.get(`values/${address}`).expect(200)).body).toEqual({ ...shownOne(), characteristics: one.characteristics });
  });

  it('returns the requested parts of a measurement [I143, I154, I161, I163, D5.10]', async () => {
    const [x = '', y = ''] = characteristics;
    const { body } = (await client.get(
      `values/${one.uuid}?requestedMeasurementAttributes={4}&requestedValueAttributes=1&characteristicUuids={${x},${y}}`,
    )) as { body: unknown };
    expect(body).toMatchObject({ attributes: { 4: one.attributes['4'] } });
    expect((body as TestMeasurement).characteristics).toEqual({ [x]: { 1: '1.50' }, [y]: { 1: '12345678901234567890.1' } });
    const none = (await client.get(`values/${one.uuid}?requestedMeasurementAttributes=&requestedValueAttributes=`)).body as TestMeasurement;
    expect(none.attributes).toEqual({});
    expect(Object.values(none.characteristics)).toEqual([{ 1: '1.50' }, { 1: '12345678901234567890.1' }, {}]);
    expect((await client.get(`values/${one.uuid}?characteristicUuids={}`)).body).toMatchObject({ characteristics: {} });
  });

  it.each(['', '{}', 'None', 'NONE', '{6001}', '6001', '4711'])(
    'always returns the measured value with values, also for requestedValueAttributes=%s [D5.10]',
    async (selection) => {
      const [x = '', y = ''] = characteristics;
      const query = `requestedValueAttributes=${encodeURIComponent(selection)}`;
      const alone = (await client.get(`values/${one.uuid}?${query}`).expect(200)).body as TestMeasurement;
      const [listed] = (await client.get(`values?measurementUuids=${one.uuid}&${query}`).expect(200)).body as TestMeasurement[];
      expect(alone.characteristics[x]).toEqual({ 1: '1.50' });
      expect(alone.characteristics[y]).toEqual({ 1: '12345678901234567890.1', ...(selection.includes('6001') && { 6001: 'say "hé"' }) });
      expect(listed).toEqual(alone);
    },
  );

  it('returns long lists of measured values also when no value attribute is requested', async () => {
    const listed = (await client.get(`values?partUuids=${many}&requestedValueAttributes=%7B%7D`).expect(200)).body as TestMeasurement[];
    const values = listed.map((measurement) => measurement.characteristics[characteristics[3] as string]?.['1']);
    expect(new Set(values).size).toBe(MANY);
  });

  it('returns an aggregation by its uuid unless another aggregation is requested [I145, I154, I163, D1.2, D5.5]', async () => {
    await client.get(`measurements/${aggregation.uuid}`).expect(200);
    await client.get(`measurements/${aggregation.uuid}?aggregation=All`).expect(200);
    await client.get(`measurements/${aggregation.uuid}?aggregation=Measurements`).expect(404);
    await client.get(`values/${one.uuid}?aggregation=AggregationMeasurements`).expect(404);
    expect(await uuidsOf(`partUuids=${part}`)).toEqual([one.uuid]);
    expect(await uuidsOf(`partUuids=${part}&aggregation=all`)).toEqual([one.uuid, aggregation.uuid]);
    expect(await uuidsOf(`partUuids=${part}&aggregation=AGGREGATIONMEASUREMENTS`)).toEqual([aggregation.uuid]);
  });

  it('answers 404 for a missing measurement and 403 for one that may not be read [D8.3]', async () => {
    const principal: Principal = { ...EVERYONE, rightsKey: 'c', scopeOf: () => PathScope.below('pc/') };
    for (const resource of ['measurements', 'values']) {
      await client.get(`${resource}/${randomUUID()}`).expect(404);
      await client.get(`${resource}/${part}`).expect(404);
      await client.get(`${resource}/first`).expect(400);
      await inspection.as(principal, async () => {
        await client.get(`${resource}/${one.uuid}`).expect(403);
        await client.get(`${resource}/${elsewhere.uuid}`).expect(200);
        expect(await uuidsOf('aggregation=All', resource)).toEqual([elsewhere.uuid]);
        expect(await uuidsOf(`measurementUuids={${one.uuid}}`, resource)).toEqual([]);
      });
      await inspection.as({ ...EVERYONE, scopeOf: () => PathScope.NOTHING }, async () => {
        await client.get(resource).expect(403);
      });
    }
  });

  it('reads partPath without deep as that part only, and an unknown path as no measurements [I135, I136, D5.1]', async () => {
    expect(await uuidsOf('partPath=/a')).toEqual([one.uuid]);
    expect(await uuidsOf('partPath=/A/&deep=True')).toHaveLength(2);
    expect(await uuidsOf('partPath=/')).toEqual([]);
    expect(await uuidsOf('partPath=/nothing&deep=true')).toEqual([]);
    expect(await uuidsOf('partUuids={}')).toEqual([]);
    expect(await uuidsOf('partUuids=&partPath=/c')).toEqual([elsewhere.uuid]);
    expect(await uuidsOf(`partUuids={${part}}&deep=true`)).toHaveLength(2);
  });

  it('includes the first modification date and excludes the second [I58, I140]', async () => {
    const at = encodeURIComponent('2026-03-01T12:00:00.120+01:00');
    expect(await uuidsOf(`partUuids=${part}&fromModificationDate=${at}`)).toEqual([one.uuid]);
    expect(await uuidsOf(`partUuids=${part}&toModificationDate=${at}`)).toEqual([]);
    expect(await uuidsOf(`partUuids=${part}&fromModificationDate=2026-03-01T11:00:00.121`)).toEqual([]);
    expect(await uuidsOf(`partUuids=${part}&toModificationDate=2026-03-02`)).toEqual([one.uuid]);
  });

  it.each<[string, string, number]>([
    ['1', '1>[1.4]', 1],
    ['1', '1>[1.5]+1<[2]', 1],
    ['a number between two doubles', '1<[1.50000000000000001]', 1],
    ['a number between two doubles', '1>[1.50000000000000001]', 1],
    ['more digits than a double has', '1=[12345678901234567890.1]', 1],
    ['more digits than a double has', '1=[12345678901234567890.2]', 0],
    ['another value attribute', '6001=[NOT MEASURED]', 1],
    ['a number by its value', '5002=[7.0]', 1],
    ['a time by its instant', '4=[2026-03-01T11:00:00Z]', 1],
    ['a quotation mark', '5001Like[SAY "%]', 1],
  ])('searches %s with %s [I138, I202, D1.5]', async (_what, search, found) => {
    expect(await uuidsOf(`partUuids=${part}&searchCondition=${encodeURIComponent(search)}`)).toHaveLength(found);
  });

  it('searches measured values exactly for limits between two doubles [D1.5]', async () => {
    const search = async (condition: string) => uuidsOf(`partUuids=${many}&searchCondition=${encodeURIComponent(condition)}`);
    // The stored values are 0, 0.125, 0.25 and so on.
    expect(await search('1<[0.125]')).toHaveLength(1);
    expect(await search('1<[0.12500000000000000001]')).toHaveLength(2);
    expect(await search('1<=[0.12499999999999999999999]')).toHaveLength(1);
    expect(await search('1>=[0.12500000000000000001]')).toHaveLength(MANY - 2);
    expect(await search('1>[0.12499999999999999999999]')).toHaveLength(MANY - 1);
    expect(await search('1=[0.12500000000000000001]')).toHaveLength(0);
    expect(await search('1<>[0.12500000000000000001]')).toHaveLength(MANY);
    expect(await search('1In[0.125,1e400,0.250,0.12500000000000000001]')).toHaveLength(2);
    expect(await search('1<[1e400]')).toHaveLength(MANY);
  });

  it('streams a large answer in order and completely [I161]', async () => {
    const { body } = (await client.get(`values?partUuids=${many}&order=5002 desc`).expect(200)) as { body: unknown };
    const answered = body as TestMeasurement[];
    expect(answered.map(({ attributes }) => Number(attributes['5002']))).toEqual(Array.from({ length: MANY }, (_, i) => MANY - 1 - i));
    const [, , , m = ''] = characteristics;
    expect(answered.every(({ attributes, characteristics: values }) => Number(values[m]?.['1']) === Number(attributes['5002']) / 8)).toBe(
      true,
    );
    expect(await uuidsOf(`partUuids=${many}`)).toHaveLength(MANY);
    expect(await uuidsOf(`partUuids=${many}&limitResult=2000`, 'values')).toHaveLength(2000);
    expect((await client.get(`distinctMeasurementAttributeValues?key=5002&partUuids=${many}`).expect(200)).body).toHaveLength(MANY);
  });

  it('releases the connection when a client disconnects during a stream', async () => {
    const { port } = inspection.server.address() as AddressInfo;
    for (let i = 0; i < 10; i += 1) {
      await new Promise<void>((resolve, reject) => {
        const request = get({ port, path: '/dataServiceRest/values', headers: { 'accept-encoding': 'identity' } }, (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
          response.on('error', () => undefined);
        });
        request.on('error', reject);
      });
    }
    await eventually(() => {
      expect(inspection.database.poolUsage().streams.used).toBe(0);
    });
    expect(await uuidsOf(`partUuids=${many}`, 'values')).toHaveLength(MANY);
  });

  it('returns the distinct values of an attribute, "" for measurements without it [I18, I62, I160, D5.9]', async () => {
    const distinct = async (query: string) => (await client.get(`distinctMeasurementAttributeValues?${query}`).expect(200)).body as unknown;
    expect(await distinct('key=5001&partPath=/a&deep=true')).toEqual([one.attributes['5001'], 'B']);
    expect(await distinct('key=5001')).toEqual(expect.arrayContaining(['', 'B']));
    expect(await distinct('key=5001&partPath=/a&deep=true&limitResult=1')).toEqual([one.attributes['5001']]);
    expect(await distinct('key=4711&partPath=/a')).toEqual(['']);
    expect(await distinct('key=4711&partPath=/nothing')).toEqual([]);
    for (const query of ['', 'key=x', 'key=65536', 'key={4}']) {
      await client.get(`distinctMeasurementAttributeValues?${query}`).expect(400);
    }
  });

  it.each<[string, RegExp]>([
    ['measurementUuids={x}', /measurementUuids: must be a list of uuids/],
    ['partUuids={x}', /partUuids: must be a list of uuids/],
    ['partPath=//', /partPath: A name is empty/],
    ['deep=yes', /deep: must be true or false/],
    ['order=4', /order: .*asc or desc/],
    ['order=4 down', /order: .*asc or desc/],
    ['order=time asc', /order: /],
    ['searchCondition=4>', /searchCondition: /],
    ['searchCondition=4>[yesterday]', /searchCondition: .*DateTime.*at character 4/],
    ['searchCondition=1Like[1]', /searchCondition: .*Like compares texts/],
    ['searchCondition=1>[x]', /searchCondition: .*Float/],
    ['searchCondition=LastModified>[x]', /searchCondition: .*LastModified/],
    ['caseSensitive=1', /caseSensitive: must be true or false/],
    ['fromModificationDate=01.02.2026', /fromModificationDate: must be a date/],
    [
      'fromModificationDate=2026-01-01T00:00:00+01:00',
      /fromModificationDate: must be a date .*a \+ in an address is read as a blank, so write %2B/,
    ],
    ['searchCondition=4>[2026-01-01T00:00+01:00]', /DateTime.* so write %2B/],
    ['searchCondition=LastModified>[2026-01-01T00:00:00.5+01:00]+Created<[2026-01-01]', /LastModified.* so write %2B/],
    ['toModificationDate=2026-02-30', /toModificationDate: must be a date/],
    ['limitResult=ten', /limitResult: must be a whole number/],
    ['limitResult=1.5', /limitResult: must be a whole number/],
    ['limitResultPerPart=x', /limitResultPerPart: must be a whole number/],
    ['requestedMeasurementAttributes=x', /requestedMeasurementAttributes: /],
    ['aggregation=Some', /aggregation: must be one of Measurements, Default, AggregationMeasurements, All/],
    ['limitResult=1&LIMITRESULT=2', /limitResult: is given more than once/],
  ])('refuses %s [I133-I143, I145, I161, I192, D5.6, D5.8, D10.4]', async (query, message) => {
    for (const resource of ['measurements', 'values']) {
      expect(await client.refused(client.get(`${resource}?${query}`))).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it('counts what the list answers, without limits [D5.14]', async () => {
    const countOf = async (query: string) =>
      ((await client.get(`measurements/count?${query}`).expect(200)).body as { count: number }).count;
    expect(await countOf('')).toBe(MANY + 3);
    expect(await countOf('aggregation=All')).toBe(MANY + 4);
    expect(await countOf('AGGREGATION=AggregationMeasurements')).toBe(1);
    expect(await countOf('partPath=/a')).toBe(1);
    expect(await countOf('partPath=/a&deep=True')).toBe(2);
    expect(await countOf(`partUuids={${part},${many}}&aggregation=All`)).toBe(MANY + 2);
    expect(await countOf(`measurementUuids={${one.uuid},${aggregation.uuid}}`)).toBe(1);
    expect(await countOf('searchCondition=5002<[100]')).toBe(101);
    expect(await countOf('searchCondition=4<[2020-06-01]&aggregation=All')).toBe(1);
    expect(await countOf('searchCondition=4<[2020-06-01]')).toBe(0);
    expect(await countOf('toModificationDate=2026-03-01T11:00:00Z&aggregation=All')).toBe(0);
    expect(await countOf('partPath=/nothing')).toBe(0);
    expect(await countOf('partUuids={}')).toBe(0);
    expect(await countOf('order=&limitResult=&requestedMeasurementAttributes=None')).toBe(MANY + 3);
  });

  it.each(['order=4 desc', 'limitResult=1', 'LIMITRESULT=-1', 'limitResultPerPart=1', 'mergeAttributes={4}', 'mergeCondition=None'])(
    'refuses to count with %s [D5.14]',
    async (query) => {
      const [status, message] = await client.refused(client.get(`measurements/count?partPath=/a&${query}`));
      expect([status, message]).toEqual([400, expect.stringMatching(/^Parameter \w+ is not possible here\. Use measurementUuids, /)]);
      expect(message.toLowerCase()).toContain(`parameter ${query.split('=')[0]} `.toLowerCase());
    },
  );

  it('refuses to count with a wrong selection, as the list does [D5.14]', async () => {
    for (const query of ['partPath=//', 'deep=yes', 'searchCondition=4>', 'aggregation=Some', 'partUuids={x}', 'page=2', 'partPath[]=/a'])
      await client.get(`measurements/count?${query}`).expect(400);
    await client.get('measurements/counts').expect(400);
  });

  it.each(['', 'partPath=/a', 'deep=true', 'order=5002 asc', 'partPath=/a&order=4 asc&limitResult=1', 'aggregation=All'])(
    'ignores limitResultPerPart where it does not apply: %s [D5.8]',
    async (query) => {
      for (const resource of ['measurements', 'values', 'distinctMeasurementAttributeValues']) {
        const address = `${resource}?key=5002&${query}`;
        const answer = await client.get(`${address}&limitResultPerPart=1`).expect(200);
        expect(answer.body).toEqual((await client.get(address).expect(200)).body);
        await request(inspection.server).head(`/dataServiceRest/${address}&limitResultPerPart=1`).expect(200);
      }
    },
  );

  it.each(['4711=[1]', '4=[2026-03-01]+4711In[1]', '4711<>[x]'])('refuses the unknown key of the search %s [D1.5]', async (search) => {
    for (const resource of ['measurements', 'values', 'distinctMeasurementAttributeValues']) {
      const address = `${resource}?key=4&searchCondition=${encodeURIComponent(search)}`;
      const position = search.indexOf('4711') + 1;
      expect(await client.refused(client.get(address))).toEqual([
        400,
        expect.stringMatching(`Parameter searchCondition: .*no attribute 4711.*at character ${position}`),
      ]);
    }
  });

  it.each([
    ['LastModified>[2026-03-01T11:00:00Z]', 1],
    ['lastmodified<[2026-03-01T11:00:00Z]', 0],
    ['Created=[2026-02-01]', 1],
    ['Created>[2026-02-01]+LastModified>[2026-03-01]', 0],
  ])('searches the fields of measurements that are not attributes: %s [D1.5]', async (search, found) => {
    const query = `partUuids=${part}&searchCondition=${encodeURIComponent(search)}`;
    expect(await uuidsOf(query)).toHaveLength(found);
    expect(await uuidsOf(query, 'values')).toHaveLength(found);
  });

  it('refuses bad values of parameters that only one of the lists has [I144]', async () => {
    expect(await client.refused(client.get('measurements?statistics=All'))).toEqual([400, expect.stringMatching(/None, Simple, Detailed/)]);
    expect(await client.refused(client.get('values?requestedValueAttributes=x'))).toEqual([
      400,
      expect.stringMatching(/requestedValueAttributes/),
    ]);
    expect(await client.refused(client.get('values?characteristicUuids=x'))).toEqual([400, expect.stringMatching(/characteristicUuids/)]);
  });

  it('neither returns nor searches stored values of a deleted definition, except time and measured value', async () => {
    await sql(inspection, `DELETE FROM attribute_definition WHERE key IN (5001, 6001)`);
    await sql(
      inspection,
      `INSERT INTO attribute_purge (entity, key, requested_at) SELECT entity, key, now() FROM (VALUES ('measurement', 5001), ('value', 6001)) AS gone (entity, key)`,
    );
    await sql(inspection, 'UPDATE server_state SET configuration_version = configuration_version + 1');
    const [x = '', y = '', z = ''] = characteristics;
    const { body } = (await client.get(`values/${one.uuid}`).expect(200)) as { body: unknown };
    expect(body).toMatchObject({ attributes: { 4: one.attributes['4'], 5002: '007' } });
    expect((body as TestMeasurement).attributes).not.toHaveProperty('5001');
    expect((body as TestMeasurement).characteristics).toEqual({ [x]: { 1: '1.50' }, [y]: { 1: '12345678901234567890.1' }, [z]: {} });
    expect(await client.refused(client.get(`measurements?searchCondition=6001=[not measured]`))).toEqual([
      400,
      expect.stringMatching(/no attribute 6001/),
    ]);
    expect((await client.get(`distinctMeasurementAttributeValues?key=5001&partPath=/a&deep=true`).expect(200)).body).toEqual(['']);
  });
});
