import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';
import { ObjectStore } from './object-store.ts';

const BASE = '/rawDataServiceRest/rawData/part';
const ROUNDS = 12;
/** Numbers of concurrent writers and readers of one key. */
const CHANGES = 10;
const READERS = 4;

describeWith(['postgres'], 'concurrent changes of one key', () => {
  let running: RunningRawData;
  let part: string;
  beforeAll(async () => {
    running = await startRawData();
    part = await running.inspection.create('pbox/');
  });
  afterAll(() => running.stop());

  const address = () => `${BASE}/${part}/0`;
  /** The name identifies the content. */
  const contentOf = (name: string) => `${name} `.repeat(5000);
  const upload = (method: 'post' | 'put', name: string) => {
    const agent = request(running.server);
    const asked = method === 'post' ? agent.post(address()) : agent.put(address());
    return asked.set({ 'Content-Disposition': `"${name}"`, 'Content-Type': 'text/plain' }).send(contentOf(name));
  };
  const change = async (number: number): Promise<void> => {
    const name = `f${number}.txt`;
    const kind = number % 5;
    const answer = await (kind === 0 ? request(running.server).delete(address()) : upload(kind < 3 ? 'post' : 'put', name));
    // A file that another client has deleted can neither be deleted nor replaced with PUT.
    const expected = kind === 0 ? [200, 404] : kind < 3 ? [201] : [200, 404];
    expect(expected).toContain(answer.status);
  };
  /** Name, bytes and ETag must be of one state. @returns whether there was a file */
  const read = async (): Promise<boolean> => {
    const answer = await request(running.server).get(address());
    if (answer.status !== 200) {
      expect([404, 503]).toContain(answer.status);
      return false;
    }
    const [, name = ''] = /filename="?([^";]+)/.exec(String(answer.headers['content-disposition'])) ?? [];
    expect([name, answer.text === contentOf(name)]).toEqual([name, true]);
    expect(answer.headers['etag']).toContain(createHash('md5').update(answer.text).digest('hex'));
    return true;
  };

  it('never mix two files, and are announced one after the other', async () => {
    let reads = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const changes = Array.from({ length: CHANGES }, (_, i) => change(round * CHANGES + i));
      const reading = Array.from({ length: READERS }, async () => {
        if (await read()) reads += 1;
      });
      await Promise.all([...changes, ...reading]);
      if (await read()) reads += 1;
    }
    expect(reads).toBeGreaterThan(0);

    const rows = await running.query<{ name: string; file_name: string }>('SELECT object_name AS name, file_name FROM raw_data_object');
    await eventually(async () => expect(await running.storedNames()).toEqual(rows.map(({ name }) => name)));
    expect(await running.spooled()).toEqual([]);
    let current: unknown;
    for (const event of await running.announced()) {
      const { type, Filename: name, OldFilename: old, NewFilename: next } = event;
      expect({ event, before: current }).toEqual({
        event,
        before: type === 'RawDataCreated' ? undefined : type === 'RawDataModified' ? old : name,
      });
      current = type === 'RawDataCreated' ? name : type === 'RawDataModified' ? next : undefined;
    }
    expect(rows.map((row) => row.file_name)).toEqual(current === undefined ? [] : [current]);
  }, 120_000);

  it('leave all files or none when all files of a target are deleted during uploads', async () => {
    const target = await running.inspection.create('pother/');
    const at = `${BASE}/${target}`;
    const add = () => request(running.server).post(at).set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' }).send('x');
    const removeAll = () => request(running.server).delete(at);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 6 === 5 ? removeAll() : add())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const events = (await running.announced()).filter(({ TargetUuid }) => TargetUuid === target);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    const rows = await running.query<{ name: string }>('SELECT object_name AS name FROM raw_data_object WHERE target_uuid = $1', [target]);
    expect(count('RawDataCreated')).toBe(25);
    expect(count('RawDataCreated') - count('RawDataDeleted')).toBe(rows.length);
    const listed = await request(running.server).get(`/rawDataServiceRest/rawDataInformation/part/${target}`).expect(200);
    expect((listed.body as unknown[]).length).toBe(rows.length);
    await removeAll().expect(200);
    await eventually(async () => expect((await running.storedNames()).filter((name) => rows.some((row) => row.name === name))).toEqual([]));
  });
});

describeWith(['postgres'], 'deletion of all files of a target', () => {
  let running: RunningRawData;
  beforeAll(async () => {
    running = await startRawData();
  });
  afterAll(() => running.stop());

  it('checks the right again after concurrent changes of the target, and deletes nothing that was moved away', async () => {
    const part = await running.inspection.create('pmine/');
    const upload = () =>
      request(running.server)
        .post(`${BASE}/${part}`)
        .set({ 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' })
        .send('x')
        .expect(201);
    await upload();
    await running.followed();
    const target = { entity: 'Part', uuid: part } as const;
    const signal = AbortSignal.timeout(20_000);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    let deleted: Promise<request.Response> | undefined;
    await running.as(somebody({ write: ['pmine/'] }), async () => {
      await running.database.write({ signal, statementTimeoutMs: 20_000 }, async (session) => {
        await new ObjectStore(session).lockKeys(target);
        // Also locks the row, in case the deletion waits only for that.
        await new ObjectStore(session).findForChange(target, 0);
        deleted = request(running.server)
          .delete(`${BASE}/${part}`)
          .then((answer) => answer);
        await eventually(async () => expect(await running.query(waiting)).toHaveLength(1));
        running.inspection.rename(part, 'ptheirs/');
      });
      expect((await deleted)?.status).toBe(403);
    });
    expect((await request(running.server).get(`${BASE}/${part}/0`)).status).toBe(200);
  });
});
