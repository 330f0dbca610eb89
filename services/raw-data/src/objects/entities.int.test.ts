import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RawDataInformation } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const SERVICE = '/rawDataServiceRest';

describeWith(['postgres'], 'files of all four entity types', () => {
  let running: RunningRawData;
  let part: string;
  beforeAll(async () => {
    running = await startRawData();
    part = await running.inspection.create('pbox/');
  });
  afterAll(() => running.stop());

  const target = async (entity: string): Promise<string> => {
    if (entity === 'Part') return running.inspection.create(`pbox/p${randomUUID()}/`);
    const uuid = entity === 'Value' ? `${randomUUID()}|${randomUUID()}` : randomUUID();
    running.inspection.targets.set(`${entity}|${uuid}`, part);
    return uuid;
  };
  const headers = { 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' };
  const post = (path: string, body = 'x') => request(running.server).post(`${SERVICE}/rawData/${path}`).set(headers).send(body);
  const get = (path: string) => request(running.server).get(`${SERVICE}/${path}`);
  const information = async (path: string) => (await get(path).expect(200)).body as RawDataInformation[];
  const about = async (uuid: string) =>
    (await running.announced())
      .filter(({ TargetUuid }) => TargetUuid === uuid)
      .map(({ type, RawDataEntity, Key }) => [type, RawDataEntity, Key]);

  it.each([
    ['Part', 'part'],
    ['Characteristic', 'characteristic'],
    ['Measurement', 'measurement'],
    ['Value', 'value'],
  ])('of a %s are stored, listed, described, renamed, replaced and deleted [R6, R11, R37, R40, R69]', async (entity, segment) => {
    const uuid = await target(entity);
    const address = `${segment}/${encodeURIComponent(uuid)}`;
    const created = await post(address).expect(201);
    expect(created.body).toMatchObject({ target: { entity, uuid }, key: 0, fileName: 'a.txt', mimeType: 'text/plain', size: 1 });
    expect((await post(`${address}/-1`, 'second').expect(201)).body).toMatchObject({ target: { entity, uuid }, key: 1, size: 6 });
    for (const listing of ['rawDataInformation', 'rawData']) {
      expect((await information(`${listing}/${address}`)).map(({ key }) => key)).toEqual([0, 1]);
      const some = await information(
        `${listing}/${segment}?uuids=${encodeURIComponent(`{${uuid}}`)}&filter=${encodeURIComponent('Length gt 1')}`,
      );
      expect(some).toEqual([expect.objectContaining({ target: { entity, uuid }, key: 1 })]);
      expect((await information(`${listing}/${segment}`)).filter((file) => file.target.uuid === uuid)).toHaveLength(2);
    }
    expect((await get(`rawData/${address}/1`).expect(200)).text).toBe('second');
    await request(running.server).put(`${SERVICE}/rawDataInformation/${address}/1`).send({ fileName: 'b.txt' }).expect(200);
    await request(running.server).put(`${SERVICE}/rawData/${address}/0`).set(headers).send('replaced').expect(200);
    expect((await information(`rawDataInformation/${address}`)).map(({ fileName, size }) => [fileName, size])).toEqual([
      ['a.txt', 8],
      ['b.txt', 6],
    ]);
    await request(running.server).delete(`${SERVICE}/rawData/${address}/0`).expect(200);
    await get(`rawData/${address}/0`).expect(404);
    await request(running.server).delete(`${SERVICE}/rawData/${address}`).expect(200);
    expect(await information(`rawDataInformation/${address}`)).toEqual([]);
    expect(await about(uuid)).toEqual([
      ['RawDataCreated', entity, 0],
      ['RawDataCreated', entity, 1],
      ['RawDataModified', entity, 1],
      ['RawDataModified', entity, 0],
      ['RawDataDeleted', entity, 0],
      ['RawDataDeleted', entity, 1],
    ]);
  });

  it.each([
    ['Characteristic', (uuid: string) => [`Characteristics/{${uuid.toUpperCase()}}`, `CHARACTERISTIC/${uuid}`]],
    ['Measurement', (uuid: string) => [`measurements/%7B${uuid}%7D`, `MEASUREMENT/${uuid}/`]],
    [
      'Value',
      (uuid: string) => {
        const [measurement, characteristic] = uuid.split('|') as [string, string];
        return [
          `values/${measurement}%7C${characteristic}`,
          `Value/%7B${uuid.replace('|', '%7c').toUpperCase()}%7D`,
          `value/{${measurement}}%7C{${characteristic}}`,
        ];
      },
    ],
  ])('of a %s are found by all spellings of their address [R12, R33, R70]', async (entity, spellings) => {
    const uuid = await target(entity);
    await post(`${entity}/${encodeURIComponent(uuid)}/4`).expect(201);
    for (const address of spellings(uuid)) {
      expect(await information(`rawDataInformation/${address}`)).toEqual([expect.objectContaining({ target: { entity, uuid }, key: 4 })]);
    }
  });

  it('are distinguished by entity type, and values by both parts of their identifier [R11, R12, R37, R70]', async () => {
    const [uuid, one, other] = [randomUUID(), randomUUID(), randomUUID()];
    for (const name of [
      `Measurement|${uuid}`,
      `Characteristic|${uuid}`,
      `Value|${uuid}|${one}`,
      `Value|${uuid}|${other}`,
      `Value|${one}|${uuid}`,
    ]) {
      running.inspection.targets.set(name, part);
      const [entity = '', ...rest] = name.split('|');
      expect((await post(`${entity}/${encodeURIComponent(rest.join('|'))}`, name).expect(201)).body).toMatchObject({
        key: 0,
        size: name.length,
      });
    }
    const uuids = (await information(`rawDataInformation/value?uuids={${uuid}%7C${one},${uuid}%7C${other}}`)).map(
      (file) => file.target.uuid,
    );
    expect(uuids.sort()).toEqual([`${uuid}|${one}`, `${uuid}|${other}`].sort());
    await request(running.server).delete(`${SERVICE}/rawData/measurement/${uuid}`).expect(200);
    for (const left of [`characteristic/${uuid}`, `value/${uuid}%7C${one}`, `value/${one}%7C${uuid}`])
      await get(`rawData/${left}/0`).expect(200);
  });

  it.each(['Characteristic', 'Measurement', 'Value'])(
    'of a %s need the rights of the part that owns it, and are 404 when it does not exist [D6.1]',
    async (entity) => {
      const uuid = encodeURIComponent(await target(entity));
      await post(`${entity}/${uuid}`).expect(201);
      await running.as(somebody({ read: ['pother/'], write: ['pother/'] }), async () => {
        await get(`rawData/${entity}/${uuid}/0`).expect(403);
        await post(`${entity}/${uuid}`).expect(403);
        await request(running.server).delete(`${SERVICE}/rawData/${entity}/${uuid}`).expect(403);
        expect(await information(`rawDataInformation/${entity}`)).toEqual([]);
      });
      await running.as(somebody({ read: ['pbox/'] }), async () => {
        await get(`rawData/${entity}/${uuid}/0`).expect(200);
      });
      const missing = encodeURIComponent(entity === 'Value' ? `${randomUUID()}|${randomUUID()}` : randomUUID());
      await post(`${entity}/${missing}`).expect(404);
      await get(`rawDataInformation/${entity}/${missing}`).expect(404);
      await request(running.server).delete(`${SERVICE}/rawData/${entity}/${missing}`).expect(404);
    },
  );

  it('get a hundred different keys when a hundred are uploaded at the same time [R7, R71]', async () => {
    const uuid = encodeURIComponent(await target('Value'));
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => post(`value/${uuid}`, `file ${i}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const keys = answers.map(({ body }) => (body as RawDataInformation).key);
    expect([...keys].sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
    for (const [i, key] of [...keys.entries()].filter(([index]) => index % 10 === 0)) {
      expect((await get(`rawData/value/${uuid}/${key}`).expect(200)).text).toBe(`file ${i}`);
    }
  });
});
