import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectNatsBus, type Bus } from '@sinebar/message-bus';
import {
  cuttableProxy,
  describeWith,
  eventually,
  startProcess,
  testSubjects,
  zip,
  type CuttableProxy,
  type RunningProcess,
} from '@sinebar/testing';
import request from 'supertest';
import sharp from 'sharp';
import { somebody, startRawData, type RunningRawData } from '../running-raw-data.fixture.ts';

const FILES = '/rawDataServiceRest/rawData';
const LISTS = '/rawDataServiceRest/rawDataInformation';
/** Time for which the copy of the part paths decides about rights, seconds. */
const MAX_AGE_S = 20;
const READER = somebody({ read: ['pbox/'] });
const program = process.env['NATS_SERVER_BIN'] ?? 'nats-server';

/** A NATS server that is killed and started again on its data, at one address for its clients. */
class Broker {
  private readonly folder: string;
  private readonly proxy: CuttableProxy;
  private running: RunningProcess;

  private constructor(folder: string, proxy: CuttableProxy, running: RunningProcess) {
    this.folder = folder;
    this.proxy = proxy;
    this.running = running;
  }

  static async start(): Promise<Broker> {
    const folder = await mkdtemp(join(tmpdir(), 'sinebar-broker-'));
    const running = await spawn(folder);
    return new Broker(folder, await cuttableProxy('127.0.0.1', portOf(running)), running);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.proxy.port}`;
  }

  async kill(): Promise<void> {
    await this.running.kill9();
  }

  async restart(): Promise<void> {
    this.running = await spawn(this.folder);
    this.proxy.redirect(portOf(this.running));
  }

  async remove(): Promise<void> {
    await this.proxy.close();
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function spawn(folder: string): Promise<RunningProcess> {
  return startProcess(program, ['-js', '-a', '127.0.0.1', '-p', '-1', '-sd', folder], { ready: /Server is ready/ });
}

function portOf(running: RunningProcess): number {
  return Number(/client connections on 127\.0\.0\.1:(\d+)/.exec(running.output())?.[1]);
}

describeWith(['postgres', 'nats'], 'while the NATS server is killed', () => {
  let broker: Broker;
  let buses: { service: Bus; inspection: Bus };
  let running: RunningRawData;
  let part: string;
  const upload = (name: string, type: string, body: Buffer) =>
    request(running.server)
      .post(`${FILES}/part/${part}`)
      .set({ 'Content-Disposition': `"${name}"`, 'Content-Type': type })
      .send(body);
  const get = (address: string) => request(running.server).get(address);
  const readings: readonly [name: string, read: () => request.Test][] = [
    ['a list of all files', () => get(`${LISTS}/part`)],
    ['the list of a part', () => get(`${LISTS}/part/${part}`)],
    ['a download', () => get(`${FILES}/part/${part}/0`)],
    ['a range', () => get(`${FILES}/part/${part}/0`).set('Range', 'bytes=0-3')],
    ['a thumbnail that was made before', () => get(`${FILES}/part/${part}/0/thumbnail`)],
    ['a thumbnail that is made now', () => get(`${FILES}/part/${part}/1/thumbnail`)],
    ['the entries of an archive', () => get(`${FILES}/part/${part}/2/archiveEntries`)],
    ['an entry of an archive', () => get(`${FILES}/part/${part}/2/archiveContent/inside.txt`)],
    [
      'a query of archives',
      () =>
        request(running.server)
          .post(`${FILES}/ArchiveEntryQuery`)
          .send({ selectors: [{ target: { entity: 'Part', uuid: part }, key: 2 }] }),
    ],
  ];

  beforeAll(async () => {
    broker = await Broker.start();
    const { stream: streamName, prefix: subjectPrefix } = testSubjects();
    const open = () => connectNatsBus({ servers: broker.url, name: 'test', streamName, subjectPrefix, stream: { maxBytes: 2 ** 24 } });
    buses = { inspection: await open(), service: await open() };
    running = await startRawData({ env: { SINEBAR_PART_PATHS_MAX_AGE_S: String(MAX_AGE_S) }, buses });
    part = await running.inspection.create('pbox/');
    const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    await upload('a.png', 'image/png', image).expect(201);
    await upload('b.png', 'image/png', image).expect(201);
    await upload('c.zip', 'application/zip', zip([{ name: 'inside.txt', content: 'x' }])).expect(201);
    await get(`${FILES}/part/${part}/0/thumbnail`).expect(200);
    await running.followed();
    await running.as(READER, () => eventually(async () => expect((await get(`${LISTS}/part`)).status).toBe(200), { timeoutMs: 40_000 }));
    await broker.kill();
  });
  afterAll(async () => {
    await running?.stop();
    await buses?.service.close();
    await buses?.inspection.close();
    await broker?.remove();
  });

  describe('for less than the permitted age of the part paths', () => {
    it.each(readings)('%s is answered for a user with a right on the part', async (_, read) => {
      const { status } = await running.as(READER, async () => await read());
      expect([200, 206]).toContain(status);
    });
  });

  it('an upload is answered 503 with a sentence and Retry-After, and leaves nothing', async () => {
    const before = await running.storedNames();
    const answer = await upload('d.txt', 'text/plain', Buffer.from('d'));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((answer.body as { message: string }).message).toMatch(/^[A-Z].*\.$/);
    expect(await running.storedNames()).toEqual(before);
    expect(await running.spooled()).toEqual([]);
  });

  describe('for longer', () => {
    beforeAll(async () => {
      await running.as(READER, () => eventually(async () => expect((await get(`${LISTS}/part`)).status).toBe(503), { timeoutMs: 40_000 }));
    });

    it.each(readings)('%s is answered 503 with Retry-After for a user with a right on the part only', async (_, read) => {
      const answer = await running.as(READER, async () => await read());
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });

    it.each(readings)('%s is answered for a user who may read everything', async (_, read) => {
      expect([200, 206]).toContain((await read()).status);
    });
  });

  it('uploads and the rights on parts work again after its restart', async () => {
    await broker.restart();
    await eventually(async () => expect((await upload('e.txt', 'text/plain', Buffer.from('e'))).status).toBe(201), { timeoutMs: 40_000 });
    await running.as(READER, () => eventually(async () => expect((await get(`${LISTS}/part`)).status).toBe(200), { timeoutMs: 40_000 }));
  }, 100_000);
});
