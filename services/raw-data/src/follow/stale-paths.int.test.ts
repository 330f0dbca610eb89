import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BusUnavailableError, connectNatsBus, type Bus } from '@sinebar/message-bus';
import { createLogger, Metrics } from '@sinebar/runtime';
import { backing, cuttableProxy, describeWith, eventually, testSubjects, type CuttableProxy, zip } from '@sinebar/testing';
import request from 'supertest';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const FILES = '/rawDataServiceRest/rawData';
const MAX_AGE_S = 2;
const env = { SINEBAR_PART_PATHS_MAX_AGE_S: String(MAX_AGE_S) };
/** Users with a right on the old and on the new path of the part. */
const OF_OLD_PATH = somebody({ read: ['pold/'], write: ['pold/'] });
const OF_NEW_PATH = somebody({ read: ['pnew/'], write: ['pnew/'] });

const list = ({ server }: RunningRawData) => request(server).get('/rawDataServiceRest/rawDataInformation/part');
const listOf = ({ server }: RunningRawData, part: string) => request(server).get(`/rawDataServiceRest/rawDataInformation/part/${part}`);
const download = ({ server }: RunningRawData, part: string) => request(server).get(`${FILES}/part/${part}/0`);
const rename = ({ server }: RunningRawData, part: string) =>
  request(server).put(`/rawDataServiceRest/rawDataInformation/part/${part}/0`).send({ fileName: 'b.zip' });
const entries = ({ server }: RunningRawData, part: string) =>
  request(server)
    .post(`${FILES}/ArchiveEntryQuery`)
    .send({ selectors: [{ target: { entity: 'Part', uuid: part }, key: 0 }] });

async function addPartWithArchive(running: RunningRawData): Promise<string> {
  const part = await running.inspection.create('pold/');
  await request(running.server)
    .post(`${FILES}/part/${part}`)
    .set({ 'Content-Disposition': '"a.zip"', 'Content-Type': 'application/zip' })
    .send(zip([{ name: 'inside.txt', content: 'x' }]))
    .expect(201);
  await running.followed();
  return part;
}
const mirrorHealth = async ({ service }: RunningRawData) => (await service.health()).find(({ name }) => name === 'part mirror');

describeWith(['postgres', 'nats'], 'paths of parts while NATS is unavailable', () => {
  let proxy: CuttableProxy;
  let buses: { service: Bus; inspection: Bus };
  let running: RunningRawData;
  let part: string;

  beforeAll(async () => {
    const { stream: streamName, prefix: subjectPrefix } = testSubjects();
    const { hostname, port } = new URL(backing().natsUrl);
    proxy = await cuttableProxy(hostname, Number(port));
    const open = (servers: string) => connectNatsBus({ servers, name: 'test', streamName, subjectPrefix, stream: { maxBytes: 2 ** 24 } });
    buses = { inspection: await open(backing().natsUrl), service: await open(`nats://127.0.0.1:${proxy.port}`) };
    running = await startRawData({ env, buses });
    part = await addPartWithArchive(running);
  });
  afterAll(async () => {
    proxy.restore();
    await running.stop();
    await buses.service.close();
    await buses.inspection.close();
    await proxy.close();
  });

  it('decide about rights as long as the stream is followed', async () => {
    await running.as(OF_OLD_PATH, async () => {
      expect((await list(running)).body).toHaveLength(1);
    });
  });

  describe('after a move of the part and the permitted lag', () => {
    beforeAll(async () => {
      proxy.cut();
      await running.inspection.move(part, 'pnew/');
      await running.as(OF_OLD_PATH, () => eventually(async () => expect((await list(running)).status).toBe(503), { timeoutMs: 20_000 }));
    });

    it.each([
      ['a list', list],
      ['the list of the part', listOf],
      ['a download', download],
      ['a query of archives', entries],
      ['a change', rename],
    ])('are not sufficient for %s', async (_, ask) => {
      await running.as(OF_OLD_PATH, async () => {
        const answer = await ask(running, part);
        expect(answer.status).toBe(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      });
    });

    it.each([
      ['a list', list],
      ['a download', download],
      ['a query of archives', entries],
    ])('are not needed for %s by a user who may read everything', async (_, ask) => {
      expect((await ask(running, part)).status).toBe(200);
    });

    it('make health report a lag', async () => {
      expect(await mirrorHealth(running)).toMatchObject({
        healthy: false,
        detail: expect.stringMatching(/^cannot see the event stream; was at its end \d+ ms ago$/),
      });
    });

    it('make the metric report a lag', async () => {
      const metrics = new Metrics(createLogger({ service: 'test', level: 'silent' }));
      running.service.observe?.(metrics);
      await eventually(async () => {
        const lagS = /^sinebar_mirror_lag_seconds(?:\{.*\})? (\S+)$/m.exec(await metrics.text())?.[1];
        expect(Number(lagS)).toBeGreaterThan(MAX_AGE_S);
      });
    });

    it('are current and decide again when NATS is back', async () => {
      proxy.restore();
      await running.as(OF_NEW_PATH, () =>
        eventually(async () => expect((await list(running)).body).toHaveLength(1), { timeoutMs: 20_000 }),
      );
      await running.as(OF_OLD_PATH, async () => expect((await list(running)).body).toEqual([]));
      expect(await mirrorHealth(running)).toMatchObject({ healthy: true, detail: 'follows the event stream' });
    });
  });
});

describeWith(['postgres'], 'paths of parts when only NATS is unavailable', () => {
  let running: RunningRawData;
  let part: string;

  beforeAll(async () => {
    let isSeen = true;
    const bus = (inner: Bus): Bus =>
      new Proxy(inner, {
        get: (target, name) => {
          if (name === 'streamState' && !isSeen) return () => Promise.reject(new BusUnavailableError('not now'));
          const member = Reflect.get(target, name) as unknown;
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    running = await startRawData({ env, bus });
    part = await addPartWithArchive(running);
    isSeen = false;
    running.inspection.rename(part, 'pnew/');
    await running.as(OF_NEW_PATH, () => eventually(async () => expect((await list(running)).status).toBe(503), { timeoutMs: 20_000 }));
  });
  afterAll(() => running.stop());

  it.each([
    ['the list of the part', listOf],
    ['a download', download],
    ['a change', rename],
  ])('are requested from the inspection service for %s', async (_, ask) => {
    await running.as(OF_OLD_PATH, async () => expect((await ask(running, part)).status).toBe(403));
    await running.as(OF_NEW_PATH, async () => expect((await ask(running, part)).status).toBe(200));
  });

  it('are requested from the inspection service for archive queries', async () => {
    await running.as(OF_OLD_PATH, async () => expect((await entries(running, part)).body).toEqual([]));
    await running.as(OF_NEW_PATH, async () => expect((await entries(running, part)).body).toHaveLength(1));
  });

  it('are written to events as the inspection service reports them', async () => {
    await running.as(OF_NEW_PATH, () => request(running.server).delete(`${FILES}/part/${part}/0`).expect(200));
    expect((await running.envelopes()).at(-1)).toMatchObject({ type: 'RawDataDeleted', sinebarpath: 'pnew/' });
  });
});
