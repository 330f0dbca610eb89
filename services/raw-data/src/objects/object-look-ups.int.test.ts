import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { TargetEntity } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import { describeWith } from '@sinebar/testing';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { ObjectLookUps } from './object-look-ups.ts';

const FILES = 20;

describeWith(['postgres'], 'look-ups of files by address', () => {
  let running: RunningRawData;
  let part: TargetEntity;
  let value: TargetEntity;
  let statements: number;
  let lookUps: ObjectLookUps;
  beforeAll(async () => {
    running = await startRawData();
    part = { entity: 'Part', uuid: await running.inspection.create('pbox/') };
    value = { entity: 'Value', uuid: `${randomUUID()}|${randomUUID()}` };
    running.inspection.targets.set(`Value|${value.uuid}`, part.uuid);
    for (const { entity, uuid } of [part, value]) {
      for (let key = 0; key < FILES; key += 1) {
        const headers = { 'Content-Disposition': `"${entity} ${key}.txt"`, 'Content-Type': 'text/plain' };
        await request(running.server).post(`/rawDataServiceRest/rawData/${entity}/${uuid}/${key}`).set(headers).send('x').expect(201);
      }
    }
  });
  afterAll(() => running.stop());
  beforeEach(() => {
    statements = 0;
    const read: Database['read'] = (options, work) => {
      statements += 1;
      return running.database.read(options, work);
    };
    lookUps = new ObjectLookUps({ ...running.database, read });
  });

  const caller = (signal: AbortSignal = new AbortController().signal) => ({ signal, statementTimeoutMs: 5000 });
  const nameOf = async (target: TargetEntity, key: number) => (await lookUps.find(target, key, caller()))?.fileName;

  it('share a statement when they are concurrent, and each returns its own file', async () => {
    const asked = Array.from({ length: 3 * FILES }, (_, i) => ({ target: i % 2 === 0 ? part : value, key: i % (FILES + 5) }));
    const names = await Promise.all(asked.map(({ target, key }) => nameOf(target, key)));
    expect(names).toEqual(asked.map(({ target, key }) => (key < FILES ? `${target.entity} ${key}.txt` : undefined)));
    expect(statements).toBe(1);
  });

  it('see the latest changes', async () => {
    expect(await nameOf(part, FILES)).toBeUndefined();
    await request(running.server)
      .post(`/rawDataServiceRest/rawData/part/${part.uuid}/${FILES}`)
      .set({ 'Content-Disposition': '"late.txt"', 'Content-Type': 'text/plain' })
      .send('x')
      .expect(201);
    expect(await nameOf(part, FILES)).toBe('late.txt');
    expect(statements).toBe(2);
  });

  it('continue when one of several clients disconnects', async () => {
    const left = AbortSignal.abort(new Error('the client left'));
    await expect(lookUps.find(part, 0, caller(left))).rejects.toThrow('the client left');
    const [, other] = await Promise.all([lookUps.find(part, 0, caller(left)).catch(() => undefined), nameOf(part, 1)]);
    expect(other).toBe('Part 1.txt');
  });

  it('fail together with the error of the database', async () => {
    const refused = new Error('no connection');
    const failing = new ObjectLookUps({ ...running.database, read: () => Promise.reject(refused) });
    const found = await Promise.allSettled([failing.find(part, 0, caller()), failing.find(part, 1, caller())]);
    expect(found.map((one) => (one.status === 'rejected' ? one.reason : one.value) as unknown)).toEqual([refused, refused]);
  });
});
