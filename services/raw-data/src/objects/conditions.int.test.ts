import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_PART_UUID, type RawDataInformation } from '@sinebar/contracts';
import { describeWith, zip } from '@sinebar/testing';
import sharp from 'sharp';
import request from 'supertest';
import { startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const BASE = '/rawDataServiceRest/rawData/part';
const INFORMATION = '/rawDataServiceRest/rawDataInformation/part';

type Headers = Record<string, string>;

interface State {
  etag: string;
  modified: string;
}

describeWith(['postgres'], 'conditions of requests for files', () => {
  let running: RunningRawData;
  let part: string;
  beforeAll(async () => {
    running = await startRawData();
  });
  afterAll(() => running.stop());

  const agent = () => request(running.server);
  const newPart = async () => (part = await running.inspection.create(`p${crypto.randomUUID()}/`));
  const described = { 'Content-Disposition': '"a.txt"', 'Content-Type': 'text/plain' };
  const post = (key: number, headers: Headers = {}, body: string | Buffer = 'content') =>
    agent()
      .post(`${BASE}/${part}/${key}`)
      .set({ ...described, ...headers })
      .send(body);
  const put = (key: number, headers: Headers = {}, body = 'replaced') =>
    agent()
      .put(`${BASE}/${part}/${key}`)
      .set({ ...described, ...headers })
      .send(body);
  const rename = (key: number, headers: Headers = {}, fileName = 'b.txt') =>
    agent().put(`${INFORMATION}/${part}/${key}`).set(headers).send({ fileName });
  const remove = (path: string, headers: Headers = {}) => agent().delete(`${BASE}/${part}${path}`).set(headers);
  const stateAt = async (path: string): Promise<State> => {
    const { headers } = await agent().head(`${BASE}/${part}${path}`).expect(200);
    return { etag: headers['etag'] as string, modified: headers['last-modified'] as string };
  };
  const list = async () => (await agent().get(`${BASE}/${part}`)).body as RawDataInformation[];
  const earlier = ({ modified }: State, seconds = 1) => new Date(Date.parse(modified) - seconds * 1000).toUTCString();

  describe.each([
    ['a file', '/0'],
    ['a thumbnail', '/1/thumbnail'],
    ['an entry of an archive', '/2/ArchiveContent/a.txt'],
  ])('GET and HEAD of %s', (_, path) => {
    let state: State;
    beforeAll(async () => {
      await newPart();
      await post(0, {}, 'content').expect(201);
      await post(
        1,
        {},
        await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ).expect(201);
      await post(2, {}, zip([{ name: 'a.txt', content: 'entry' }])).expect(201);
      state = await stateAt(path);
    });
    const statuses = async (headers: Headers) => {
      const read = await agent().get(`${BASE}/${part}${path}`).set(headers);
      const head = await agent().head(`${BASE}/${part}${path}`).set(headers);
      return [read.status, head.status];
    };
    const both = (status: number) => [status, status];

    it('honour If-Match [D6.4]', async () => {
      expect(await statuses({ 'If-Match': `"x", ${state.etag}` })).toEqual(both(200));
      expect(await statuses({ 'If-Match': '*' })).toEqual(both(200));
      expect(await statuses({ 'If-Match': '"x"' })).toEqual(both(412));
      expect(await statuses({ 'If-Match': `W/${state.etag}` })).toEqual(both(412));
    });

    it('honour If-Unmodified-Since [D6.4]', async () => {
      expect(await statuses({ 'If-Unmodified-Since': state.modified })).toEqual(both(200));
      expect(await statuses({ 'If-Unmodified-Since': earlier(state) })).toEqual(both(412));
      expect(await statuses({ 'If-Unmodified-Since': earlier(state), 'If-Match': '*' })).toEqual(both(200));
      expect(await statuses({ 'If-Unmodified-Since': '1999-01-01' })).toEqual(both(200));
    });

    it('check them before all others [D6.4]', async () => {
      expect(await statuses({ 'If-Match': '"x"', 'If-None-Match': state.etag })).toEqual(both(412));
      expect(await statuses({ 'If-Unmodified-Since': earlier(state), 'If-None-Match': state.etag })).toEqual(both(412));
      expect(await statuses({ 'If-Match': state.etag, 'If-None-Match': state.etag })).toEqual(both(304));
      expect(await statuses({ 'If-Match': state.etag, 'If-Modified-Since': state.modified })).toEqual(both(304));
    });

    it('check them before the range [D6.4]', async () => {
      const read = (headers: Headers) => agent().get(`${BASE}/${part}${path}`).set(headers);
      expect((await read({ 'If-Match': '"x"', Range: 'bytes=0-1' })).status).toBe(412);
      expect((await read({ 'If-Match': '"x"', Range: 'bytes=9999999-' })).status).toBe(412);
      expect((await read({ 'If-None-Match': state.etag, Range: 'bytes=9999999-' })).status).toBe(304);
    });

    it('answer what is wrong with the current ETag [D6.4]', async () => {
      const answer = await agent().get(`${BASE}/${part}${path}`).set('If-Match', '"x"');
      expect(answer.headers['etag']).toBe(state.etag);
      expect(answer.body).toMatchObject({ ExceptionType: 'PreconditionFailed', message: expect.stringContaining('If-Match') });
    });
  });

  it('read a range with If-Match, and the whole file for an old If-Range [D6.4]', async () => {
    await newPart();
    await post(0);
    const state = await stateAt('/0');
    const read = (headers: Headers) =>
      agent()
        .get(`${BASE}/${part}/0`)
        .set({ Range: 'bytes=0-1', ...headers });
    expect((await read({ 'If-Match': state.etag })).status).toBe(206);
    expect((await read({ 'If-Match': state.etag, 'If-Range': state.modified })).status).toBe(206);
    expect((await read({ 'If-Match': state.etag, 'If-Range': '"x"' })).status).toBe(200);
    await put(0);
    expect((await read({ 'If-Range': state.modified })).status).toBe(200);
  });

  describe('POST', () => {
    beforeAll(newPart);

    it('to a taken key honours If-None-Match: * and If-Match, and stores nothing else [D6.4]', async () => {
      await post(0, { 'If-None-Match': '*' }).expect(201);
      const state = await stateAt('/0');
      expect((await post(0, { 'If-None-Match': '*' }, 'second')).status).toBe(412);
      expect((await post(0, { 'If-None-Match': state.etag }, 'second')).status).toBe(412);
      expect((await post(0, { 'If-Match': '"x"' }, 'second')).status).toBe(412);
      expect((await post(0, { 'If-Unmodified-Since': earlier(state) }, 'second')).status).toBe(412);
      expect(await stateAt('/0')).toEqual(state);
      expect(await running.spooled()).toEqual([]);
      expect((await post(0, { 'If-Match': state.etag }, 'second')).status).toBe(201);
      expect((await agent().get(`${BASE}/${part}/0`)).text).toBe('second');
    });

    it('to a free key fails for If-Match only [D6.4]', async () => {
      expect((await post(5, { 'If-Match': '*' })).status).toBe(412);
      expect((await post(5, { 'If-Match': '"x"' })).status).toBe(412);
      expect((await list()).map(({ key }) => key)).toEqual([0]);
      expect((await post(5, { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT', 'If-None-Match': '*' })).status).toBe(201);
    });

    it('without a key ignores them [D6.4]', async () => {
      const all = { 'If-Match': '"x"', 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT', 'If-None-Match': '*' };
      expect((await post(-1, all)).status).toBe(201);
      expect(
        (
          await agent()
            .post(`${BASE}/${part}`)
            .set({ ...described, ...all })
            .send('x')
        ).status,
      ).toBe(201);
    });

    it('with If-None-Match: * stores one of many concurrent files [D6.4]', async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => post(9, { 'If-None-Match': '*' }, `file ${i}`)));
      const stored = answers.filter(({ status }) => status === 201);
      expect(stored).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(11);
      expect((await stateAt('/9')).etag).toBe(stored[0]?.headers['etag']);
    });

    it('names the error of the address first [D6.4]', async () => {
      const missing = agent()
        .post(`${BASE}/05040c4c-f0af-46b8-810e-30c0c00a379e/0`)
        .set({ ...described, 'If-Match': '"x"' });
      expect((await missing.send('x')).status).toBe(404);
    });
  });

  describe.each([
    ['PUT', (headers: Headers) => put(0, headers)],
    ['PUT of information', (headers: Headers) => rename(0, headers, `${crypto.randomUUID()}.txt`)],
    ['DELETE', (headers: Headers) => remove('/0', headers)],
  ])('%s', (_, change) => {
    let state: State;
    beforeAll(async () => {
      await newPart();
      await post(0).expect(201);
      state = await stateAt('/0');
    });

    it('honours its conditions in their order [D6.4]', async () => {
      expect((await change({ 'If-Unmodified-Since': earlier(state) })).status).toBe(412);
      expect((await change({ 'If-Match': '"x"', 'If-Unmodified-Since': state.modified })).status).toBe(412);
      expect((await change({ 'If-Match': state.etag, 'If-None-Match': '*' })).status).toBe(412);
      expect((await change({ 'If-Unmodified-Since': state.modified, 'If-None-Match': state.etag })).status).toBe(412);
      expect(await stateAt('/0')).toEqual(state);
      expect((await change({ 'If-Unmodified-Since': state.modified, 'If-None-Match': '"x"' })).status).toBe(200);
    });

    it('finds no file before it looks at them [D6.4]', async () => {
      await remove('/0');
      expect((await change({ 'If-Match': '"x"' })).status).toBe(404);
    });
  });

  it('an If-Modified-Since of a change has no effect [D6.4]', async () => {
    await newPart();
    await post(0);
    const { modified } = await stateAt('/0');
    await put(0, { 'If-Modified-Since': modified }).expect(200);
  });

  describe('DELETE of all', () => {
    let states: State[];
    beforeAll(async () => {
      await newPart();
      for (const key of [0, 1, 2]) await post(key, {}, `${key}`).expect(201);
      await put(1).expect(200);
      states = await Promise.all([0, 1, 2].map((key) => stateAt(`/${key}`)));
    });
    const tags = () => states.map(({ etag }) => etag);
    const newest = () => states.reduce((one, other) => (Date.parse(one.modified) > Date.parse(other.modified) ? one : other));
    const statusOf = async (headers: Headers) => (await remove('', headers)).status;

    it('needs the ETag of every file [D6.4]', async () => {
      expect(await statusOf({ 'If-Match': tags().slice(1).join(', ') })).toBe(412);
      expect(await statusOf({ 'If-Match': '"x"' })).toBe(412);
      expect(
        await statusOf({
          'If-Match': tags()
            .map((tag) => `W/${tag}`)
            .join(', '),
        }),
      ).toBe(412);
    });

    it('compares the time with the newest file [D6.4]', async () => {
      expect(await statusOf({ 'If-Unmodified-Since': earlier(newest()) })).toBe(412);
    });

    it('honours If-None-Match [D6.4]', async () => {
      expect(await statusOf({ 'If-None-Match': '*' })).toBe(412);
      expect(await statusOf({ 'If-None-Match': tags()[2] as string })).toBe(412);
    });

    it('deletes nothing unless all conditions hold, and then everything [D6.4]', async () => {
      expect(await list()).toHaveLength(3);
      const holding = { 'If-Match': tags().join(', '), 'If-None-Match': '"x"' };
      expect(await statusOf(holding)).toBe(200);
      expect(await list()).toEqual([]);
      const deleted = (await running.announced()).filter(({ type, TargetUuid }) => type === 'RawDataDeleted' && TargetUuid === part);
      expect(deleted.map(({ Key }) => Key)).toEqual([0, 1, 2]);
    });

    it('without files fails for If-Match only [D6.4]', async () => {
      expect(await statusOf({ 'If-Match': '*' })).toBe(412);
      expect(await statusOf({ 'If-Match': '"x"' })).toBe(412);
      expect(await statusOf({ 'If-Unmodified-Since': earlier(newest()), 'If-None-Match': '*' })).toBe(200);
    });

    it('takes * for one file, and the time of the newest [D6.4]', async () => {
      await post(0).expect(201);
      expect(await statusOf({ 'If-Match': '*' })).toBe(200);
      await post(0).expect(201);
      expect(await statusOf({ 'If-Unmodified-Since': (await stateAt('/0')).modified })).toBe(200);
      expect(await list()).toEqual([]);
    });

    it('with the tags of all files fails when another one is added at the same time [D6.4]', async () => {
      await post(0).expect(201);
      const [seen] = [await stateAt('/0')];
      running.inspection.onResolve = async () => {
        running.inspection.onResolve = () => Promise.resolve();
        await post(1).expect(201);
      };
      expect(await statusOf({ 'If-Match': seen.etag })).toBe(412);
      expect(await list()).toHaveLength(2);
    });
  });

  describe('the time of the last change', () => {
    beforeAll(newPart);
    const timeOf = ({ body }: { body: unknown }) => Date.parse((body as RawDataInformation).lastModified);
    const secondOf = (time: number) => Math.floor(time / 1000);

    it('of a replacement is in another second than the state before [D6.4]', async () => {
      let before = await post(0);
      for (const replace of [() => put(0), () => post(0), () => put(0, {}, 'replaced')]) {
        const after = await replace();
        expect(secondOf(timeOf(after))).toBeGreaterThan(secondOf(timeOf(before)));
        before = after;
      }
      const [current] = await list();
      expect(Date.parse(current?.lastModified as string)).toBe(timeOf(before));
    });

    it('of a new name is in another second, and stays without a change [D6.4]', async () => {
      await post(1);
      const first = await stateAt('/1');
      await rename(1).expect(200);
      const second = await stateAt('/1');
      expect(Date.parse(second.modified)).toBeGreaterThan(Date.parse(first.modified));
      await rename(1).expect(200);
      expect(await stateAt('/1')).toEqual(second);
      expect((await put(1, { 'If-Unmodified-Since': first.modified })).status).toBe(412);
      expect((await put(1, { 'If-Unmodified-Since': second.modified })).status).toBe(200);
    });

    it('is another second for each of many concurrent replacements [D6.4]', async () => {
      const created = await post(2);
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? put(2, {}, `${i}`) : post(2, {}, `${i}`))));
      const seconds = [created, ...answers].map((answer) => secondOf(timeOf(answer)));
      expect(new Set(seconds).size).toBe(13);
    });

    it('lets one of several replace the state that they have read [D6.4]', async () => {
      await post(3);
      const { modified } = await stateAt('/3');
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put(3, { 'If-Unmodified-Since': modified }, `${i}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
    });

    it('is not later than now after a pause', async () => {
      running.inspection.parts.set(ROOT_PART_UUID, '');
      const answer = await agent().post(`${BASE}/${ROOT_PART_UUID}/0`).set(described).send('x');
      expect(timeOf(answer)).toBeLessThanOrEqual(Date.now() + 1);
    });
  });
});
