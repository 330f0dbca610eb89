import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const BASE = '/rawDataServiceRest/rawData/part';

describeWith(['postgres'], 'events of files whose part was moved before the follower knows it', () => {
  let running: RunningRawData;
  beforeAll(async () => {
    running = await startRawData();
  });
  afterAll(() => running.stop());

  const send = (method: 'post' | 'put', address: string) =>
    request(running.server)[method](`${BASE}/${address}`).set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' }).send('x');
  const pathsOf = async (uuid: string) =>
    (await running.envelopes())
      .filter(({ sinebarpart }) => sinebarpart === uuid)
      .map(({ type, sinebarpath }) => ({ type, path: sinebarpath }));

  it('contain its current path, which also decides about rights [D8.4]', async () => {
    const uuid = await running.inspection.create('pold/');
    await running.followed();
    await send('post', uuid).expect(201);
    running.inspection.rename(uuid, 'pnew/');
    await send('post', uuid).expect(201);
    await send('put', `${uuid}/0`).expect(200);
    await request(running.server).delete(`${BASE}/${uuid}`).expect(200);
    expect(await pathsOf(uuid)).toEqual([
      { type: 'RawDataCreated', path: 'pold/' },
      { type: 'RawDataCreated', path: 'pnew/' },
      { type: 'RawDataModified', path: 'pnew/' },
      { type: 'RawDataDeleted', path: 'pnew/' },
    ]);
  });

  it('contain the last path of a characteristic that moved before it was deleted', async () => {
    const [from, to] = [await running.inspection.create('pa/'), await running.inspection.create('pb/')];
    const uuid = randomUUID();
    running.inspection.targets.set(`Characteristic|${uuid}`, from);
    await running.followed();
    await request(running.server)
      .post(`/rawDataServiceRest/rawData/characteristic/${uuid}`)
      .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' })
      .send('x')
      .expect(201);
    running.inspection.rename(to, 'pc/');
    running.inspection.targets.delete(`Characteristic|${uuid}`);
    await running.inspection.publishChange('CharacteristicDeleted', to, [{ CharacteristicUuid: uuid }]);
    await running.followed();
    expect((await running.envelopes()).at(-1)).toMatchObject({ type: 'RawDataDeleted', sinebarpath: 'pc/' });
  });

  it('contain the last path of a part that was deleted before its move was followed', async () => {
    const uuid = await running.inspection.create('pfrom/');
    await running.followed();
    await send('post', uuid).expect(201);
    const from = running.inspection.rename(uuid, 'pto/');
    running.inspection.parts.delete(uuid);
    await running.inspection.publishPartChange('PartMoved', uuid, 'pto/', from);
    await running.inspection.publishPartChange('PartDeleted', uuid, 'pto/');
    await running.followed();
    expect((await pathsOf(uuid)).at(-1)).toEqual({ type: 'RawDataDeleted', path: 'pto/' });
  });
});
